/**
 * How the workspace's refusals become answers of the port: a failure of origin workspace, never an exception. What
 * is no refusal is a broken invariant and goes through.
 */
import { existsSync } from "node:fs";
import type { FailureKind } from "../core/kinds.ts";
import { tameLine } from "../core/foreign-text.ts";
import { makeFailure } from "../core/make-failure.ts";
import type { TreeAnswer } from "../runtime/ports-workspace.ts";
import type { Refusal, RefusalKind, Result, Run } from "./types.ts";

export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}

export function valueOf<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Refused(result.refusal);
}

/** A repository that is gone makes git fail in many ways; the reason is what a person needs. */
export async function answered<T>(run: Run, work: () => Promise<T>): Promise<TreeAnswer<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { kind, detail } = existsSync(run.gitDir)
      ? error.refusal
      : { kind: "repository-gone" as const, detail: `${run.root} is gone` };
    const failure = makeFailure({
      kind: KIND_OF[kind] ?? "unknown",
      origin: "workspace",
      because: [tameLine(`${kind}: ${detail}`, 300)],
      ...(kind === "repository-gone" && { category: "fatal" }),
    });
    return { ok: false, failure };
  }
}

const KIND_OF: { readonly [kind in RefusalKind]?: FailureKind } = {
  "disk-full": "disk_full",
  "repository-gone": "file_not_found",
  conflict: "merge_conflict",
  "too-slow": "timeout",
  aborted: "interrupted",
};
