// proves: C7, U8
// What a replay of recorded runs says at any width: nothing wider than the terminal, and no more than is known.
import assert from "node:assert/strict";
import { test } from "node:test";
import { historyLines } from "../../../src/cli/screen/simulation.ts";
import type { ReplayedHistory } from "../../../src/operations/simulate/history.ts";

const one: ReplayedHistory["otherwise"][number] = {
  ...{ run: "20261116-1305-0c7c33", seq: 9, subtask: "fix", failure: "checks failed" },
  ...{ did: "mutate", didWords: "changed the task's wording", came: "failed" },
  ...{ would: "feedback", wouldWords: "send the failing output back", because: "b" },
  tried: "worked",
};
const replayed: ReplayedHistory = {
  ...{ policy: "standard", runs: 2, decisions: 9, unclear: 1, left: 0 },
  otherwise: [one, { ...one, came: "worked", tried: "failed" }, { ...one, run: "other" }],
};

test("where it would have chosen otherwise, what came, and what that is worth", () => {
  for (const columns of [40, 80, 200]) {
    const lines = historyLines(replayed, columns);
    for (const line of lines) assert.ok(line.length <= columns, line);
    const text = lines.join(" ").replace(/\s+/g, " ");
    assert.match(text, /^standard would have chosen otherwise at 3 of 9 decisions in 2 runs\./);
    assert.match(text, /1 decision of another version cannot be replayed\./);
    assert.match(
      text,
      /fix, checks failed: it changed the task's wording, which failed\. It would send the failing output back\. That was tried later, and worked\./,
    );
    assert.match(text, /what was done failed, and the other move worked later \(2\)/);
    assert.match(text, /proves nothing\.$/);
  }
});

test("nothing to tell, nothing other, and what was never tried", () => {
  const none = { ...replayed, otherwise: [], unclear: 0 };
  assert.deepEqual(historyLines({ ...none, decisions: 0 }, 80), [
    "No run here has had to recover from anything yet.",
    "Start one: unstuck run",
  ]);
  assert.equal(historyLines(none, 80).length, 1);
  const { tried: _, would: __, wouldWords: ___, ...bare } = one;
  const text = historyLines({ ...replayed, otherwise: [bare] }, 200).join(" ");
  assert.match(text, /It would look again before it chooses\./);
  assert.match(text, /nothing is known of the other move \(1\)/);
});
