// proves: C7, E11, U8
// What the adaptive policy chooses: what a sane engineer would, for each kind of failure and what was tried before it;
// what holds for every situation; and what is recorded with a choice.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { adaptive } from "../../../src/core/adaptive/adaptive.ts";
import { PRIORS } from "../../../src/core/adaptive/priors.ts";
import { CAUSES } from "../../../src/core/adaptive/causes.ts";
import { cellKey, type LearnedCounts } from "../../../src/core/learning/counts.ts";
import { broughtNews } from "../../../src/core/adaptive/symptoms.ts";
import type { Origin } from "../../../src/core/evidence.ts";
import { FAILURE_KINDS, type FailureKind } from "../../../src/core/kinds.ts";
import { RECOVERY_NAMES, type RecoveryName } from "../../../src/core/recovery.ts";
import type { BudgetLeft, PastAttempt } from "../../../src/core/policy/situation.ts";
import { attempt, possibleWith, situationOf, type Means } from "./situations.ts";

const policy = adaptive();
const moveFor = (past: readonly PastAttempt[], means?: Means): string =>
  policy.choose(situationOf(past, means)).chosenBy.id;

const after = (recovery: RecoveryName, more: Partial<PastAttempt> = {}): PastAttempt =>
  attempt({ recovery, progress: false, ...more });
const failed = (failure: FailureKind, more: Partial<PastAttempt> = {}): PastAttempt =>
  attempt({ failure, ...more });
const same = { items: "same" } as const;

interface Row {
  readonly when: string;
  readonly past: readonly PastAttempt[];
  readonly means?: Means;
  readonly then: readonly string[];
}

const ROWS: readonly Row[] = [
  { when: "checks fail for the first time", past: [attempt()], then: ["feedback"] },
  {
    when: "feedback changed nothing at all",
    past: [attempt(), after("feedback", same)],
    then: ["mutate", "fresh", "escalate"],
  },
  {
    when: "feedback left fewer failures, so it is on its way",
    past: [attempt(), after("feedback", { items: "fewer", progress: true })],
    then: ["fresh", "feedback"],
  },
  {
    when: "feedback made more fail: the tree is worse than before",
    past: [attempt(), after("feedback", { items: "more" })],
    then: ["fresh"],
  },
  {
    when: "it goes in circles",
    past: [attempt(), after("feedback", { items: "other", circular: true, stuck: "x" })],
    then: ["fresh", "escalate"],
  },
  {
    when: "neither feedback, other words nor a clean start helped",
    past: [attempt(), after("feedback", same), after("mutate", same), after("fresh", same)],
    then: ["escalate"],
  },
  {
    when: "nothing was changed at all",
    past: [failed("no_progress", { progress: false })],
    then: ["mutate"],
  },
  {
    when: "it repeated itself until it was stopped",
    past: [failed("looping", { progress: false, stuck: "same call" })],
    then: ["fresh", "mutate"],
  },
  {
    when: "a program is missing and a repair is known",
    past: [failed("command_not_found")],
    means: { repair: true },
    then: ["repair"],
  },
  {
    when: "a program is missing, and neither repair nor word of it helped",
    past: [
      failed("command_not_found"),
      after("repair", { failure: "command_not_found" }),
      after("feedback", { failure: "command_not_found" }),
    ],
    then: ["ask"],
  },
  { when: "dependencies do not fit", past: [failed("dependency_error")], then: ["feedback"] },
  {
    when: "nobody knows the error: nothing is thrown away",
    past: [failed("unknown")],
    then: ["retry", "feedback"],
  },
  { when: "the agent crashed", past: [failed("agent_crash")], then: ["retry"] },
  {
    when: "the agent crashed again, and there is another",
    past: [failed("agent_crash"), after("retry", { failure: "agent_crash" })],
    means: { sidegrade: true },
    then: ["sidegrade"],
  },
  { when: "the model refused the words", past: [failed("content_refused")], then: ["mutate"] },
  {
    when: "the model refused other words as well",
    past: [failed("content_refused"), after("mutate", { failure: "content_refused" })],
    means: { sidegrade: true },
    then: ["sidegrade"],
  },
  {
    when: "two subtasks changed the same lines",
    past: [failed("merge_conflict")],
    then: ["feedback"],
  },
  {
    when: "one model only, and other words did not help either",
    past: [attempt(), after("feedback", same), after("mutate", same)],
    means: { tiers: 1, refused: ["explore"] },
    then: ["fresh", "mutate"],
  },
  {
    when: "no place to go back to",
    past: [attempt(), after("feedback", { items: "more" })],
    means: { refused: ["fresh", "explore"] },
    then: ["mutate", "escalate"],
  },
  {
    when: "four different moves left it exactly as it was",
    past: [
      failed("no_progress", { progress: false }),
      after("mutate", { ...same, failure: "no_progress" }),
      after("fresh", { ...same, failure: "no_progress" }),
      after("escalate", { ...same, failure: "no_progress", tierStep: 1, tier: 2 }),
    ],
    then: ["ask"],
  },
  {
    when: "what it needs was refused, and nothing moves",
    past: [
      failed("permission_denied", { refused: true, progress: false }),
      after("feedback", { failure: "permission_denied", refused: true }),
    ],
    then: ["ask"],
  },
];

describe("what a sane engineer would do when", () => {
  for (const { when, past, means, then } of ROWS)
    test(when, () => {
      const move = moveFor(past, means);
      assert.ok(then.includes(move), `${move}, not ${then.join(" or ")}`);
    });
});

const pasts: fc.Arbitrary<readonly PastAttempt[]> = fc.array(
  fc.record(
    {
      recovery: fc.constantFrom(...RECOVERY_NAMES),
      tierStep: fc.integer({ min: 0, max: 2 }),
      failure: fc.constantFrom(...FAILURE_KINDS),
      items: fc.constantFrom("same", "fewer", "more", "other"),
      progress: fc.boolean(),
      circular: fc.boolean(),
      stuck: fc.constant("x"),
      refused: fc.boolean(),
    },
    { requiredKeys: ["tierStep", "failure", "progress", "circular", "refused"] },
  ),
  { minLength: 1, maxLength: 12 },
);

const meansOf: fc.Arbitrary<Means> = fc.record({
  tiers: fc.integer({ min: 1, max: 3 }),
  refused: fc.subarray(RECOVERY_NAMES.filter((name) => name !== "ask" && name !== "skip")),
  repair: fc.boolean(),
  sidegrade: fc.boolean(),
});

describe("whatever the situation", () => {
  test("only what is possible is chosen, deterministically, with a belief that sums to 1", () => {
    fc.assert(
      fc.property(pasts, meansOf, (past, means) => {
        const situation = situationOf(past, means);
        const choice = policy.choose(situation);
        const [first] = choice.recoveries;
        assert.ok(first !== undefined && !(means.refused ?? []).includes(first.kind));
        assert.deepEqual(adaptive().choose(situationOf(past, means)), choice);
        const sum = CAUSES.reduce((all, cause) => all + (choice.belief?.[cause] ?? 0), 0);
        assert.ok(Math.abs(sum - 1) < 0.005);
        assert.doesNotMatch(choice.because, /NaN|undefined|[a-z]_[a-z]/);
        for (const { success = 0.5, cost = 1 } of choice.considered)
          assert.ok(success > 0 && success < 1 && cost > 0);
      }),
    );
  });

  test("a move that just failed and changed nothing is not made again", () => {
    const repeatable = fc.constantFrom<RecoveryName>("retry", "feedback", "fresh", "explore");
    fc.assert(
      fc.property(pasts, repeatable, meansOf, (past, recovery, means) => {
        const { failure = "unknown", tierStep = 0 } = past.at(-1) ?? {};
        const last = after(recovery, { failure, tierStep, ...same });
        assert.equal(broughtNews(last, past.at(-1)), false);
        assert.notEqual(moveFor([...past, last], means), recovery);
      }),
    );
  });

  test("what was counted elsewhere never makes a chance impossible or certain", () => {
    const count = fc.oneof(fc.nat(), fc.double(), fc.constant(1e308), fc.constant(-5));
    fc.assert(
      fc.property(pasts, count, count, (past, won, lost) => {
        const cells = Object.fromEntries(
          ["feedback", "fresh", "mutate"].map((move) => [
            `${past.at(-1)?.failure}|${move}|${past.at(-1)?.tierStep}|none`,
            { won, lost },
          ]),
        );
        const learned: LearnedCounts = { version: 1, cells };
        const choice = policy.choose({ ...situationOf(past), learned });
        for (const { success = 0.5 } of choice.considered) assert.ok(success > 0 && success < 1);
      }),
    );
  });
});

describe("a choice says", () => {
  test("what is believed, what was weighed with its chance and cost, and the runner-up", () => {
    const choice = policy.choose(situationOf([failed("command_not_found")], { repair: true }));
    assert.match(
      choice.because,
      /^something it needs is probably missing here \(\d\d %\); the best chance for its cost is to apply a known repair \(\d\d %\)$/,
    );
    const [best, second, ...rest] = choice.considered;
    assert.deepEqual([best?.rung, best?.verdict], ["repair", "chosen"]);
    assert.equal(second?.verdict, "second best");
    const worths = [best, second, ...rest].flatMap((one) =>
      one?.success === undefined ? [] : [one.success / (one.cost ?? 1)],
    );
    assert.deepEqual(
      worths.map((worth) => worth.toFixed(2)),
      worths.toSorted((a, b) => b - a).map((worth) => worth.toFixed(2)),
    );
    const out = choice.considered.filter(({ success }) => success === undefined);
    assert.deepEqual(
      out.map(({ rung, verdict }) => [rung, verdict]),
      [
        ["sidegrade", "no other model"],
        ["think", "a stronger model comes first"],
      ],
    );
  });

  test("a person is asked for their price: sooner where their time is cheap, later where it is dear", () => {
    const past = [attempt(), after("feedback", same), after("mutate", same)];
    const asked = (personPrice: number): boolean =>
      adaptive({ personPrice }).choose(situationOf(past)).chosenBy.id === "ask";
    assert.deepEqual([asked(2), asked(12), asked(1000)], [true, false, false]);
  });

  test("when nothing else is left it gives up, asks and raises the alert", () => {
    const refused = RECOVERY_NAMES.filter((name) => name !== "ask" && name !== "skip");
    const choice = policy.choose(situationOf([attempt()], { refused }));
    assert.deepEqual(choice.recoveries, [{ kind: "skip" }, { kind: "ask" }]);
    assert.equal(choice.alert, true);
    assert.match(choice.because, /nothing else is left to try$/);
  });

  test("the top of the ladder is reached with thinking, and thinking alone comes once, at the top", () => {
    const past = (tierStep: number): readonly PastAttempt[] => [
      attempt(),
      after("feedback", same),
      after("escalate", { ...same, tierStep, tier: tierStep + 1 }),
    ];
    const choices = (means: Means, step: number) =>
      policy.choose(situationOf(past(step), means)).considered.map(({ rung }) => rung);
    assert.ok(choices({}, 1).includes("escalate"));
    const thought = policy.choose(situationOf([attempt(), after("escalate", same)], { tiers: 1 }));
    const think = thought.considered.find(({ rung }) => rung === "think");
    assert.equal(think?.verdict, "it has thought longer already");
  });

  test("what the rest of the budget can hardly pay loses its chance; where none is known nothing does", () => {
    const past = [attempt(), after("feedback", same), after("mutate", same), after("fresh", same)];
    const chanceWith = (left?: BudgetLeft): number | undefined => {
      const situation = { ...situationOf(past), ...(left === undefined ? {} : { left }) };
      const { considered } = policy.choose(situation);
      return considered.find(({ rung }) => rung === "escalate")?.success;
    };
    const [unknown, starts, plenty, enough, little] = [
      undefined,
      { starts: 3 },
      { starts: 3, perSpent: 5 },
      { starts: 3, perSpent: 0.5 },
      { starts: 3, perSpent: 0.1 },
    ].map(chanceWith);
    assert.equal(starts, unknown);
    assert.ok(plenty! > 0.99 * unknown!, "20 attempts are left for one that costs two");
    assert.ok(Math.abs(enough! - unknown! / 2) < 0.01, "two attempts are left");
    assert.ok(little! < unknown! / 10, "less than half an attempt is left");
  });

  test("without a past it knows what just failed", () => {
    const { past: _, ...situation } = situationOf([failed("no_progress")]);
    assert.equal(policy.choose({ ...situation, stuck: true }).chosenBy.id, "mutate");
  });
});

test("what worked here before is preferred, and what never did is not", () => {
  const past = [attempt()];
  const cell = (won: number, lost: number) => ({ won, lost });
  const key = (move: string): string =>
    cellKey({ symptom: "verification_failed", move, tierStep: 0, agent: "" });
  const cells = { [key("feedback")]: cell(1, 30), [key("mutate")]: cell(25, 5) };
  const learned: LearnedCounts = { version: 1, cells };
  assert.equal(policy.choose(situationOf(past)).chosenBy.id, "feedback");
  assert.equal(policy.choose({ ...situationOf(past), learned }).chosenBy.id, "mutate");
  assert.equal(adaptive({ learned }).choose(situationOf(past)).chosenBy.id, "mutate");
  assert.equal(possibleWith({})("ask", {}).ok, true);
});

test("a known repair, or one more try, leads on a first failure whatever it is worth, and only then", () => {
  const dear = { ...PRIORS.cost, repair: 40, retry: 40, feedback: 40 };
  const chosen = (past: readonly PastAttempt[], origin: Origin = "tool"): string => {
    const situation = situationOf(past, { repair: true });
    const failure = { ...situation.failure, origin };
    const dearer = adaptive({ tables: { ...PRIORS, cost: dear } });
    return dearer.choose({ ...situation, failure }).chosenBy.id;
  };
  assert.equal(chosen([failed("command_not_found")]), "repair");
  assert.notEqual(chosen([failed("command_not_found")], "check"), "repair", "for the work to mend");
  assert.equal(chosen([failed("agent_crash")], "agent"), "retry");
  assert.notEqual(chosen([attempt()]), "feedback", "what leads for checks is left to the belief");
  const again = failed("command_not_found", { recovery: "feedback" });
  assert.notEqual(chosen([failed("command_not_found"), again]), "repair");
});

test("other words, another model or another repair may follow one that changed nothing", () => {
  const means = { repair: true, sidegrade: true };
  for (const recovery of ["mutate", "repair", "sidegrade", "escalate"] as const) {
    const past = [attempt(), after(recovery, same)];
    const { considered } = policy.choose(situationOf(past, means));
    assert.ok(considered.find(({ rung }) => rung === recovery)?.success !== undefined, recovery);
  }
  const [again] = policy
    .choose(situationOf([attempt(), after("feedback", same)], means))
    .considered.filter(({ rung }) => rung === "feedback");
  assert.equal(again?.verdict, "it was just tried, and nothing changed");
});
