/** The episode of a subtask: its way from the first failure to an outcome, as learning reads it (D6). */
import { knownAmount } from "../../amounts.ts";
import type { Episode } from "../../history/episode.ts";
import { subtaskNowAt } from "./decision-draft.ts";
import type { DecisionDraft } from "./decision-draft.ts";

export function episodeOf(draft: DecisionDraft, index: number, success: boolean): Episode {
  const { id, state } = subtaskNowAt(draft, index);
  const { at } = draft.input;
  return {
    id: `ep-${draft.state.run}/${id}/${state.attempt}`,
    time: new Date(at).toISOString(),
    goal: id,
    success,
    cost: knownAmount({ ledger: state.ledger, limit: {} }, "usd").amount,
    duration: Math.max(0, at - (state.startedAt ?? at)) / 1000,
    error: success ? null : (state.attempts.at(-1)?.error ?? ""),
    retry_count: Math.max(0, state.attempt - 1),
    recovery_level: success ? state.level : "escalate",
  };
}
