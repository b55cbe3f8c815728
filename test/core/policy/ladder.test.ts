// proves: A3, E11
// How a ladder chooses: the first rung that applies and can be carried out, with why each one
// before it was passed over; and which policy a plan or a flag names.
import assert from "node:assert/strict";
import { ADAPTIVE } from "../../../src/core/adaptive/policy-data.ts";
import { describe, test } from "node:test";
import type { Failure } from "../../../src/core/failure.ts";
import { policyNamed, policyFrom, readPolicy } from "../../../src/core/policy/read.ts";
import { ladder } from "../../../src/core/policy/ladder.ts";
import { readLoopSettings } from "../../../src/core/policy/loop-settings.ts";
import type { Choice } from "../../../src/core/policy/policy.ts";
import type { Possibility, Rung, Situation } from "../../../src/core/policy/situation.ts";
import { PRESETS } from "../../../src/core/policy/presets.ts";
import type { Recovery, RecoveryName } from "../../../src/core/recovery.ts";

const failure: Failure = {
  kind: "verification_failed",
  category: "systematic",
  origin: "check",
  confidence: 1,
  because: [],
  signature: "s",
};

const granted = (name: RecoveryName): Possibility => ({
  ok: true,
  recovery: { kind: name } as Recovery,
});

const situation = (changes: Partial<Situation> = {}): Situation => ({
  failure,
  attempts: 1,
  stuck: false,
  goodCommit: false,
  uses: {},
  possible: granted,
  ...changes,
});

const choose = (rungs: readonly Rung[], changes?: Partial<Situation>): Choice =>
  ladder({ ...PRESETS.standard, rungs: [...rungs] }).choose(situation(changes));

const verdicts = ({ considered }: Choice): readonly (readonly string[])[] =>
  considered.map(({ rung, recovery, verdict }) => [rung, recovery, verdict]);

test("the first rung that applies is chosen, and no other is looked at", () => {
  const choice = choose([
    { id: "one", do: "feedback", times: 2 },
    { id: "two", do: "ask" },
  ]);
  assert.equal(choice.chosenBy.id, "one");
  assert.deepEqual(choice.recoveries, [{ kind: "feedback" }]);
  assert.equal(
    choice.because,
    "verification failed: one (1 of 2) is the first step of the policy that applies",
  );
  assert.deepEqual(verdicts(choice), [["one", "feedback", "chosen"]]);
  assert.deepEqual(Object.keys(choice).sort(), ["because", "chosenBy", "considered", "recoveries"]);
});

test("the count of uses is said where there is a limit, and only there", () => {
  const used = choose([{ id: "one", do: "retry", times: 3 }], { uses: { one: 2 } });
  assert.match(used.because, /one \(3 of 3\)/);
  const free = choose([{ id: "one", do: "retry" }], { uses: { one: 2 } });
  assert.equal(
    free.because,
    "verification failed: one is the first step of the policy that applies",
  );
});

/** Each: a condition, a situation that does not meet it, and the words for that. */
const UNMET: readonly (readonly [string, Rung, Partial<Situation>, string])[] = [
  [
    "kinds",
    { id: "r", do: "retry", when: { kinds: ["unknown"] } },
    {},
    "not for verification_failed",
  ],
  [
    "kinds left out",
    { id: "r", do: "retry", when: { notKinds: ["verification_failed"] } },
    {},
    "not for verification_failed",
  ],
  [
    "categories",
    { id: "r", do: "retry", when: { categories: ["transient"] } },
    {},
    "not for systematic failures",
  ],
  [
    "a good commit",
    { id: "r", do: "fresh", when: { goodCommit: true } },
    {},
    "no good commit is known",
  ],
  [
    "no good commit",
    { id: "r", do: "ask", when: { goodCommit: false } },
    { goodCommit: true },
    "a good commit is known",
  ],
  ["stuck", { id: "r", do: "mutate", when: { stuck: true } }, {}, "not stuck yet"],
  [
    "not stuck",
    { id: "r", do: "repair", when: { stuck: false } },
    { stuck: true },
    "stuck: no progress",
  ],
  [
    "attempts",
    { id: "r", do: "retry", when: { attemptsBelow: 3 } },
    { attempts: 3 },
    "3 attempts made, fewer than 3 needed",
  ],
  ["times", { id: "r", do: "retry", times: 2 }, { uses: { r: 2 } }, "used 2 of 2 times"],
];

describe("a rung that does not apply is passed over with why", () => {
  for (const [name, rung, changes, why] of UNMET)
    test(name, () => {
      const choice = choose([rung, { id: "next", do: "skip" }], changes);
      assert.equal(choice.chosenBy.id, "next");
      assert.deepEqual(verdicts(choice)[0], ["r", rung.do, why]);
    });
  test("one attempt fewer, one use fewer, the other state: it applies", () => {
    const near: readonly Partial<Situation>[] = [
      { failure: { ...failure, kind: "unknown" } },
      { failure: { ...failure, kind: "unknown" } },
      { failure: { ...failure, category: "transient" } },
      { goodCommit: true },
      {},
      { stuck: true },
      {},
      { attempts: 2 },
      { uses: { r: 1 } },
    ];
    for (const [index, [name, rung]] of UNMET.entries())
      assert.equal(choose([rung], near[index]).chosenBy.id, "r", name);
  });
});

test("a rung whose recovery is refused is passed over; of two recoveries both must be granted", () => {
  const possible = (name: RecoveryName): Possibility =>
    name === "skip" || name === "explore" ? { ok: false, why: `no ${name}` } : granted(name);
  const choice = choose(
    [
      { id: "e", do: "explore" },
      { id: "both", do: ["ask", "skip"] },
      { id: "f", do: "feedback" },
    ],
    { possible },
  );
  assert.deepEqual(verdicts(choice), [
    ["e", "explore", "no explore"],
    ["both", "ask + skip", "no skip"],
    ["f", "feedback", "chosen"],
  ]);
});

test("asking a person is the last rung of every ladder, with an alert", () => {
  const choice = choose([{ id: "r", do: "retry", times: 1 }], { uses: { r: 1 } });
  assert.deepEqual(
    [choice.chosenBy.id, choice.recoveries, choice.alert],
    ["ask", [{ kind: "ask" }], true],
  );
  assert.throws(
    () => choose([], { possible: () => ({ ok: false, why: "never" }) }),
    /broken invariant: ask was refused/,
  );
});

test("what a rung says of itself is passed on", () => {
  const choice = choose([{ id: "r", do: "retry", loop: true, logFallThrough: true, alert: true }]);
  assert.deepEqual([choice.loop, choice.fallThrough, choice.alert], [true, true, true]);
});

test("the presets differ where their sources do", () => {
  const facts = Object.values(PRESETS).map(({ name, structure }) => [name, structure]);
  assert.deepEqual(
    facts.filter(([, structure]) => structure).map(([name]) => name),
    ["standard"],
  );
  assert.equal(PRESETS.standard.rungs.at(-1)?.alert, true);
  const repair = PRESETS.standard.rungs.filter((rung) => rung.do === "repair");
  assert.deepEqual(repair, [{ id: "repair", do: "repair", when: { stuck: false } }]);
});

describe("the policy a plan or a flag names", () => {
  test("none is the adaptive one", () => {
    assert.deepEqual(policyNamed(undefined), { ok: true, value: ADAPTIVE });
  });
  test("a preset by name", () => {
    assert.deepEqual(policyNamed("hierarchical"), { ok: true, value: PRESETS.hierarchical });
  });
  test("a name that is nearly one, and one that is none", () => {
    const near = policyNamed("hierarchicl");
    assert.deepEqual(near, {
      ok: false,
      problem: 'there is no policy "hierarchicl": did you mean hierarchical?',
      path: [],
    });
    const none = policyNamed("zzz");
    assert.match(none.ok ? "" : none.problem, /^there is no policy "zzz": there are standard, /);
    assert.equal(policyNamed("constructor").ok, false);
  });
  test("a policy in the plan itself", () => {
    const found = policyNamed({ extends: "standard", name: "mine" });
    assert.ok(found.ok);
    assert.deepEqual(found.value, { ...PRESETS.standard, name: "mine" });
    assert.deepEqual(policyFrom(PRESETS.hierarchical), { ok: true, value: PRESETS.hierarchical });
  });
  test("a mistake in it is named by its path", () => {
    const found = policyNamed({ extends: "standard", progress: { threshold: 7 } });
    assert.ok(!found.ok);
    assert.deepEqual(found.path, ["progress", "threshold"]);
    assert.equal(found.problem, "must be at most 1, got 7");
  });
});

test("of two recoveries on one rung only skip and ask go together", () => {
  const of = (does: string): boolean =>
    readPolicy(`extends: standard\nrungs:\n  - id: a\n    do: ${does}\n`).ok;
  assert.deepEqual(["[skip, ask]", "[ask, skip]", "[skip, retry]", "[retry, ask]", "ask"].map(of), [
    true,
    true,
    false,
    false,
    true,
  ]);
});

test("loop settings in a text that is no YAML are refused with the line", () => {
  const reading = readLoopSettings("loop:\n  stuck_after: [3\n");
  assert.ok(!reading.ok);
  assert.ok((reading.problems[0]?.line ?? 0) >= 2);
});
