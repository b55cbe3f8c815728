import assert from "node:assert/strict";
import { test } from "node:test";
import { signatureOf } from "../../src/core/classify/signature.ts";
import { makeFailure } from "../../src/core/failure.ts";

test("category, certainty and signature follow from kind, origin and reasons", () => {
  assert.deepEqual(makeFailure({ kind: "timeout", origin: "tool", because: ["slow", "very"] }), {
    kind: "timeout",
    category: "systematic",
    origin: "tool",
    confidence: 1,
    because: ["slow", "very"],
    signature: signatureOf("slow"),
  });
  assert.equal(
    makeFailure({ kind: "timeout", origin: "agent", because: [] }).category,
    "transient",
  );
});

test("what is said wins; fields keep their order", () => {
  const made = makeFailure({
    kind: "lost",
    origin: "agent",
    because: ["gone"],
    signedBy: "lost gone",
    confidence: 0.5,
    category: "fatal",
    heldMs: 7,
  });
  assert.deepEqual(Object.entries(made), [
    ["kind", "lost"],
    ["category", "fatal"],
    ["origin", "agent"],
    ["confidence", 0.5],
    ["because", ["gone"]],
    ["signature", signatureOf("lost gone")],
    ["heldMs", 7],
  ]);
});
