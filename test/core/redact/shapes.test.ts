// proves: U12
import assert from "node:assert/strict";
import { test } from "node:test";
import { redactionOf } from "../../../src/core/redact/redaction.ts";
import { NEAR_MISSES } from "./near-misses.ts";
import { piecesOf, SHAPES } from "./shapes.ts";

test("V7: there are at least 120 shapes and 60 near misses, each its own", () => {
  assert.ok(SHAPES.length >= 120, String(SHAPES.length));
  assert.ok(NEAR_MISSES.length >= 60, String(NEAR_MISSES.length));
  assert.equal(new Set(SHAPES.map(({ secret }) => secret)).size, SHAPES.length);
});

for (const [index, shape] of SHAPES.entries())
  test(`V7: shape ${index}: ${shape.text.slice(0, 24).replaceAll("\n", " ")}`, () => {
    const said = redactionOf([]).text(shape.text);
    assert.equal(said, shape.said);
    for (const piece of piecesOf(shape)) assert.ok(!said.includes(piece), said);
    assert.equal(redactionOf([]).text(said), said, "redacting twice changes nothing more");
  });

for (const text of NEAR_MISSES)
  test(`V7: kept as it is: ${text.slice(0, 60).replaceAll("\n", " ")}`, () =>
    assert.equal(redactionOf([]).text(text), text));
