// proves: A8
// The words in which each move puts the task.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { startBelief, perRootCause } from "../../../src/core/adaptive/belief.ts";
import type { RootCause } from "../../../src/core/adaptive/causes.ts";
import { otherWordsFor } from "../../../src/core/adaptive/other-words.ts";
import { PRIORS } from "../../../src/core/adaptive/priors.ts";
import { MOVES } from "../../../src/core/adaptive/tables.ts";
import { MUTATIONS } from "../../../src/core/recovery.ts";

const START = startBelief(PRIORS);
const sureOf = (likely: RootCause) => ({
  clean: perRootCause((cause) => (cause === likely ? 0.9 : 0.02)),
  spoiled: perRootCause(() => 0),
});

describe("in which words a move puts the task", () => {
  test("a new session may get all of them, what most likely helps first", () => {
    for (const move of ["mutate", "fresh"] as const) {
      const words = otherWordsFor(move, "no_progress", START) ?? [];
      assert.deepEqual([...words].sort(), [...MUTATIONS].sort());
      assert.equal(otherWordsFor(move, "no_progress", sureOf("misread"))?.[0], "rephrase");
      assert.equal(otherWordsFor(move, "no_progress", sureOf("capability"))?.[0], "decompose");
    }
  });

  test("a failing check that is sent back: what a session that goes on can take in", () => {
    const words = otherWordsFor("feedback", "verification_failed", START) ?? [];
    assert.equal(words[0], "examples");
    assert.ok(!words.includes("rephrase"));
    for (const kind of ["broken_build", "merge_conflict", "dependency_error", "unknown"] as const)
      assert.equal(otherWordsFor("feedback", kind, START), undefined, kind);
  });

  test("every other move keeps the words", () => {
    const kept = MOVES.filter((move) => !["feedback", "mutate", "fresh"].includes(move));
    for (const move of kept)
      assert.equal(otherWordsFor(move, "verification_failed", START), undefined, move);
  });
});
