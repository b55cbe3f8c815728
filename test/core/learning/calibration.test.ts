// proves: C7
// What was said to work is held against what did, in ten bins.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  calibrationRows,
  NO_CALIBRATION,
  readCalibration,
  withSaid,
  type Calibration,
} from "../../../src/core/learning/calibration.ts";

const said = (...all: readonly (readonly [number, boolean])[]): Calibration =>
  all.reduce<Calibration>(
    (known, [expected, won]) => withSaid(known, expected, won),
    NO_CALIBRATION,
  );

test("each case counts in the bin of what was said; certainty in the last one", () => {
  const rows = calibrationRows(said([0, false], [0.6, true], [0.65, false], [1, true]));
  assert.deepEqual(
    rows.map(({ from, to, cases }) => [from, to, cases]),
    [
      [0, 0.1, 1],
      [0.6, 0.7, 2],
      [0.9, 1, 1],
    ],
  );
  const [never, middle, sure] = rows;
  assert.deepEqual([never?.said, never?.worked], [0, 0]);
  assert.deepEqual([sure?.said, sure?.worked], [1, 1]);
  assert.ok(Math.abs((middle?.said ?? 0) - (0.6 * 0.98 + 0.65) / 1.98) < 1e-9);
  assert.ok(Math.abs((middle?.worked ?? 0) - 0.98 / 1.98) < 1e-9, "the later case counts for more");
});

test("what is no chance is not counted", () => {
  for (const expected of [-0.01, 1.01, NaN, Infinity])
    assert.equal(withSaid(NO_CALIBRATION, expected, true), NO_CALIBRATION);
});

test("whatever was said, shares stay within their bins, and all of it reads back", () => {
  const chance = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(chance, fc.boolean()), { maxLength: 80 }), (cases) => {
      const known = said(...cases);
      assert.deepEqual(readCalibration(JSON.parse(JSON.stringify(known))), known);
      const rows = calibrationRows(known);
      assert.equal(
        rows.length,
        new Set(cases.map(([one]) => Math.min(9, Math.floor(one * 10)))).size,
      );
      for (const { from, to, said: share, worked, cases: count } of rows) {
        assert.ok(share >= from - 1e-9 && share <= to + 1e-9);
        assert.ok(worked >= 0 && worked <= 1 && count >= 1 && count <= 50);
      }
    }),
    { numRuns: 50 },
  );
});

test("what is read is dropped bin by bin where it cannot be", () => {
  const sound = { said: 3, won: 4, cases: 5 };
  const empty = { said: 0, won: 0, cases: 0 };
  const read = (bin: unknown): unknown =>
    readCalibration([bin, ...Array.from({ length: 9 }, () => sound)])[0];
  assert.deepEqual(read({ ...sound, more: 1 }), sound);
  assert.deepEqual(read({ said: 50, won: 50, cases: 50 }), { said: 50, won: 50, cases: 50 });
  for (const more of [
    ...[{ cases: 51 }, { cases: -1 }, { cases: "5" }, { cases: 3.5 }],
    ...[{ said: 5.1 }, { said: -1 }, { said: null }, { won: 6 }, { won: -1 }, { won: "4" }],
  ])
    assert.deepEqual(read({ ...sound, ...more }), empty, JSON.stringify(more));
  assert.deepEqual(read("bin"), empty);
  for (const value of [undefined, {}, [], Array.from({ length: 11 }, () => sound)])
    assert.deepEqual(readCalibration(value), NO_CALIBRATION);
});
