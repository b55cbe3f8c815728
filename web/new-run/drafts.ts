/**
 * What a person has typed for a new run. It outlives the forms, so that a reading that arrives, the other form or another
 * page takes nothing away; it is gone when the run has started or the tab is closed.
 */
import { signal } from "@preact/signals";

export interface GoalDraft {
  readonly goal: string;
  /** Absent: the one that is offered first. */
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
