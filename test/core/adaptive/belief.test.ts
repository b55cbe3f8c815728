// proves: U8
// A belief is a belief whatever is seen: its shares sum to 1, none is ruled out or certain, evidence moves it the way it
// speaks, and a failed move speaks against the causes it would have cured.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  afterFailedMove,
  afterSymptom,
  cleaned,
  perRootCause,
  polluted,
  shownBelief,
  startBelief,
  type JointBelief,
} from "../../../src/core/adaptive/belief.ts";
import {
  CAUSE_WORDS,
  CAUSES,
  ROOT_CAUSES,
  type RootCause,
} from "../../../src/core/adaptive/causes.ts";
import { PRIORS } from "../../../src/core/adaptive/priors.ts";
import {
  FAILURE_CLASSES,
  MOVES,
  SIGNS,
  type PerCause,
  type PerRootCause,
  type Success,
  type Symptom,
} from "../../../src/core/adaptive/tables.ts";

const sum = (shares: PerCause): number => CAUSES.reduce((all, cause) => all + shares[cause], 0);

const shares = fc
  .array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 7, maxLength: 7 })
  .map(([pollution = 1, ...numbers]): PerCause => {
    const all = pollution + numbers.reduce((total, one) => total + one, 0);
    const roots = perRootCause((cause) => (numbers[ROOT_CAUSES.indexOf(cause)] ?? 1) / all);
    return { ...roots, pollution: pollution / all };
  });
const beliefs: fc.Arbitrary<JointBelief> = shares.map((prior) => startBelief({ ...PRIORS, prior }));
const successes: fc.Arbitrary<Success> = fc
  .array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 7, maxLength: 7 })
  .map(([onSpoiled = 1, ...numbers]) => ({
    chance: perRootCause((cause) => numbers[ROOT_CAUSES.indexOf(cause)] ?? 0),
    onSpoiled,
  }));
const symptoms = fc.constantFrom<Symptom>(...FAILURE_CLASSES, ...SIGNS);

const isBelief = (belief: JointBelief): void => {
  const shown = shownBelief(belief);
  assert.ok(Math.abs(sum(shown) - 1) < 1e-9, `sums to ${sum(shown)}`);
  for (const cause of CAUSES) assert.ok(shown[cause] > 0 && shown[cause] < 1, cause);
  for (const cause of ROOT_CAUSES) assert.ok(belief.spoiled[cause] > 0, `spoiled ${cause}`);
};

/** Whatever the tree is like. */
const ofCause = ({ clean, spoiled }: JointBelief, cause: RootCause): number =>
  clean[cause] + spoiled[cause];

const extremes = (of: PerRootCause): { readonly most: RootCause; readonly least: RootCause } => {
  const order = ROOT_CAUSES.toSorted((a, b) => of[a] - of[b]);
  return { most: order.at(-1) ?? "mistake", least: order[0] ?? "mistake" };
};

/** The floor under every share moves others by less than this. */
const ABOUT = 1e-3;

describe("a belief", () => {
  test("sums to 1 and stays open, whatever is seen", () => {
    const step = fc.oneof(
      symptoms.map((symptom) => (b: JointBelief) => afterSymptom(b, symptom, PRIORS)),
      successes.map((success) => (b: JointBelief) => afterFailedMove(b, success)),
      fc.constant((b: JointBelief) => polluted(b, PRIORS)),
      fc.constant(cleaned),
    );
    fc.assert(
      fc.property(beliefs, fc.array(step, { maxLength: 40 }), (start, steps) => {
        isBelief(start);
        isBelief(steps.reduce((belief, next) => next(belief), start));
      }),
    );
  });

  test("a symptom raises the cause that shows it most and lowers the one that shows it least", () => {
    fc.assert(
      fc.property(beliefs, symptoms, (belief, symptom) => {
        const after = afterSymptom(belief, symptom, PRIORS);
        const { most, least } = extremes(PRIORS.symptoms[symptom]);
        assert.ok(
          after.clean[most] * belief.clean[least] >=
            after.clean[least] * belief.clean[most] - ABOUT,
        );
      }),
    );
  });

  test("a failed move lowers the cause it cures best and raises the one it cures least", () => {
    fc.assert(
      fc.property(beliefs, successes, (belief, success) => {
        const after = afterFailedMove(belief, success);
        const { most, least } = extremes(success.chance);
        assert.ok(after.clean[most] <= belief.clean[most] + ABOUT);
        assert.ok(ofCause(after, least) >= ofCause(belief, least) - ABOUT);
      }),
    );
  });

  test("half a symptom moves it less than a whole one, the same way", () => {
    fc.assert(
      fc.property(beliefs, symptoms, (belief, symptom) => {
        const { most } = extremes(PRIORS.symptoms[symptom]);
        const moved = (weight: number): number => {
          const { clean } = afterSymptom(belief, symptom, PRIORS, weight);
          const { least } = extremes(PRIORS.symptoms[symptom]);
          return clean[most] / clean[least];
        };
        assert.ok(moved(0) <= moved(0.5) * 1.01 && moved(0.5) <= moved(1) * 1.01);
      }),
    );
  });

  test("pollution only grows with a tree that is kept", () => {
    fc.assert(
      fc.property(beliefs, (belief) => {
        const after = polluted(belief, PRIORS);
        assert.ok(shownBelief(after).pollution > shownBelief(belief).pollution - ABOUT);
      }),
    );
  });

  test("neither a spoiled tree nor a clean start changes what is believed of the task itself", () => {
    fc.assert(
      fc.property(beliefs, (belief) => {
        for (const after of [polluted(belief, PRIORS), cleaned(belief)])
          for (const cause of ROOT_CAUSES)
            assert.ok(Math.abs(ofCause(after, cause) - ofCause(belief, cause)) < 2 * ABOUT);
        assert.ok(shownBelief(cleaned(belief)).pollution < ABOUT);
      }),
    );
  });
});

describe("the numbers that ship", () => {
  test("are chances, and no cause or move is ruled out by them", () => {
    for (const row of [...Object.values(PRIORS.symptoms), PRIORS.prior])
      for (const cause of CAUSES) assert.ok(row[cause] > 0 && row[cause] < 1);
    for (const row of Object.values(PRIORS.success))
      for (const cause of ROOT_CAUSES) assert.ok(row[cause] > 0 && row[cause] < 1);
    assert.ok(Math.abs(sum(PRIORS.prior) - 1) < 1e-9);
    assert.ok(PRIORS.version >= 1);
  });

  test("for each cause the classes of failure sum to 1, and what checks left failing too", () => {
    const items = ["same-items", "fewer-items", "more-items", "other-items"] as const;
    for (const cause of CAUSES) {
      const of = (names: readonly Symptom[]): number =>
        names.reduce((all, name) => all + PRIORS.symptoms[name][cause], 0);
      assert.ok(Math.abs(of(FAILURE_CLASSES) - 1) < 1e-9, `${cause}: ${of(FAILURE_CLASSES)}`);
      assert.ok(Math.abs(of(items) - 1) < 1e-9, `${cause}: ${of(items)}`);
      assert.ok(Math.abs(of(["progress", "no-progress"]) - 1) < 1e-9);
    }
  });

  test("each cause is cured best for its cost by the move that is meant for it", () => {
    const meant = { mistake: "feedback", misread: "mutate", environment: "repair" } as const;
    for (const [cause, move] of Object.entries(meant)) {
      const worth = (one: (typeof MOVES)[number]): number =>
        PRIORS.success[one][cause as RootCause] / PRIORS.cost[one];
      const others = MOVES.filter((one) => one !== move && one !== "escalate" && one !== "ask");
      for (const other of others) assert.ok(worth(move) > worth(other), `${cause}: ${other}`);
    }
  });

  test("every cause has words of its own", () => {
    const words = CAUSES.flatMap((cause) => {
      const { name, likely, maybe } = CAUSE_WORDS[cause];
      return [name, likely, maybe];
    });
    assert.ok(words.every((word) => /^[a-z][a-z ]+$/.test(word)));
    assert.equal(new Set(CAUSES.map((cause) => CAUSE_WORDS[cause].name)).size, CAUSES.length);
  });
});
