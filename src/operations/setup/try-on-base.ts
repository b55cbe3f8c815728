/**
 * Runs checks once on the base, in a tree that is thrown away, to say which of them fail already. Invariants: nothing of
 * the user's changes; a check that does not end by itself is ended; one that could not run is never called red.
 */
import { runCheck } from "../../agents/checks/runner.ts";
import { checkExcerpt } from "../../core/excerpt/check-excerpt.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import type { CheckRun } from "../../runtime/ports-workspace.ts";
import type { Inspection } from "../../workspace/repository/inspect.ts";
import { defined } from "../operation.ts";
import { inThrowAwayTree } from "../planning/throw-away-tree.ts";

export interface TriedCheck {
  readonly run: string;
  readonly from: string;
  readonly state: "green" | "red" | "hangs" | "cannot-run";
  readonly ms: number;
  readonly headline?: string;
  readonly items?: number;
  readonly why?: string;
}

interface TryOptions {
  readonly setup: readonly string[];
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
  readonly on?: (tried: TriedCheck) => void;
}

const LIMIT_MS = 10 * 60_000;

export const tryOnBase = (
  repository: Inspection,
  checks: readonly { readonly run: string; readonly from: string }[],
  { setup, limitMs = LIMIT_MS, signal, on }: TryOptions,
): Promise<TriedCheck[]> =>
  inThrowAwayTree(repository, signal, async ({ cwd, env }) => {
    const place = { run: "look", subtask: "look", attemptId: "look/look/1", slot: 0 };
    const runHere = (command: string): Promise<CheckRun> =>
      runCheck({
        ...{ place, command, cwd, env: { ...env, CI: "1" }, limitMs },
        ...defined({ stop: signal }),
      });
    let broken: string | undefined;
    for (const command of setup)
      if (broken === undefined && (await runHere(command)).outcome.kind !== "passed")
        broken = `the setup failed: ${cleanLine(command, 200)}`;
    const tried: TriedCheck[] = [];
    for (const { run, from } of checks) {
      if (signal?.aborted === true) break;
      const one =
        broken === undefined
          ? { run, from, ...stateOf(run, await runHere(run)) }
          : ({ run, from, state: "cannot-run", ms: 0, why: broken } as const);
      tried.push(one);
      on?.(one);
    }
    return tried;
  });

function stateOf(command: string, ran: CheckRun): Omit<TriedCheck, "run" | "from"> {
  const { outcome, durationMs: ms, stdout, stderr } = ran;
  if (outcome.kind === "passed") return { state: "green", ms };
  if (outcome.kind === "timed-out") return { state: "hangs", ms };
  const { headline, items } = checkExcerpt({ command, stdout, stderr });
  if (outcome.kind === "could-not-run")
    return { state: "cannot-run", ms, why: headline || outcome.detail };
  return { state: "red", ms, headline, items: items.length };
}
