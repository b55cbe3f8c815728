// proves: D6
import assert from "node:assert/strict";
import { test } from "node:test";
import { levelOf, RECOVERIES, RECOVERY_NAMES } from "../../src/core/recovery.ts";

/** The design's table of recoveries: what each keeps, and the word an episode has for how far it went. */
const ROWS = [
  ["wait", "keep", "keep", "same"],
  ["retry", "keep", "keep", "same"],
  ["feedback", "keep", "keep", "alternative"],
  ["repair", "keep", "keep", "alternative"],
  ["mutate", "new", "keep", "alternative"],
  ["fresh", "new", "good", "alternative"],
  ["sidegrade", "new", "keep", "alternative"],
  ["escalate", "new", "keep", "alternative"],
  ["explore", "new", "own", "alternative"],
  ["continue", "summary", "keep", "same"],
  ["skip", "none", "none", "escalate"],
  ["ask", "none", "none", "escalate"],
] as const;

test("each recovery keeps what the design says, and only a roll-back throws work away", () => {
  assert.deepEqual(
    RECOVERY_NAMES,
    ROWS.map(([name]) => name),
  );
  for (const [name, context, tree, level] of ROWS) {
    const startsAgent = name !== "skip" && name !== "ask";
    const destructive = name === "fresh";
    assert.deepEqual(RECOVERIES[name], { context, tree, startsAgent, destructive }, name);
    assert.equal(levelOf(name), level, name);
  }
});
