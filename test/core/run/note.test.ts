// proves: U5, U13, U15
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  hasUnfixedFailures,
  needsConsent,
  noteText,
  rulesOutVerified,
} from "../../../src/core/run/note.ts";
import type { Note } from "../../../src/core/run/note.ts";

const files = ["a.test.js"];
/** Each note, what it says, and whether it takes "verified" away and needs a yes before it is applied. */
const NOTES: readonly (readonly [Note, string, boolean, boolean])[] = [
  [{ kind: "own-tests", files }, "passes with its own tests only: a.test.js", true, true],
  [
    { kind: "own-tests", files, allowed: true },
    "changed what judges it, as the plan allows: a.test.js",
    ...([false, false] as const),
  ],
  [
    { kind: "fewer-tests", check: "npm test", before: 3, now: 1 },
    "1 of the base's 3 tests ran in npm test",
    ...([true, true] as const),
  ],
  [
    { kind: "failed-before", fixed: 1, items: ["x", "y"] },
    "1 fixed, 2 failed before too: x, y",
    ...([true, false] as const),
  ],
  [
    { kind: "failed-before", fixed: 0, items: ["x"], allowed: true },
    "0 fixed, 1 failed before too: x",
    ...([false, false] as const),
  ],
  [
    { kind: "dropped-checks", checks: ["npm test"] },
    "went on without npm test, as you said",
    true,
    false,
  ],
  [
    { kind: "passed-before", checks: ["npm test"] },
    "passed before the work began, so it proves nothing new: npm test",
    ...([false, false] as const),
  ],
  [
    { kind: "agent-failed", how: "exited with 1" },
    "the agent exited with 1, but its work passes",
    false,
    false,
  ],
  [{ kind: "flaky", items: [] }, "flaky: failed first, then passed on the same tree", false, false],
  [
    { kind: "check-wrote", files },
    "a check wrote to files of the commit, which is not part of the result: a.test.js",
    ...([false, false] as const),
  ],
  [
    { kind: "left-out", files: ["sub"] },
    "not part of the result, inside a submodule, too big or too deep: sub",
    ...([false, false] as const),
  ],
];

for (const [note, words, takesAway, asks] of NOTES)
  test(`note: ${words}`, () => {
    assert.equal(noteText(note), words);
    assert.equal(rulesOutVerified(note), takesAway);
    assert.equal(needsConsent(note), asks);
    assert.equal(hasUnfixedFailures(note), note.kind === "failed-before" && note.allowed !== true);
  });

test("names in notes are foreign: bounded, one line, nothing a terminal obeys", () => {
  const words = noteText({
    kind: "own-tests",
    files: ["a\x1b[2J\nb", "x".repeat(500), "3", "4", "5", "6", "7"],
  });
  assert.ok(!/[\x00-\x1f]/.test(words));
  assert.ok(words.length < 400);
  assert.match(words, /and 2 more$/);
});
