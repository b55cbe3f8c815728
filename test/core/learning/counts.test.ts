// proves: C7
// Counts fade and are bounded; a posterior stays near its prior, whatever history it is given.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  cellKey,
  cellName,
  cellOf,
  merged,
  MOST_OF_CELL,
  NO_COUNTS,
  readCounts,
  summed,
  withOutcome,
} from "../../../src/core/learning/counts.ts";
import type { LearnedCounts, Outcome } from "../../../src/core/learning/counts.ts";
import { posterior } from "../../../src/core/learning/posterior.ts";

const CELL = { symptom: "verification_failed", move: "feedback", tierStep: 0, agent: "claude" };
const KEY = cellKey(CELL);

const counted = (won: number, lost: number, from: LearnedCounts = NO_COUNTS): LearnedCounts =>
  [...Array<boolean>(lost).fill(false), ...Array<boolean>(won).fill(true)].reduce(
    (counts, one) => withOutcome(counts, { ...CELL, won: one }),
    from,
  );

const odds = (chance: number): number => chance / (1 - chance);
const closeTo = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 0.005, `${actual} is not about ${expected}`);

const rows: readonly [string, number, LearnedCounts, number][] = [
  ["nothing counted leaves the prior", 0.4, NO_COUNTS, 0.4],
  ["one loss changes little", 0.5, counted(0, 1), 0.4],
  ["one win changes little", 0.5, counted(1, 0), 0.6],
  ["four of each side of an even prior", 0.5, counted(2, 2), 0.5],
  ["a long row of losses stops at a quarter of the odds", 0.5, counted(0, 500), 0.2],
  ["a long row of wins stops at four times the odds", 0.5, counted(500, 0), 0.8],
  [
    "another cell says nothing",
    0.3,
    withOutcome(NO_COUNTS, { ...CELL, agent: "x", won: true }),
    0.3,
  ],
];

for (const [name, prior, counts, expected] of rows)
  test(`posterior: ${name}`, () => closeTo(posterior(prior, counts, KEY), expected));

test("what happened last counts most: after a change the ranking turns within fifty outcomes", () => {
  const other = { ...CELL, move: "fresh" };
  const before = [...Array<boolean>(200).fill(false)].reduce(
    (counts, won) => withOutcome(counts, { ...other, won }),
    counted(200, 0),
  );
  const ranks = (counts: LearnedCounts): boolean =>
    posterior(0.5, counts, KEY) > posterior(0.5, counts, cellKey(other));
  assert.ok(ranks(before));
  const after = Array.from({ length: 50 }).reduce<LearnedCounts>(
    (counts) => withOutcome(withOutcome(counts, { ...CELL, won: false }), { ...other, won: true }),
    before,
  );
  assert.ok(!ranks(after));
});

test("other repositories count for a share, and for no more than the prior does", () => {
  const here = counted(0, 4);
  const elsewhere = summed([counted(40, 0), counted(40, 0)]);
  closeTo(posterior(0.5, merged(NO_COUNTS, elsewhere), KEY), (2 + 4) / 8);
  const both = cellOf(merged(here, elsewhere), KEY);
  closeTo(both.won, 4);
  closeTo(both.lost, cellOf(here, KEY).lost);
});

const text = fc.string({ unit: "binary", maxLength: 80 });
const outcome: fc.Arbitrary<Outcome> = fc.record({
  symptom: text,
  move: text,
  tierStep: fc.oneof(fc.integer(), fc.double()),
  agent: text,
  won: fc.boolean(),
});

test("whatever is counted, a cell is within its bounds, keys read back, and counts survive JSON", () => {
  fc.assert(
    fc.property(fc.array(outcome, { maxLength: 40 }), fc.double(), (outcomes, decay) => {
      const counts = outcomes.reduce((all, one) => withOutcome(all, one, decay), NO_COUNTS);
      for (const [key, { won, lost }] of Object.entries(counts.cells)) {
        assert.ok(won >= 0 && lost >= 0 && won + lost <= MOST_OF_CELL + 1e-6);
        const name = cellName(key);
        assert.ok(name !== undefined && cellKey(name) === key, key);
      }
      assert.deepEqual(readCounts(JSON.parse(JSON.stringify(counts))), counts);
    }),
  );
});

const anything = fc.anything({ withNullPrototype: true, withBigInt: false });
const absurd = fc.oneof(fc.double(), fc.constantFrom(Infinity, -1, Number.NaN, 1e308, "9", null));
const poisoned = fc.record({
  version: fc.constantFrom<unknown>(1, 2, "1"),
  cells: fc.oneof(
    anything,
    fc.dictionary(
      fc.oneof(text, fc.constantFrom(KEY, "__proto__", "constructor", "a|b|c")),
      fc.oneof(anything, fc.record({ won: absurd, lost: absurd })),
    ),
  ),
});

test("no history, however poisoned or huge, moves a chance past a quarter or four times its odds", () => {
  fc.assert(
    fc.property(
      fc.oneof(poisoned, anything),
      fc.oneof(anything, fc.record({ won: absurd, lost: absurd })),
      fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      (given, cell, prior) => {
        const read = readCounts(given) ?? NO_COUNTS;
        // As a journal may hold it, and as it was never read through `readCounts`.
        const raw = { version: 1, cells: { [KEY]: cell } };
        for (const counts of [read, merged(read, read), raw as unknown as LearnedCounts]) {
          const ratio = odds(posterior(prior, counts, KEY)) / odds(prior);
          assert.ok(ratio >= 0.25 - 1e-9 && ratio <= 4 + 1e-9, String(ratio));
        }
        for (const { won, lost } of Object.values(read.cells))
          assert.ok(won >= 0 && lost >= 0 && won + lost <= MOST_OF_CELL + 1e-6);
      },
    ),
  );
});
