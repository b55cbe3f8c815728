/**
 * Who is to blame for a check's result: compares it with the base tree's and with earlier runs on the same tree
 * (U11, U13). Invariants: what already failed on the base is not blamed; a failure is blamed only after the same
 * tree failed again, as far as the allowed runs go; a check that could not run blames nobody; "known-failures"
 * needs complete lists.
 */
import { assert } from "../assert.ts";
import type { CheckOutcome } from "./outcome.ts";

export type Verdict =
  /** It passes now. */
  | "passed"
  /** At least one failure is not on the base. */
  | "blamed"
  /** Every failure is on the base too, by name. */
  | "known-failures"
  /** It fails here and on the base, and the failures cannot be compared one by one. */
  | "unclear"
  /** It did not run to an end here, so there is nothing to judge. */
  | "no-verdict";

export interface Blame {
  readonly verdict: Verdict;
  /** Failing items that are not on the base; none where the check as a whole is to blame. */
  readonly blamed: readonly string[];
  readonly alreadyFailing: readonly string[];
  readonly newlyPassing: readonly string[];
  /** It passed on the base already: its passing says nothing about this work. */
  readonly provesNothingNew: boolean;
}

/** `base` is undefined where the check has not been run on the base. */
export function blame(base: CheckOutcome | undefined, now: CheckOutcome): Blame {
  const before = base?.kind === "failed" ? base.items : [];
  const after = now.kind === "failed" ? now.items : [];
  const known = new Set(before);
  const still = new Set(after);
  const comparable =
    now.kind === "passed" || (now.kind === "failed" && now.complete && after.length > 0);
  const blamed = after.filter((item) => !known.has(item));
  return {
    verdict: judge(base, now, blamed.length),
    blamed,
    alreadyFailing: after.filter((item) => known.has(item)),
    newlyPassing: comparable ? before.filter((item) => !still.has(item)) : [],
    provesNothingNew: now.kind === "passed" && base?.kind === "passed",
  };
}

function judge(base: CheckOutcome | undefined, now: CheckOutcome, newItems: number): Verdict {
  if (now.kind === "passed") return "passed";
  if (now.kind === "could-not-run") return "no-verdict";
  if (now.kind === "timed-out") return base?.kind === "timed-out" ? "unclear" : "blamed";
  if (base?.kind === "timed-out") return "unclear";
  if (base?.kind !== "failed") return "blamed";
  if (base.items.length === 0) return "unclear";
  if (now.items.length === 0) return "blamed";
  if (newItems > 0) return base.complete ? "blamed" : "unclear";
  return now.complete ? "known-failures" : "unclear";
}

/**
 * A pass that ran fewer tests than the base did: what failed may not have been mended but left out. One that no longer says how
 * many it ran counts as none, unless a part of what it said is missing.
 */
export function fewerTests(
  base: CheckOutcome | undefined,
  now: CheckOutcome,
): { readonly before: number; readonly now: number } | undefined {
  if (now.kind !== "passed" || (base?.kind !== "passed" && base?.kind !== "failed"))
    return undefined;
  const { tests: before = 0 } = base;
  const { tests = 0, cut = false } = now;
  return tests < before && !cut ? { before, now: tests } : undefined;
}

export type CheckStep =
  | { readonly kind: "run-again"; readonly why: "could-not-run" | "maybe-flaky" }
  | {
      readonly kind: "settled";
      readonly outcome: CheckOutcome;
      readonly blame: Blame;
      /** It both failed and passed on one tree, or items of it did. */
      readonly flaky: boolean;
      readonly flakyItems: readonly string[];
    };

export interface CheckRuns {
  readonly base?: CheckOutcome;
  /** Outcomes on one unchanged tree, in order; at least one. */
  readonly runs: readonly CheckOutcome[];
  /** How often the check may be run on one tree, the first time included. */
  readonly maxRuns: number;
}

/** What to do after the latest run: run the check again, or settle who is to blame. */
export function settleCheck({ base, runs, maxRuns }: CheckRuns): CheckStep {
  const now = runs.at(-1);
  assert(now !== undefined, "a check is settled after it was run");
  const mayRunAgain = runs.length < maxRuns;
  if (now.kind === "could-not-run" && mayRunAgain) return { kind: "run-again", why: now.kind };

  const ran = runs.findLast((run) => run.kind !== "could-not-run") ?? now;
  const failures = runs.filter((run) => run.kind === "failed" || run.kind === "timed-out");
  const lists = failures.flatMap((run) =>
    run.kind === "failed" && run.items.length > 0 ? [run.items] : [],
  );
  const items = [...new Set(lists.flat())];
  const steady = new Set(items.filter((item) => lists.every((list) => list.includes(item))));
  const confirmed = failures.length > 1 && (lists.length < 2 || steady.size > 0);
  if (mayRunAgain && !confirmed && blame(base, ran).verdict === "blamed")
    return { kind: "run-again", why: "maybe-flaky" };

  const outcome =
    ran.kind === "failed" && ran.items.some((item) => steady.has(item))
      ? { ...ran, items: ran.items.filter((item) => steady.has(item)) }
      : ran;
  const settled = new Set(outcome.kind === "failed" ? outcome.items : []);
  const flakyItems =
    ran.kind === "passed" ? items : items.filter((item) => !steady.has(item) && !settled.has(item));
  const flaky = flakyItems.length > 0 || (ran.kind === "passed" && failures.length > 0);
  return { kind: "settled", outcome, blame: blame(base, outcome), flaky, flakyItems };
}
