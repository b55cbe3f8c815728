/**
 * Who keeps failing as the base did before anybody worked on it, by cause: what the state remembers of it (C9).
 * Invariant: the first one stands until it is done.
 */
import type { RunState, SubtaskState } from "../state.ts";

const IN_A_ROW = 2;
const MOST_CAUSES = 100;

/** What it keeps failing of, if that is what fails on the base. */
export function baseCause({ attempts }: Pick<SubtaskState, "attempts">): string | undefined {
  const last = attempts.filter(({ counted }) => counted).slice(-IN_A_ROW);
  const signature = last[0]?.signature;
  const alike = last.every((record) => record.onBase === true && record.signature === signature);
  return last.length === IN_A_ROW && alike ? `base ${signature}` : undefined;
}

/** Who is the first to keep failing of each cause. */
export function withSuspect(state: RunState, subtask: string, own: SubtaskState): RunState {
  const cause = baseCause(own);
  const { suspects } = state;
  if (cause === undefined || cause in suspects || Object.keys(suspects).length >= MOST_CAUSES)
    return state;
  return { ...state, suspects: { ...suspects, [cause]: subtask } };
}

export function withoutSuspect(state: RunState, subtask: string): RunState {
  const all = Object.entries(state.suspects);
  const kept = all.filter(([, holder]) => holder !== subtask);
  if (kept.length === all.length) return state;
  return { ...state, suspects: Object.fromEntries(kept) };
}
