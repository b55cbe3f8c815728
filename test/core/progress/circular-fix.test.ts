// proves: B10, J6
import assert from "node:assert/strict";
import { test } from "node:test";
import { approachKey, circularFix } from "../../../src/core/progress/circular-fix.ts";
import type { FixAttempt } from "../../../src/core/progress/circular-fix.ts";

/** Attempts that each go from one tree to the next: `walk("0", "A", "B")` is 0 to A, A to B. */
const walk = (...trees: readonly string[]): readonly FixAttempt[] =>
  trees.slice(1).map((endTree, index) => ({
    attempt: index + 1,
    failed: true,
    startTree: trees[index] ?? "",
    endTree,
  }));

const tried = (...approaches: readonly string[]): readonly FixAttempt[] =>
  approaches.map((approach, index) => ({
    attempt: index + 1,
    failed: true,
    startTree: `${index}`,
    endTree: `${index + 1}`,
    approach,
  }));

const failedWith = (...signatures: readonly string[]): readonly FixAttempt[] =>
  signatures.map((signature, index) => ({
    attempt: index + 1,
    failed: true,
    startTree: `${index}`,
    endTree: `${index + 1}`,
    signature,
  }));

const from = (attempt: FixAttempt | undefined, change: Partial<FixAttempt>): FixAttempt => {
  assert.ok(attempt !== undefined);
  return { ...attempt, ...change };
};

test("A-B-A: a failed tree is reached again after another", () => {
  assert.deepEqual(circularFix(walk("0", "A", "B", "A")), {
    circular: true,
    because: ["attempt 3 ends with the tree of failed attempt 1, after attempt 2 had left it"],
  });
  assert.deepEqual(circularFix(walk("0", "A", "B", "C", "B")).because, [
    "attempt 4 ends with the tree of failed attempt 2, after attempt 3 had left it",
  ]);
});

test("no circle: new trees, an empty history, a first attempt", () => {
  for (const history of [[], walk("0", "A"), walk("0", "A", "B"), walk("0", "A", "B", "C")])
    assert.deepEqual(circularFix(history), { circular: false, because: [] });
});

test("no circle: an attempt without change is no progress, not a circle", () => {
  assert.equal(circularFix(walk("0", "A", "A", "A")).circular, false);
  assert.equal(circularFix(walk("A", "A", "B", "A")).circular, false);
  const [first, second] = walk("0", "A", "B");
  const still = from(first, { attempt: 3, startTree: "A", endTree: "A" });
  assert.equal(circularFix([from(first, {}), from(second, {}), still]).circular, false);
});

test("no circle: a tree that a rollback restored was not reached by work", () => {
  const [first, second] = walk("0", "A", "B");
  const afterRollback = from(first, { attempt: 3, startTree: "A", endTree: "C" });
  assert.equal(circularFix([from(first, {}), from(second, {}), afterRollback]).circular, false);
  const sameAgain = from(first, { attempt: 2, startTree: "0", endTree: "A" });
  assert.equal(circularFix([from(first, {}), sameAgain]).circular, false);
});

test("no circle: the other tree must be the work of an attempt, and the first must have failed", () => {
  const [first, second, third] = walk("0", "A", "B", "A");
  const idle = from(second, { startTree: "B", endTree: "B" });
  assert.equal(circularFix([from(first, {}), idle, from(third, {})]).circular, false);
  assert.equal(
    circularFix([from(first, { failed: false }), from(second, {}), from(third, {})]).circular,
    false,
  );
  assert.equal(
    circularFix([from(first, {}), from(second, {}), from(third, { failed: false })]).circular,
    false,
  );
  assert.equal(
    circularFix([from(first, {}), from(second, { failed: false }), from(third, {})]).circular,
    true,
  );
});

test("the same failure signature three times", () => {
  assert.deepEqual(circularFix(failedWith("s", "t", "s", "s")), {
    circular: true,
    because: ["the same failure signature in attempts 1, 3, 4"],
  });
  assert.equal(circularFix(failedWith("s", "s")).circular, false);
  assert.equal(circularFix(failedWith("s", "s", "s", "t")).circular, false);
  assert.equal(circularFix(failedWith("", "", "")).circular, false);
  const [first, ...rest] = failedWith("s", "s", "s");
  assert.equal(circularFix([from(first, { failed: false }), ...rest]).circular, false);
});

/** The same failure three times and more: what was left failing each time, by number or by name. */
for (const [circular, ...left] of [
  [false, 5, 3, 1],
  [true, 5, 5, 5],
  [true, 1, 3, 5],
  [true, 3, 5, 3],
  [false, 5, 3, 3],
  [true, 5, 3, 3, 3],
  [false, 5, 3, 4],
  [true, 5, 3, 4, 4],
  [false, 5, 5, 3, 3, 1],
  [false, "abc", "ab", "a"],
  [true, "ab", "ab", "ab"],
  [true, "ab", "bc", "ca"],
  [false, "ab", "bc", "cd"],
  [true, "a", "ab", "abc"],
  [false, "abc", "abd", "bd"],
  [true, 5, 3, ""],
  [true, "", 3, 1],
] as const)
  test(`${circular ? "a circle" : "no circle"}: the same failure with ${left.join(", ")} left`, () => {
    const history = failedWith(...left.map(() => "s")).map((one, index) => {
      const last = left[index] ?? "";
      return {
        ...one,
        approach: "the next one",
        ...(typeof last === "number"
          ? { failing: ["npm test"], failures: last }
          : { failing: [...last] }),
      };
    });
    const { because } = circularFix(history);
    assert.equal(because.length, circular ? 2 : 0, because.join("; "));
  });

/** Approaches in order; whether the last closes a circle. */
for (const [circular, ...approaches] of [
  [false, "Using async/await pattern", "Using callback pattern"],
  [false, "Using async/await pattern", "Using callback pattern", "Using callback pattern"],
  [
    true,
    "Using async/await pattern",
    "the async/await pattern",
    "Trying ASYNC-AWAIT pattern, again",
  ],
  [
    false,
    "Using async await pattern",
    "Using async await pattern with different import",
    "Trying async await again",
    "Using async await pattern once more",
  ],
  [
    true,
    "Using async await pattern",
    "Using async await pattern once more",
    "Use the async await pattern",
  ],
  [
    false,
    "Using async await pattern",
    "Using async await pattern",
    "Using completely different callback-based approach",
  ],
  [false, "pattern async await", "async await pattern", "await async pattern"],
  [false, "using the", "with a", "again"],
  [false, "", "", ""],
  [true, "重试 登录", "重试，登录", "重试 登录!"],
] as const)
  test(`${circular ? "a circle" : "no circle"}: ${approaches.join(" / ")}`, () => {
    const verdict = circularFix(tried(...approaches));
    assert.equal(verdict.circular, circular);
    if (circular) assert.deepEqual(verdict.because, ["the same approach in attempts 1, 2, 3"]);
  });

test("every rule that fires is named", () => {
  const attempts = walk("0", "A", "B", "A").map((one) => ({
    ...one,
    signature: "s",
    approach: "x",
  }));
  assert.equal(circularFix(attempts).because.length, 3);
});

test("the key of an approach", () => {
  assert.equal(approachKey("Using the Async/Await pattern!"), "async await pattern");
  assert.equal(approachKey("ＡＢ c"), "ab c");
  assert.equal(approachKey("for a the"), "");
  assert.equal(approachKey(`${"x".repeat(1999)} y z`), "x".repeat(1999));
});
