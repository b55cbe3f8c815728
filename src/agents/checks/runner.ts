/**
 * Runs checks in a worktree, one or several in turn. A check's text is the user's own, from the pinned plan, so it goes
 * to `sh` unchanged; nothing is inserted into it. Its processes are marked as part of their attempt (`id:check-...`): a
 * proof of the attempt's death covers them, and parallel checks do not end each other; checks in turn share a mark and
 * a guard. Invariants: never rejects; when it settles, no process of the check is left; output is bounded.
 */
import { randomUUID } from "node:crypto";
import type { Redaction } from "../../core/redact/redaction.ts";
import { readOutcome, type CheckEnd } from "../../core/checks/outcome.ts";
import type { AttemptPlace } from "../../runtime/ports-agent.ts";
import type { ProcessEnd, ProcessTrace } from "../../runtime/agent-result.ts";
import type { CheckRun } from "../../runtime/ports-workspace.ts";
import { environmentOf, redactionFor } from "../process/environment.ts";
import { guardSeries, type GuardSeries } from "../process/guard-series.ts";
import { watchProcess } from "../process/watchdog.ts";

export interface CheckRequest {
  readonly place: AttemptPlace;
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limitMs: number;
  /** Applied to its output before anything else reads it. */
  readonly redaction?: Redaction;
  /** Ends the check when the run is stopped. */
  readonly stop?: AbortSignal;
}

/** Includes the processes that could not be ended. */
interface WatchedCheck extends CheckRun {
  readonly survivors: readonly ProcessTrace[];
}

const WINDOW = { headBytes: 256 * 1024, tailBytes: 1024 * 1024 };
const GRACE_MS = [3000, 3000, 5000] as const;
const LEFT_BEHIND_GRACE_MS = 1000;

export async function runCheck(request: CheckRequest): Promise<WatchedCheck> {
  const series = checkSeries(request.place);
  try {
    return await series.run(request);
  } finally {
    await series.close();
  }
}

export interface CheckSeries {
  run(request: Omit<CheckRequest, "place">): Promise<WatchedCheck>;
  /** Call it once no more checks follow; settles once no process of them is left. */
  close(): Promise<void>;
}

/** Checks of one attempt, one after the other. */
export function checkSeries(of: AttemptPlace): CheckSeries {
  const place = { ...of, attemptId: `${of.attemptId}:check-${randomUUID()}` };
  const guards = guardSeries({ attemptId: place.attemptId, graceMs: LEFT_BEHIND_GRACE_MS });
  return { run: (request) => ran(request, place, guards), close: () => guards.close() };
}

async function ran(
  request: Omit<CheckRequest, "place">,
  place: AttemptPlace,
  guards: GuardSeries,
): Promise<WatchedCheck> {
  const { command, cwd, env, limitMs, stop } = request;
  const started = await guards.start({
    argv: ["sh", "-c", command],
    cwd,
    env: environmentOf(place, env),
    window: WINDOW,
    redaction: request.redaction ?? redactionFor(env),
  });
  if (!started.ok) return notStarted(started.problem);
  const watched = watchProcess(started.process, {
    limits: { totalMs: limitMs, graceMs: GRACE_MS },
  });
  const onStop = (): void => watched.stop("the run was stopped");
  if (stop?.aborted === true) onStop();
  else watched.release();
  stop?.addEventListener("abort", onStop);
  const { end, stdout, stderr, cut, durations, survivors } = await watched.result;
  stop?.removeEventListener("abort", onStop);
  return {
    outcome: readOutcome(checkEnd(end, limitMs), { stdout, stderr, cut }),
    ...(end.kind === "exited" ? { exitCode: end.code } : {}),
    stdout,
    stderr,
    durationMs: durations.activeMs,
    survivors,
  };
}

function checkEnd(end: ProcessEnd, limitMs: number): CheckEnd {
  switch (end.kind) {
    case "exited":
    case "signalled":
    case "not-started":
      return end;
    case "killed":
      return end.reason === "total"
        ? { kind: "timed-out", limitMs }
        : { kind: "stopped", detail: end.detail };
    case "guard-lost":
      return { kind: "stopped", detail: "its guard process was killed from outside" };
  }
}

const notStarted = (detail: string): WatchedCheck => ({
  outcome: readOutcome({ kind: "not-started", detail }, { stdout: "", stderr: "", cut: false }),
  stdout: "",
  stderr: "",
  durationMs: 0,
  survivors: [],
});
