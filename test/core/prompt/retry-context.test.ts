// proves: B4, B9, E6, U15
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { PriorAttempt } from "../../../src/core/prompt/earlier-attempts.ts";
import { labelled, quoted } from "../../../src/core/prompt/quoted.ts";
import {
  differentApproach,
  recoveryHints,
  retryContext,
} from "../../../src/core/prompt/earlier-attempts.ts";

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

test("a different approach is asked for, with what the last attempt tried and came to", () => {
  assert.equal(
    differentApproach(PAIR),
    `The last attempt failed:
\`\`\`text
Approach: Using callback pattern
Error: Test failed: expected 200 got 500
\`\`\`
Say first why it failed, then choose.
Take a DIFFERENT approach:
- if a library failed, use a different library
- if a pattern failed, use a different pattern
- if a complex approach failed, use a simpler implementation`,
  );
  assert.equal(differentApproach([]), "");
});

test("the analysis sees a repeated approach and a shared error", () => {
  const again = [...PAIR, { attempt: 3, tier: 1, approach: "the async/await pattern", error: "x" }];
  assert.match(
    differentApproach(again),
    /\nThat approach has failed before: it must not be used again\.\n/,
  );
  const shared = [
    ...PAIR,
    { attempt: 3, tier: 1, approach: "events", error: "Test failed: expected 200, got 404" },
  ];
  assert.match(
    differentApproach(shared),
    /\nAnother approach failed with the same error before: look/,
  );
  const blank = [
    { attempt: 1, tier: 1 },
    { attempt: 2, tier: 1 },
  ];
  assert.match(differentApproach(blank), /\nSay first why it failed/);
});

test("retry context: opening, every attempt with tier, feedback and error, closing", () => {
  const attempts = [
    { attempt: 1, tier: 1, feedback: "2 of 5 tests fail:\n\n  login\n  logout" },
    { attempt: 2, tier: 2, approach: "events", feedback: "1 of 5 fails", error: "exit 1" },
  ];
  assert.equal(
    retryContext(attempts),
    `PREVIOUS ATTEMPTS (all failed):

\`\`\`text
Attempt 1 (model tier 1):
  Verification feedback: 2 of 5 tests fail:
      login
      logout

Attempt 2 (model tier 2):
  Approach: events
  Verification feedback: 1 of 5 fails
  Error: exit 1
\`\`\`

Fix the issues shown above. Take a different approach if needed.`,
  );
});

test("retry context: empty without attempts, no word of an error where there is none", () => {
  assert.equal(retryContext([]), "");
  assert.ok(!retryContext([{ attempt: 1, tier: 1, feedback: "no" }]).includes("Error"));
  assert.ok(!retryContext([{ attempt: 1, tier: 1, error: " \n" }]).includes("Error"));
});

test("retry context: the newest are kept when not all fit, and it says so", () => {
  const attempts = Array.from({ length: 50 }, (_, n) => ({
    attempt: n + 1,
    tier: 1,
    error: "x".repeat(900),
  }));
  const text = retryContext(attempts, { maxChars: 1400 });
  assert.match(text, /^PREVIOUS ATTEMPTS \(all failed\):\n\(40 earlier ones left out\)\n/);
  assert.ok(
    !text.includes("Attempt 40 ") && text.includes("Attempt 41 ") && text.includes("Attempt 50 "),
  );
  assert.throws(() => retryContext([], { maxChars: 319 }), /320 characters/);
  assert.equal(retryContext([], { maxChars: 320 }), "");
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

test("whatever the texts, the bounds hold and the closing line stands last", () => {
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
      fc.integer({ min: 320, max: 4000 }),
      (attempts, maxChars) => {
        const context = retryContext(attempts, { maxChars });
        assert.ok(context.length <= maxChars, `${context.length} > ${maxChars}`);
        assert.ok(
          context.endsWith("\n\nFix the issues shown above. Take a different approach if needed."),
        );
        assert.ok(recoveryHints(attempts, { maxChars }).length <= maxChars);
        assert.ok(differentApproach(attempts).length <= 1000);
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
