// proves: C7
// An agent loop of somebody's own can choose by cause too.
import assert from "node:assert/strict";
import { test } from "node:test";
import { adaptive } from "../../src/core.ts";
import { createRecovery } from "../../src/index.ts";

test("createRecovery with the adaptive policy: other moves each time, then a question", () => {
  const recovery = createRecovery({ policy: adaptive(), models: ["small", "large"], now: () => 0 });
  const moves: string[] = [];
  for (let prompt = "make it 2", next; moves.length < 20;) {
    next = recovery.failed(new Error("expected 2"), { prompt, failing: ["adds"], tree: "t" });
    moves.push(next.kind === "again" ? next.recovery : next.kind);
    if (next.kind !== "again") break;
    assert.match(next.because, /it (?:probably|is|may)|probably missing/);
    prompt = next.prompt;
  }
  assert.equal(moves.at(-1), "ask", moves.join(" "));
  assert.ok(new Set(moves).size >= 3 && moves.length <= 9, moves.join(" "));
});
