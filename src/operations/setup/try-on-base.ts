/**
 * Runs checks once on the commit that a run would start from, before anybody works: in a clone of its own, with CI=1,
 * no input and a time limit. Invariants: nothing of the user's checkout changes; the clone is gone afterwards.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCheck } from "../../agents/checks/runner.ts";
import { duration } from "../../core/amounts.ts";
import { checkExcerpt } from "../../core/excerpt/check-excerpt.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { git } from "../../workspace/git/git.ts";
import type { Inspection } from "../../workspace/repository/inspect.ts";
import { userEnvironment } from "../composition.ts";
import type { FoundCheck } from "./checks/find-checks.ts";

export interface TriedCheck extends FoundCheck {
  readonly state: "green" | "red" | "hangs" | "cannot-run";
  readonly ms: number;
  /** Of a red one: what failed, in one line. */
  readonly headline?: string;
  /** How many tests or messages failed. */
  readonly items?: number;
  /** Of one that hangs or cannot run. */
  readonly why?: string;
}

export type TryHappening =
  | { readonly kind: "setup"; readonly run: string }
  | { readonly kind: "check"; readonly run: string };

interface TryOptions {
  readonly setup?: readonly string[];
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
  readonly on?: (happening: TryHappening) => void;
}

const LIMIT_MS = 10 * 60_000;

export async function tryOnBase(
  { root, head }: Inspection,
  checks: readonly FoundCheck[],
  { setup = [], limitMs = LIMIT_MS, signal, on = () => undefined }: TryOptions,
): Promise<readonly TriedCheck[]> {
  const folder = await mkdtemp(join(tmpdir(), "unstuck-base-"));
  const tree = join(folder, "tree");
  const ran = (command: string) =>
    runCheck({
      place: { run: "base", subtask: "base", attemptId: "base/base/1", slot: 0 },
      command,
      cwd: tree,
      env: { ...userEnvironment(), CI: "1" },
      limitMs,
      ...(signal === undefined ? {} : { stop: signal }),
    });
  try {
    await git({ args: ["clone", "-q", "--no-checkout", "--", root, tree], env: {} }, {});
    await git({ args: ["checkout", "-q", head.commit ?? "HEAD"], env: {}, cwd: tree }, {});
    for (const command of setup) {
      on({ kind: "setup", run: command });
      const { outcome, stdout, stderr } = await ran(command);
      const { headline } = checkExcerpt({ command, stdout, stderr });
      const why = cleanLine(`${command} failed: ${headline}`, 300);
      if (outcome.kind !== "passed")
        return checks.map((check) => ({ ...check, state: "cannot-run", ms: 0, why }));
    }
    const tried: TriedCheck[] = [];
    for (const check of checks) {
      on({ kind: "check", run: check.run });
      tried.push(triedFrom(check, await ran(check.run)));
    }
    return tried;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function triedFrom(check: FoundCheck, run: Awaited<ReturnType<typeof runCheck>>): TriedCheck {
  const { outcome, stdout, stderr, durationMs: ms } = run;
  switch (outcome.kind) {
    case "passed":
      return { ...check, state: "green", ms };
    case "timed-out":
      return { ...check, state: "hangs", ms, why: `no end after ${duration(outcome.limitMs)}` };
    case "could-not-run":
      return { ...check, state: "cannot-run", ms, why: outcome.detail };
    case "failed": {
      const { headline, items: read } = checkExcerpt({ command: check.run, stdout, stderr });
      const items = Math.max(outcome.items.length, read.length);
      return { ...check, state: "red", ms, headline, ...(items > 0 ? { items } : {}) };
    }
  }
}
