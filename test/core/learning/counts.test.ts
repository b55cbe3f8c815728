// proves: C7
// Counts fade and are bounded; a posterior stays near its prior, whatever history it is given.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  causeKey,
  cellKey,
  cellName,
  cellOf,
  isOfCause,
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

test("a cause takes its part of a case: it fades and grows by that much", () => {
  const known = withOutcome(NO_COUNTS, {
    ...{ ...CELL, won: true },
    byCause: { mistake: 0.75, transient: 1, none: 0, forged: 1.5, worse: -1, person: NaN },
  });
  const part = (counts: LearnedCounts, cause: string) =>
    cellOf(counts, causeKey(cause, "feedback", 0));
  assert.deepEqual(Object.keys(known.cells).filter(isOfCause).length, 2);
  assert.deepEqual(part(known, "mistake"), { won: 0.75, lost: 0 });
  assert.deepEqual(part(known, "transient"), { won: 1, lost: 0 });
  const after = withOutcome(known, { ...CELL, won: false, byCause: { mistake: 0.5 } }, 0.25);
  assert.deepEqual(part(after, "mistake"), { won: 0.75 * 0.5, lost: 0.5 });
  assert.deepEqual(part(after, "transient"), { won: 1, lost: 0 }, "untouched, it does not fade");
  assert.deepEqual(cellOf(after, KEY), { won: 0.25, lost: 1 });
});

test("of more cells than there is room for, those that changed last stay", () => {
  const cells = Object.fromEntries(
    Array.from({ length: 2001 }, (_, at) => [
      cellKey({ ...CELL, agent: `a${at}` }),
      { won: 1, lost: 0 },
    ]),
  );
  const many: LearnedCounts = { version: 1, cells };
  const newest = Object.keys(cells).slice(-2000);
  assert.deepEqual(Object.keys(readCounts(many)?.cells ?? {}), newest);
  assert.deepEqual(Object.keys(summed([many]).cells), newest);
  assert.deepEqual(Object.keys(merged(many, NO_COUNTS).cells), newest);
  const [oldest = "", second = ""] = newest;
  const touched = withOutcome(
    { version: 1, cells: { ...cells } },
    { ...CELL, agent: "a1", won: true },
  );
  assert.equal(Object.keys(touched.cells).length, 2000);
  assert.ok(oldest in touched.cells && second in touched.cells, "a1 was touched, a0 went");
  assert.equal(Object.keys(touched.cells).at(-1), oldest);
});

test("of a store only the cells that can be are read", () => {
  const read = (cell: unknown, key = KEY) =>
    readCounts({ version: 1, cells: { [key]: cell } })?.cells;
  assert.deepEqual(read({ won: 29, lost: 20 }), { [KEY]: { won: 29, lost: 20 } });
  const cut = read({ won: 300, lost: 200 })?.[KEY];
  assert.deepEqual([Math.round(cut?.won ?? 0), Math.round(cut?.lost ?? 0)], [30, 20]);
  for (const cell of [
    { won: -1, lost: 2 },
    { won: 1 },
    { won: 1, lost: 2 ** 53 },
    { won: NaN, lost: 1 },
    3,
  ])
    assert.deepEqual(read(cell), {}, JSON.stringify(cell));
  for (const key of [
    "a|b|c",
    "a|b|12|c",
    "|b|1|c",
    "a|b|-0|c",
    `${"a".repeat(61)}|b|1|c`,
    "a|b|1|c|d",
  ])
    assert.deepEqual(read({ won: 1, lost: 1 }, key), {}, key);
  for (const value of [null, { version: 1 }, { version: 2, cells: {} }, { version: 1, cells: [] }])
    assert.equal(readCounts(value), undefined);
});

test("a key holds what fits: steps of one digit, bars and empty parts replaced", () => {
  const name = (more: Partial<typeof CELL>) => cellName(cellKey({ ...CELL, ...more }));
  assert.equal(name({ tierStep: 12 })?.tierStep, 9);
  assert.equal(name({ tierStep: -12 })?.tierStep, -9);
  assert.equal(name({ tierStep: 1.9 })?.tierStep, 1);
  assert.equal(name({ tierStep: NaN })?.tierStep, 0);
  assert.equal(name({ agent: "a|b" })?.agent, "a/b");
  assert.equal(name({ agent: "" })?.agent, "none");
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
