// proves: U11, U13
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { blame, fewerTests, type Blame } from "../../../src/core/checks/judgement.ts";
import type { CheckOutcome } from "../../../src/core/checks/outcome.ts";

const passed: CheckOutcome = { kind: "passed" };
const failed = (...items: string[]): CheckOutcome => ({ kind: "failed", items, complete: true });
const partly = (...items: string[]): CheckOutcome => ({ kind: "failed", items, complete: false });
const slow: CheckOutcome = { kind: "timed-out", limitMs: 1000 };
const cannot: CheckOutcome = { kind: "could-not-run", why: "missing-tool", detail: "" };

test("what already failed on the base is not blamed", () => {
  const cases: [
    base: CheckOutcome | undefined,
    now: CheckOutcome,
    verdict: Blame["verdict"],
    blamed: string[],
  ][] = [
    [undefined, failed("a"), "blamed", ["a"]],
    [passed, failed("a"), "blamed", ["a"]],
    [passed, failed(), "blamed", []],
    [failed("a"), failed("a"), "known-failures", []],
    [failed("a", "b"), failed("b"), "known-failures", []],
    [failed("a"), failed("a", "b"), "blamed", ["b"]],
    [failed("a"), failed(), "blamed", []],
    [failed(), failed("a"), "unclear", ["a"]],
    [failed(), failed(), "unclear", []],
    [partly("a"), failed("a", "b"), "unclear", ["b"]],
    [failed("a"), partly("a"), "unclear", []],
    [failed("a"), partly("b"), "blamed", ["b"]],
    [failed("a"), passed, "passed", []],
    [failed("a"), slow, "blamed", []],
    [slow, slow, "unclear", []],
    [slow, failed("a"), "unclear", ["a"]],
    [cannot, failed("a"), "blamed", ["a"]],
    [passed, cannot, "no-verdict", []],
    [undefined, cannot, "no-verdict", []],
  ];
  for (const [base, now, verdict, blamed] of cases) {
    const result = blame(base, now);
    assert.deepEqual(
      [result.verdict, result.blamed],
      [verdict, blamed],
      JSON.stringify({ base, now }),
    );
  }
});

test("a check that passed on the base proves nothing new; one that failed there does", () => {
  assert.equal(blame(passed, passed).provesNothingNew, true);
  assert.equal(blame(passed, failed("a")).provesNothingNew, false);
  const fixed = blame(failed("a", "b"), passed);
  assert.deepEqual([fixed.provesNothingNew, fixed.newlyPassing], [false, ["a", "b"]]);
  assert.equal(blame(cannot, passed).provesNothingNew, false);
  assert.deepEqual(blame(failed("a", "b"), failed("b", "c")).newlyPassing, ["a"]);
  assert.deepEqual(blame(failed("a", "b"), partly("b")).newlyPassing, []);
  assert.deepEqual(blame(failed("a", "b"), failed()).newlyPassing, []);
  assert.deepEqual(blame(failed("a", "b"), cannot).newlyPassing, []);
});

const ran = (tests?: number): CheckOutcome => ({
  kind: "passed",
  ...(tests === undefined ? {} : { tests }),
});
const broke = (tests?: number): CheckOutcome => ({
  ...{ kind: "failed", items: ["a"], complete: true },
  ...(tests === undefined ? {} : { tests }),
});

const FEWER: readonly [
  name: string,
  base: CheckOutcome | undefined,
  now: CheckOutcome,
  fewer: readonly [number, number] | undefined,
][] = [
  ["one was left out", ran(5), ran(4), [5, 4]],
  ["the failing one was left out", broke(5), ran(4), [5, 4]],
  ["as many as before", broke(5), ran(5), undefined],
  ["new ones", ran(5), ran(6), undefined],
  ["the base could not load all of them", broke(1), ran(5), undefined],
  ["the base could not load any", broke(0), ran(0), undefined],
  ["nothing is said any more", broke(5), ran(), [5, 0]],
  ["nothing was said before either", ran(), ran(), undefined],
  ["nothing was said before", broke(), ran(3), undefined],
  [
    "a part of what was said is missing",
    ran(5),
    { kind: "passed", tests: 2, cut: true },
    undefined,
  ],
  ["all of it is missing", ran(5), { kind: "passed", cut: true }, undefined],
  ["what fails is no pass", ran(5), broke(4), undefined],
  ["the base was never run", undefined, ran(1), undefined],
  ["the base could not run", cannot, ran(1), undefined],
  ["the base took too long", slow, ran(0), undefined],
  ["nothing to compare", ran(5), cannot, undefined],
];
for (const [name, base, now, fewer] of FEWER)
  test(`fewer tests than on the base: ${name}`, () => {
    const [before, left] = fewer ?? [];
    assert.deepEqual(fewerTests(base, now), fewer && { before, now: left });
  });

test("fewer tests: only of a pass, only below the base, and never for the base itself", () => {
  const tests = fc.option(fc.nat({ max: 9 }), { nil: undefined });
  const outcome = fc.oneof(
    tests.map(ran),
    tests.map(broke),
    fc.constantFrom(slow, cannot, { kind: "passed", cut: true } as const),
  );
  fc.assert(
    fc.property(fc.option(outcome, { nil: undefined }), outcome, (base, now) => {
      const found = fewerTests(base, now);
      assert.equal(fewerTests(now, now), undefined);
      if (found === undefined) return;
      assert.equal(now.kind, "passed");
      assert.ok(found.now < found.before);
      assert.equal(fewerTests(base, ran(found.before)), undefined, "as many are enough");
    }),
  );
});

test("whatever happens: a pass is never blamed, nor what failed on the base", () => {
  const list = fc.uniqueArray(fc.constantFrom("a", "b", "c"));
  const outcome: fc.Arbitrary<CheckOutcome> = fc.oneof(
    fc.constantFrom(passed, slow, cannot),
    fc.record({ kind: fc.constant("failed" as const), items: list, complete: fc.boolean() }),
  );
  fc.assert(
    fc.property(fc.option(outcome, { nil: undefined }), outcome, (base, now) => {
      const { verdict, blamed, alreadyFailing } = blame(base, now);
      assert.equal(verdict === "passed", now.kind === "passed");
      assert.equal(verdict === "no-verdict", now.kind === "could-not-run");
      const onBase = base?.kind === "failed" ? base.items : [];
      for (const item of blamed) assert.ok(!onBase.includes(item));
      const failing = now.kind === "failed" ? now.items : [];
      assert.deepEqual([...blamed, ...alreadyFailing].sort(), [...failing].sort());
      if (verdict === "known-failures") assert.deepEqual([base?.kind, blamed], ["failed", []]);
    }),
    { numRuns: 1000 },
  );
});
