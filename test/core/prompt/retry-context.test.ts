// proves: B4, B9, E6, J4, J24, U15
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { PriorAttempt } from "../../../src/core/prompt/earlier-attempts.ts";
import { labelled, quoted } from "../../../src/core/prompt/quoted.ts";
import { recoveryHints, retryContext } from "../../../src/core/prompt/earlier-attempts.ts";

/** The source's own pair of attempts. */
const PAIR: readonly PriorAttempt[] = [
  {
    attempt: 1,
    tier: 1,
    approach: "Using async/await pattern",
    error: "Test failed: expected 200 got 404",
  },
  {
    attempt: 2,
    tier: 1,
    approach: "Using callback pattern",
    error: "Test failed: expected 200 got 500",
  },
];

test("hints: count, each approach with FAILED and its error, then the different-approach lines", () => {
  assert.equal(
    recoveryHints(PAIR),
    `Previous attempts: 2

\`\`\`text
Attempt 1: Using async/await pattern - FAILED
  Error: Test failed: expected 200 got 404

Attempt 2: Using callback pattern - FAILED
  Error: Test failed: expected 200 got 500
\`\`\`

IMPORTANT: Try a DIFFERENT approach than previous attempts
Consider: different library, different pattern, or simpler implementation`,
  );
});

test("hints: nothing before the first attempt, no demand after one, feedback where there is no error", () => {
  assert.equal(recoveryHints([]), "");
  const one = recoveryHints([{ attempt: 1, tier: 2, feedback: "2 tests\nfailed" }]);
  assert.match(one, /^Previous attempts: 1\n/);
  assert.match(one, /Attempt 1: not recorded - FAILED\n {2}Error: 2 tests failed\n/);
  assert.ok(!one.includes("DIFFERENT"));
  assert.match(recoveryHints([{ attempt: 1, tier: 2 }]), /Error: not recorded/);
  const many = Array.from({ length: 30 }, (_, n) => ({
    attempt: n + 1,
    tier: 1,
    approach: `w${n + 1}`,
  }));
  const text = recoveryHints(many);
  assert.match(text, /^Previous attempts: 30\n/);
  assert.ok(
    !text.includes("Attempt 10:") &&
      text.includes("Attempt 11: w11") &&
      text.includes("Attempt 30: w30"),
  );
});

test("retry context: the newest failure whole, then every attempt once, newest first, then what to do", () => {
  const attempts = [
    { attempt: 1, tier: 1, feedback: "failing: login", error: "2 of 5 fail:\n\n  login\n  out" },
    { attempt: 2, tier: 1, approach: "queues", error: "1 of 5 fails" },
    { attempt: 4, tier: 2, approach: "events", feedback: "failing: out", error: "1 of 5 fails" },
  ];
  assert.equal(
    retryContext(attempts),
    `What failed last (attempt 4):
\`\`\`text
1 of 5 fails
\`\`\`

PREVIOUS ATTEMPTS (all failed): 3, newest first
\`\`\`text
Attempt 4 (model tier 2): events - FAILED
  Verification feedback: failing: out
  Error: shown above

Attempt 2 (model tier 1): queues - FAILED
  Error: the same as in attempt 4

Attempt 1 (model tier 1): not recorded - FAILED
  Verification feedback: failing: login
  Error: 2 of 5 fail:
      login
      out
\`\`\`

Fix the issues shown above. Take a different approach if needed.
Another approach failed with the same error before: look for the cause they share.
IMPORTANT: Try a DIFFERENT approach than previous attempts
Consider: different library, different pattern, or simpler implementation`,
  );
});

test("retry context: after one failure another approach is asked for only where that was chosen", () => {
  const [first] = PAIR;
  assert.ok(first !== undefined);
  assert.ok(
    retryContext([first]).endsWith(
      "\n\nFix the issues shown above. Take a different approach if needed.",
    ),
  );
  assert.match(
    retryContext([first], { different: true }),
    /if needed\.\nSay first why it failed\. Then take a DIFFERENT approach to what failed: a different library, a different pattern, or a simpler implementation\.$/,
  );
  assert.match(retryContext(PAIR), /IMPORTANT: Try a DIFFERENT approach than previous attempts/);
});

test("retry context: empty without attempts, no word of an error where there is none", () => {
  assert.equal(retryContext([]), "");
  const fed = retryContext([{ attempt: 1, tier: 1, feedback: "no" }]);
  assert.ok(
    fed.startsWith("What failed last (attempt 1):\n```text\nno\n```") && !fed.includes("Error"),
  );
  const blank = retryContext([{ attempt: 1, tier: 1, error: " \n" }]);
  assert.ok(blank.startsWith("PREVIOUS ATTEMPTS") && !blank.includes("Error"));
});

test("retry context: the newest are kept when not all fit, and it says so", () => {
  const attempts = Array.from({ length: 50 }, (_, n) => ({
    attempt: n + 1,
    tier: 1,
    error: `${n}${"x".repeat(900)}`,
  }));
  const text = retryContext(attempts, { maxChars: 1680 });
  assert.match(
    text,
    /PREVIOUS ATTEMPTS \(all failed\): 50, newest first\n\(40 earlier ones left out\)\n/,
  );
  assert.ok(
    !text.includes("Attempt 40 ") && text.includes("Attempt 41 ") && text.includes("Attempt 50 "),
  );
  assert.throws(() => retryContext([], { maxChars: 599 }), /600 characters/);
  assert.equal(retryContext([], { maxChars: 600 }), "");
});

test("nothing of the newest failure is lost, however many attempts stand in the history", () => {
  const excerpt = fc.string({
    unit: fc.constantFrom("a", "b", "\n", " ", "`", "é"),
    maxLength: 2000,
  });
  fc.assert(
    fc.property(excerpt, fc.integer({ min: 0, max: 40 }), (text, before) => {
      const error = `>${text}<`;
      const older = Array.from({ length: before }, (_, n) => ({
        ...{ attempt: n + 1, tier: 1, error: "y".repeat(2000) },
      }));
      const told = retryContext([...older, { attempt: before + 1, tier: 1, error }], {
        maxChars: 600,
      });
      const calm = error.replace(/`{9,}/g, "`".repeat(8));
      assert.ok(told.includes(`text\n${calm}\n`), told);
      assert.equal(told.split(calm).length - 1, 1, "told once");
    }),
  );
});

const hostile = fc
  .array(
    fc.constantFrom(
      "`",
      "```",
      "````````````",
      "\n",
      "x",
      "Attempt 9:",
      "\u001b[2J",
      "\u202e",
      "\ud800",
      " ",
    ),
    { maxLength: 200 },
  )
  .map((parts) => parts.join(""));

test("whatever the texts, the bounds hold and the closing line stands", () => {
  const attempt = fc.record({
    attempt: fc.nat(99),
    tier: fc.nat(3),
    approach: hostile,
    feedback: hostile,
    error: hostile,
  });
  fc.assert(
    fc.property(
      fc.array(attempt, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 600, max: 4000 }),
      (attempts, maxChars) => {
        const context = retryContext(attempts, { maxChars, different: true });
        assert.ok(context.length <= maxChars + 4100, `${context.length} > ${maxChars}`);
        const beside = context.slice(context.indexOf("PREVIOUS ATTEMPTS (all failed): "));
        assert.ok(beside.length <= maxChars, `${beside.length} > ${maxChars}`);
        assert.ok(context.includes("\n\nFix the issues shown above. Take a different approach"));
        assert.ok(recoveryHints(attempts, { maxChars }).length <= maxChars);
        assert.ok(!/[\u001b\u202e]/.test(context));
      },
    ),
  );
});

test("quoted text never grows past its bound, and no line of a labelled text poses as a label", () => {
  fc.assert(
    fc.property(hostile, fc.integer({ min: 120, max: 500 }), (text, maxChars) => {
      assert.ok(quoted(text, maxChars).length <= maxChars);
      const lines = labelled("Error", text, maxChars).split("\n");
      assert.ok(lines[0]?.startsWith("  Error: "));
    }),
  );
  assert.equal(labelled("Error", "a\nAttempt 9:\n\n b", 100), "  Error: a\n    Attempt 9:\n     b");
  assert.equal(quoted("a```b", 100), "````text\na```b\n````");
  assert.equal(
    quoted("`".repeat(40), 100),
    `${"`".repeat(9)}text\n${"`".repeat(8)}\n${"`".repeat(9)}`,
  );
});
