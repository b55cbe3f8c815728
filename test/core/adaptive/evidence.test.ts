// proves: U8
// The arithmetic of a belief: Bayes' rule over cause and tree, what a move's chance is made of, and what it costs.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  afterFailedMove,
  afterSymptom,
  expected,
  perRootCause,
  polluted,
  startBelief,
  type JointBelief,
} from "../../../src/core/adaptive/belief.ts";
import {
  believed,
  chanceAt,
  failedBefore,
  inContextNow,
  moveOf,
  successOf,
  wearOf,
} from "../../../src/core/adaptive/believed.ts";
import { ROOT_CAUSES, type RootCause } from "../../../src/core/adaptive/causes.ts";
import { groundOf, optionsFor, stepOf } from "../../../src/core/adaptive/options.ts";
import { PRIORS } from "../../../src/core/adaptive/priors.ts";
import { leftNow, priceOf, roomFor } from "../../../src/core/adaptive/room.ts";
import { broughtNews, classOf, signsOf } from "../../../src/core/adaptive/symptoms.ts";
import { FAILURE_CLASSES, MOVES, SIGNS, type Symptom } from "../../../src/core/adaptive/tables.ts";
import type { PastAttempt } from "../../../src/core/policy/situation.ts";
import { attempt, situationOf } from "./situations.ts";

type Tree = "clean" | "spoiled";
const CELLS = ROOT_CAUSES.flatMap((cause) =>
  (["clean", "spoiled"] as const).map((tree) => ({ cause, tree })),
);
const share = fc.double({ min: 0.01, max: 1, noNaN: true });
const chances = fc
  .array(share, { minLength: 6, maxLength: 6 })
  .map((all) => perRootCause((cause) => all[ROOT_CAUSES.indexOf(cause)] ?? 1));
const beliefs: fc.Arbitrary<JointBelief> = fc.tuple(chances, chances).map(([clean, spoiled]) => {
  const sum = CELLS.reduce((all, { cause }) => all + (clean[cause] + spoiled[cause]) / 2, 0);
  return {
    clean: perRootCause((cause) => clean[cause] / sum),
    spoiled: perRootCause((cause) => spoiled[cause] / sum),
  };
});
const symptoms = fc.constantFrom<Symptom>(...FAILURE_CLASSES, ...SIGNS);

/** Each share as it was, times how likely it made what was seen; then all of them sum to 1 again. */
function isBayes(
  after: JointBelief,
  before: JointBelief,
  likelihood: (cause: RootCause, tree: Tree) => number,
): void {
  const products = CELLS.map(({ cause, tree }) => before[tree][cause] * likelihood(cause, tree));
  const sum = products.reduce((all, one) => all + one, 0);
  for (const [index, { cause, tree }] of CELLS.entries()) {
    const [is, should] = [after[tree][cause], (products[index] ?? 0) / sum];
    assert.ok(Math.abs(is - should) < 2e-3, `${tree} ${cause}: ${is}, not ${should}`);
  }
}

describe("what is seen changes a belief by how likely each cause made it", () => {
  test("at the start there are the causes, and a tree that some of them have spoiled", () => {
    const { prior } = PRIORS;
    const { clean, spoiled } = startBelief(PRIORS);
    const all = ROOT_CAUSES.reduce((sum, cause) => sum + spoiled[cause], 0);
    assert.ok(Math.abs(all - prior.pollution) < 2e-3);
    assert.ok(spoiled.transient < 2e-4, "a passing fault leaves the tree as it was");
    for (const cause of ROOT_CAUSES) assert.ok(Math.abs(clean[cause] - prior[cause]) < 2e-3);
    for (const cause of ["misread", "capability", "person"] as const) {
      const ratio = spoiled[cause] / spoiled.mistake;
      assert.ok(Math.abs(ratio - prior[cause] / prior.mistake) < 0.05, cause);
    }
  });

  test("a symptom; a spoiled tree hides some of it, and a part of the evidence counts in part", () => {
    const weights = fc.constantFrom(undefined, 0.25, 1);
    fc.assert(
      fc.property(beliefs, symptoms, weights, (belief, symptom, weight) => {
        const shows = PRIORS.symptoms[symptom];
        const { hides } = PRIORS;
        isBayes(afterSymptom(belief, symptom, PRIORS, weight), belief, (cause, tree) => {
          const spoiled = hides * shows.pollution + (1 - hides) * shows[cause];
          return (tree === "clean" ? shows[cause] : spoiled) ** (weight ?? 1);
        });
      }),
    );
  });

  test("a move that failed, which works less on a spoiled tree", () => {
    fc.assert(
      fc.property(beliefs, chances, share, (belief, chance, onSpoiled) => {
        const half = { chance: perRootCause((cause) => chance[cause] / 2), onSpoiled };
        isBayes(
          afterFailedMove(belief, half),
          belief,
          (cause, tree) => 1 - half.chance[cause] * (tree === "clean" ? 1 : onSpoiled),
        );
        const works = CELLS.reduce(
          (sum, { cause, tree }) =>
            sum + belief[tree][cause] * half.chance[cause] * (tree === "clean" ? 1 : onSpoiled),
          0,
        );
        assert.ok(Math.abs(expected(belief, half) - works) < 1e-9);
      }),
    );
  });

  test("each attempt on the same tree spoils as much of it, but for passing faults", () => {
    fc.assert(
      fc.property(beliefs, (belief) => {
        const after = polluted(belief, PRIORS);
        for (const cause of ROOT_CAUSES) {
          const moved = cause === "transient" ? 0 : PRIORS.pollutes * belief.clean[cause];
          assert.ok(Math.abs(after.clean[cause] - (belief.clean[cause] - moved)) < 2e-3);
          assert.ok(Math.abs(after.spoiled[cause] - (belief.spoiled[cause] + moved)) < 2e-3);
        }
      }),
    );
  });
});

describe("the same evidence again", () => {
  const of = (past: readonly PastAttempt[]): JointBelief => believed(past, PRIORS);
  const failed = (more: Partial<PastAttempt> = {}): PastAttempt =>
    attempt({ failure: "no_progress", progress: false, ...more });

  test("counts for less than the first time", () => {
    const first = afterSymptom(
      afterSymptom(startBelief(PRIORS), "no-change", PRIORS),
      "no-progress",
      PRIORS,
    );
    assert.deepEqual(of([failed()]), first);
    const again = afterSymptom(
      afterSymptom(first, "no-change", PRIORS, PRIORS.repeatWeight),
      "no-progress",
      PRIORS,
      PRIORS.repeatWeight,
    );
    assert.deepEqual(of([failed(), failed()]), again);
  });

  test("a recovery that loses its way tells less, and that it stands still nothing", () => {
    const loop = { failure: "looping", progress: false } as const;
    const first = of([attempt()]);
    const ground = { class: "checks", step: 0, inContext: 0, failed: 0 } as const;
    const tried = afterFailedMove(first, successOf("feedback", ground, PRIORS));
    const lost = afterSymptom(polluted(tried, PRIORS), "loop", PRIORS, PRIORS.lostWeight);
    assert.deepEqual(of([attempt(), attempt({ ...loop, recovery: "feedback" })]), lost);
    assert.notDeepEqual(of([attempt(loop)]), of([attempt({ ...loop, progress: true })]));
  });
});

describe("a failed attempt that also put the task in other words", () => {
  const after = (reworded: boolean): JointBelief => {
    const fresh = attempt({ recovery: "fresh", items: "same", reworded });
    return believed([attempt(), fresh], PRIORS);
  };

  test("speaks against all that either move would have cured", () => {
    const [worded, plain] = [after(true), after(false)];
    assert.ok(worded.clean.misread < 0.85 * plain.clean.misread);
    assert.ok(worded.clean.capability > plain.clean.capability);
    const ratio = ({ clean }: JointBelief): number => clean.capability / clean.mistake;
    assert.ok(Math.abs(ratio(worded) / ratio(plain) - 1) < 0.01, "no less of a fresh start");
  });
});

describe("what a move's chance is made of", () => {
  const ground = { class: "checks", step: 0, inContext: 0, failed: 0 } as const;
  const odds = (chance: number): number => chance / (1 - chance);

  test("each tier lifts its odds by as much, and the step that escalating makes is its own", () => {
    for (const move of MOVES)
      for (const cause of ROOT_CAUSES) {
        const at = (step: number): number => chanceAt(move, cause, step, PRIORS);
        const own = move === "escalate" ? 1 : 0;
        assert.equal(at(own), PRIORS.success[move][cause]);
        assert.equal(at(-1), PRIORS.success[move][cause]);
        const lift = move === "ask" ? 0 : PRIORS.tierLift[cause];
        const lifted = odds(at(own + 2)) / odds(at(own));
        assert.ok(Math.abs(Math.log(lifted) - 2 * lift) < 0.01, `${move} ${cause}`);
      }
  });

  test("what keeps the context wears with each failure in it; every move wears with its own", () => {
    const { decay, again } = PRIORS;
    for (const move of MOVES) {
      const fit = PRIORS.fit.checks?.[move] ?? 1;
      const keeps = ["retry", "feedback", "continue"].includes(move);
      assert.equal(wearOf(move, ground, PRIORS), fit);
      const worn = wearOf(move, { ...ground, inContext: 2, failed: 3 }, PRIORS);
      assert.ok(Math.abs(worn - (keeps ? decay ** 2 : 1) * again ** 3 * fit) < 1e-12, move);
      const onSpoiled = ["fresh", "explore", "ask"].includes(move) ? 1 : PRIORS.spoiled;
      assert.equal(successOf(move, ground, PRIORS).onSpoiled, onSpoiled, move);
    }
  });

  test("a worn move has that much less of a chance against every cause", () => {
    const chance = (failedOften: number) =>
      successOf("mutate", { ...ground, failed: failedOften }, PRIORS).chance;
    for (const cause of ROOT_CAUSES)
      assert.ok(Math.abs(chance(2)[cause] - chance(0)[cause] * PRIORS.again ** 2) < 1e-12);
  });
});

describe("what was tried", () => {
  const made = (recovery: PastAttempt["recovery"], tierStep = 0): PastAttempt =>
    attempt(recovery === undefined ? { tierStep } : { recovery, tierStep });

  test("escalating without a stronger model is thinking; waiting and giving up are no moves", () => {
    assert.equal(moveOf(made("escalate", 1), made(undefined)), "escalate");
    assert.equal(moveOf(made("escalate", 1), made("feedback", 1)), "think");
    assert.equal(moveOf(made("escalate", 0), made("feedback", 1)), "think");
    assert.equal(moveOf(made("escalate", 1), undefined), "escalate");
    for (const none of ["wait", "skip", undefined] as const)
      assert.equal(moveOf(made(none), made(undefined)), undefined);
  });

  test("is counted by move, and in the context there is now", () => {
    const past = [made(undefined), made("feedback"), made("wait"), made("feedback"), made("retry")];
    assert.equal(failedBefore("feedback", past), 2);
    assert.equal(failedBefore("fresh", past), 0);
    assert.equal(inContextNow(past), 3);
    assert.equal(inContextNow([...past, made("fresh")]), 1);
    assert.equal(inContextNow([...past, made("fresh"), made("continue")]), 2);
    assert.equal(inContextNow([made(undefined)]), 0);
    assert.deepEqual(groundOf("feedback", 1, past), {
      ...{ class: "checks", step: 1, inContext: 3, failed: 2 },
    });
    assert.equal(groundOf("feedback", 0, []).class, "unknown");
  });

  test("a recovery is made on the tier of the last attempt, an escalation on its own", () => {
    const up = { kind: "escalate", entry: { agent: "a", tier: 3 } } as unknown as Parameters<
      typeof stepOf
    >[0];
    assert.equal(stepOf({ kind: "feedback" }, [attempt({ tierStep: 2, tier: 3 })]), 2);
    assert.equal(stepOf({ kind: "feedback" }, []), 0);
    assert.equal(stepOf(up, [attempt({ tierStep: 0, tier: 1 })]), 2);
    assert.equal(stepOf(up, [attempt({ tierStep: 1, tier: 2 })]), 2);
    const { tier: _, ...untold } = attempt({ tierStep: 1 });
    assert.equal(stepOf(up, [untold]), 2);
  });

  test("it brought news if it got on, left other failures, or failed in another way", () => {
    const still = attempt({ progress: false, items: "same" });
    assert.equal(broughtNews(still, attempt()), false);
    assert.equal(broughtNews({ ...still, progress: true }, attempt()), true);
    assert.equal(broughtNews({ ...still, items: "fewer" }, attempt()), true);
    assert.equal(broughtNews({ ...still, failure: "hung" }, attempt()), true);
    assert.equal(broughtNews(still, undefined), true);
    const { items: _, ...unread } = still;
    assert.equal(broughtNews(unread, attempt()), false);
  });
});

test("what an attempt shows: the class of its failure, and each sign that is there", () => {
  const bare = attempt({ progress: false });
  assert.deepEqual(signsOf(bare), ["no-progress"]);
  assert.deepEqual(
    signsOf({
      ...bare,
      ...{ items: "fewer", progress: true, circular: true, stuck: "x", refused: true },
      closing: "asks",
    }),
    ["fewer-items", "progress", "circular", "stuck", "refused", "says-asks"],
  );
  const itemsOf = (failure: PastAttempt["failure"]) =>
    signsOf({ ...bare, failure, items: "same" }).includes("same-items");
  const kinds = ["verification_failed", "agent_crash", "broken_build", "no_progress"] as const;
  assert.deepEqual([...kinds, "looping" as const].map(itemsOf), [true, true, false, false, false]);
  const rows = [
    ["verification_failed", "checks"],
    ["circular_fix", "loop"],
    ["hung", "crash"],
    ["billing", "fatal"],
    ["server_overloaded", "service"],
    ["command_not_found", "missing"],
    ["unknown", "unknown"],
  ] as const;
  for (const [kind, known] of rows) assert.equal(classOf(kind), known, kind);
});

describe("what a move costs", () => {
  test("by its tier, within those there are a price of", () => {
    const prices = [1, 3, 9];
    assert.deepEqual(
      [-1, 0, 1, 2, 5].map((step) => priceOf(prices, step)),
      [1, 1, 3, 9, 9],
    );
    assert.equal(priceOf([], 0), 1);
  });

  test("its time and its money: a stronger model costs more but takes no longer", () => {
    const tables = { ...PRIORS, timeShare: 0.25, tierPrices: [1, 5] };
    const past = [attempt()];
    const [usual, personPrice] = [{ tables, belief: believed(past, tables) }, 7];
    const { options } = optionsFor(situationOf(past), past, { usual, personPrice });
    const costs = new Map(options.map(({ move, cost }) => [move, cost]));
    const { feedback, escalate, explore } = tables.cost;
    assert.equal(costs.get("feedback"), feedback);
    assert.equal(costs.get("escalate"), 0.75 * 5 * escalate + 0.25 * escalate);
    assert.equal(costs.get("explore"), 3 * explore);
    assert.equal(costs.get("ask"), 7);
  });

  test("what is left is told in attempts; a move that costs all of it fits in half of the cases", () => {
    const tables = { ...PRIORS, tierPrices: [1, 3] };
    const past = [attempt(), attempt({ tierStep: 1 })];
    assert.equal(leftNow({ left: { starts: 3, perSpent: 0.5 } }, past, tables), 2);
    assert.equal(leftNow({}, past, tables), undefined);
    assert.deepEqual([roomFor(2, undefined), roomFor(2, 2)], [1, 0.5]);
    assert.ok(Math.abs(roomFor(1, 2) - 8 / 9) < 1e-9 && roomFor(1, 0) < 1e-6);
  });
});
