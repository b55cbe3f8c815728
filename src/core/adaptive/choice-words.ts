/**
 * Turns a choice into its record: the belief, the options weighed and those ruled out. Invariants: the text contains no
 * ids; numbers are rounded, so a record is the same on every machine.
 */
import { RECOVERY_WORDS, MUTATION_WORDS, type Recovery } from "../recovery.ts";
import type { Choice } from "../policy/policy.ts";
import type { Considered } from "../policy/situation.ts";
import { ranked, type Belief } from "./belief.ts";
import { CAUSE_WORDS, CAUSES, type Cause } from "./causes.ts";
import { recoveryOf, type Option, type Weighed } from "./options.ts";

export function choiceOf(belief: Belief, { options, ruledOut }: Weighed): Choice {
  const [best, ...others] = options;
  if (best === undefined) throw new Error("broken invariant: ask was refused");
  const asks = best.move === "ask";
  const isLast = asks && others.length === 0;
  const note = best.note === undefined ? [] : [`passed over: ${best.note}`];
  return {
    recoveries: isLast ? [{ kind: "skip" }, best.recovery] : [best.recovery],
    chosenBy: { by: "rung", id: best.move },
    because: [`${believedWords(belief)}; ${whyWords(best, isLast)}`, ...note].join("; "),
    considered: [
      ...options.map((option, index) => consideredAs(option, index)),
      ...ruledOut.map(({ move, why }) => ({
        ...{ rung: move, recovery: recoveryOf(move), verdict: why },
      })),
    ],
    belief: Object.fromEntries(CAUSES.map((cause) => [cause, rounded(belief[cause])])) as Record<
      Cause,
      number
    >,
    ...(isLast ? { alert: true } : {}),
  };
}

/** Above this it is said to be probable. */
const PROBABLE = 0.4;

export function believedWords(belief: Belief): string {
  const [[cause, share] = ["mistake", 0] as const] = ranked(belief);
  const { likely, maybe } = CAUSE_WORDS[cause];
  return `${share >= PROBABLE ? likely : maybe} (${percent(share)})`;
}

function whyWords(best: Option, isLast: boolean): string {
  if (isLast) return "nothing else is left to try";
  if (best.move === "ask") return "nothing else is likely enough to help for what it costs";
  return `the best chance for its cost is to ${doesWords(best.recovery)} (${percent(best.success)})`;
}

const doesWords = (recovery: Recovery): string =>
  recovery.kind === "mutate"
    ? MUTATION_WORDS[recovery.mutation].does
    : RECOVERY_WORDS[recovery.kind].does;

function consideredAs({ move, success, cost }: Option, index: number): Considered {
  const verdict = index === 0 ? "chosen" : index === 1 ? "second best" : "less likely for its cost";
  return {
    ...{ rung: move, recovery: recoveryOf(move), verdict },
    ...{ success: Math.min(0.999, Math.max(0.001, rounded(success))), cost: rounded(cost) },
  };
}

const rounded = (number: number): number => Math.round(number * 1000) / 1000;

export const percent = (share: number): string => `${Math.round(share * 100)} %`;
