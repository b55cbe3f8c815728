/**
 * The state of a run in the words people use. Pure. Invariants: every run has exactly one state; only the run's row in
 * the journal and its inbox are needed.
 */
import type { RunInput } from "../../core/run/input.ts";
import type { RunSummary } from "../../core/run/run-summary.ts";

export const RUN_STATES = [
  ...["needs you", "running", "waiting", "pausing", "paused", "interrupted", "not started"],
  ...["verified", "unverified", "failed", "out of budget", "cancelled", "imported"],
] as const;

export type RunStateName = (typeof RUN_STATES)[number];

interface Known {
  readonly repository: string;
  /** Number of events. */
  readonly seq: number;
  readonly phase: string;
  readonly outcome?: string | undefined;
  /** A living process works on it. */
  readonly alive: boolean;
  readonly summary?: Partial<RunSummary> | undefined;
  /** The inbox of a run that no process works on. */
  readonly told?: readonly RunInput[];
}

export interface Standing {
  readonly state: RunStateName;
  readonly waitsUntil?: number;
  readonly pausedBy?: "user" | "system";
}

const OUTCOMES: Readonly<Record<string, RunStateName>> = {
  verified: "verified",
  unverified: "unverified",
  budget: "out of budget",
  cancelled: "cancelled",
  // In early versions stopping ended a run instead of pausing it.
  stopped: "cancelled",
};

export function standingOf(known: Known): Standing {
  const { repository, seq, phase, outcome, alive, summary = {}, told = [] } = known;
  if (repository === "") return { state: "imported" };
  if (outcome !== undefined) return { state: OUTCOMES[outcome] ?? "failed" };
  if (phase === "ended") return { state: "failed" };
  const { needsPerson = false, waitsUntil, questions = 0 } = summary;
  const answers = told.filter(({ kind }) => kind === "checkpoint-answered").length;
  const isAsking = needsPerson && answers < Math.max(1, questions);
  if (alive) {
    if (phase === "pausing") return { state: "pausing" };
    if (isAsking) return { state: "needs you" };
    return waitsUntil === undefined ? { state: "running" } : { state: "waiting", waitsUntil };
  }
  if (seq === 0) return { state: "not started" };
  const pausedBy =
    told.findLast((input) => input.kind === "pause-requested")?.by ?? summary.pausedBy;
  if (isAsking) return { state: "needs you" };
  if (pausedBy !== undefined) return { state: "paused", pausedBy };
  return { state: answers > 0 ? "paused" : "interrupted" };
}

/** Whether a person is needed, even if other work continues. */
export const isAskingFor = (state: RunStateName, questions: number): boolean =>
  state === "needs you" || (questions > 0 && (state === "running" || state === "waiting"));
