/**
 * What the user has typed for a new run. It outlives the forms, so that new data, the other form or another page does
 * not lose it; it is dropped when the run has started or the tab is closed.
 */
import { signal } from "@preact/signals";

export interface GoalDraft {
  readonly goal: string;
  /** Absent: the first agent offered. */
  readonly agent?: string;
  readonly checks: string;
  readonly usd: string;
}

const NOTHING: GoalDraft = { goal: "", checks: "", usd: "" };

export const goalDraft = signal(NOTHING);
export const planDraft = signal("");

export const forgetGoal = (): void => {
  goalDraft.value = NOTHING;
};
