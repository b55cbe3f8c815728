/**
 * What the policy believed when it chose a recovery, and how it rated the options, in plain words. Reads what is
 * recorded with the decision; nothing is recomputed. Empty for a policy without beliefs.
 */
import { CAUSE_WORDS, CAUSES } from "../adaptive/causes.ts";
import { believedWords, percent } from "../adaptive/choice-words.ts";
import type { Considered } from "../policy/situation.ts";
import type { DecisionOf } from "../run/decision.ts";
import { recoveryDid } from "./phrases.ts";

/** A cause and its estimated probability. */
export interface BelievedCause {
  readonly cause: string;
  readonly share: number;
}

type Chosen = DecisionOf<"recovery-chosen">;

/** Most likely first; causes from a newer version have no words and are skipped. */
export const believedCauses = ({ belief }: Pick<Chosen, "belief">): readonly BelievedCause[] =>
  belief === undefined
    ? []
    : CAUSES.filter((cause) => belief[cause] > 0)
        .map((cause) => ({ cause: CAUSE_WORDS[cause].name, share: belief[cause] }))
        .toSorted((a, b) => b.share - a.share);

/** "It probably misread the task (62 %), so it put the task in other words." */
export function beliefSentence({ belief, recoveries }: Chosen): string | undefined {
  if (belief === undefined) return undefined;
  const words = believedWords(belief);
  const did = recoveries
    .filter(({ kind }) => kind !== "skip")
    .map(recoveryDid)
    .join(" and ");
  const asks = recoveries.some(({ kind }) => kind === "ask");
  const isLast = asks && recoveries.length > 1;
  const why = isLast
    ? "nothing else is left to try"
    : "nothing else is likely enough to help for what it costs";
  const sentence = asks ? `${words}, and ${why}: so it ${did}` : `${words}, so it ${did}`;
  return `${sentence[0]?.toUpperCase()}${sentence.slice(1)}.`;
}

/** How an option that was not chosen was rated. */
export function weighedText({ verdict, success, cost }: Considered): string | undefined {
  if (success === undefined || cost === undefined) return undefined;
  const price = `${Number(cost.toFixed(1))} ${cost === 1 ? "attempt" : "attempts"}`;
  const odds = `${percent(success)} likely to help, at the price of ${price}`;
  return verdict === "second best" ? `second best, ${odds}` : odds;
}
