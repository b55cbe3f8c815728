/**
 * Detects a lack of progress across attempts: a reducer from scores to a state. Invariants: plain JSON, so it survives
 * a restart; any progress resets the count; stuck takes precedence over warning; recovering ends only with progress or
 * `endRecovery`.
 */
import { PROGRESS_THRESHOLD } from "./progress-score.ts";

export type StuckStatus = "progressing" | "warning" | "stuck" | "recovering";

export interface StuckState {
  readonly status: StuckStatus;
  /** Consecutive attempts without progress. */
  readonly noProgress: number;
  readonly noProgressTotal: number;
  /** The newest is last. */
  readonly recentScores: readonly number[];
  readonly recoveryIterations: number;
}

export interface StuckOptions {
  readonly threshold?: number;
  readonly stuckAfter?: number;
  readonly warnAfter?: number;
}

export const NOT_STUCK: StuckState = {
  status: "progressing",
  noProgress: 0,
  noProgressTotal: 0,
  recentScores: [],
  recoveryIterations: 0,
};

const RECENT_SCORES = 5;

/** The state after an attempt, given its score or directly whether it made progress. */
export function stuckState(
  state: StuckState,
  scoreOrProgress: number | boolean,
  { threshold = PROGRESS_THRESHOLD, stuckAfter = 3, warnAfter = 2 }: StuckOptions = {},
): StuckState {
  const isScore = typeof scoreOrProgress === "number";
  const hasProgress = isScore ? scoreOrProgress >= threshold : scoreOrProgress;
  const score = Math.min(1, Math.max(0, Number(scoreOrProgress))) || 0;
  const recentScores = [...state.recentScores, score].slice(-RECENT_SCORES);
  if (hasProgress) return { ...state, recentScores, status: "progressing", noProgress: 0 };
  const noProgress = state.noProgress + 1;
  const reached =
    noProgress >= stuckAfter ? "stuck" : noProgress >= warnAfter ? "warning" : "progressing";
  return {
    ...state,
    recentScores,
    status: state.status === "recovering" ? "recovering" : reached,
    noProgress,
    noProgressTotal: state.noProgressTotal + 1,
  };
}

export const startRecovery = (state: StuckState): StuckState => ({
  ...state,
  status: "recovering",
});

export const endRecovery = (state: StuckState, success: boolean): StuckState =>
  success ? { ...state, status: "progressing", noProgress: 0 } : { ...state, status: "stuck" };
