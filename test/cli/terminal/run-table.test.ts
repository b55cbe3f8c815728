// proves: P2
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ageText, untilText } from "../../../src/cli/screen/clock-text.ts";
import { lineWidth, plain } from "../../../src/cli/screen/line.ts";
import { runTable, type ListedRun } from "../../../src/cli/screen/run-table.ts";
import { nextCommands } from "../../../src/operations/status/next-commands.ts";
import { RUN_STATES } from "../../../src/operations/status/run-state.ts";
import { assertKept } from "./kept-screen.ts";

process.env["TZ"] = "UTC";
const NOW = Date.UTC(2026, 2, 3, 1, 0);
const HOUR = 3_600_000;

function listed(
  state: ListedRun["state"],
  number: number,
  more: Partial<ListedRun> = {},
): ListedRun {
  const name = `a0000${number.toString(16)}`;
  const id = `20260303-0100-${name}`;
  const facts = { id, state, questions: 0, applied: false, folderIsGone: false, ...more };
  return {
    ...{
      ...facts,
      name,
      title: `make the tests of module ${number} pass`,
      phase: "active",
      seq: 9,
    },
    ...{ created: NOW - number * 5 * HOUR, repository: "/home/me/shop", here: true },
    ...{ alive: false, next: nextCommands(facts) },
    ...more,
  };
}

const cost = (amount: number | null, more: object = {}) => ({
  ...{ amount, known: amount !== null, told: 1, attempts: 1, ...more },
});

const ALL: readonly ListedRun[] = [
  listed("needs you", 1, { questions: 1, cost: cost(0.42) }),
  listed("running", 2, { questions: 1, cost: cost(1.5, { estimated: true }) }),
  listed("running", 0),
  listed("waiting", 3, { waitsUntil: "2026-03-03T03:01:00.000Z", cost: cost(0.1) }),
  listed("pausing", 4),
  listed("paused", 5, { pausedBy: "user" }),
  listed("interrupted", 6, { cost: cost(2, { known: false }) }),
  listed("not started", 7),
  listed("verified", 8, { cost: cost(12.25) }),
  listed("verified", 9, { applied: true }),
  listed("unverified", 10),
  listed("failed", 11, { cost: cost(null) }),
  listed("out of budget", 12),
  listed("cancelled", 13, { folderIsGone: true }),
  listed("needs you", 14, { here: false, repository: "/home/me/another-shop" }),
  listed("imported", 15, { here: false, repository: "" }),
];

const text = (runs: readonly ListedRun[], columns: number): string[] =>
  runTable(runs, columns, NOW).map(plain);

for (const columns of [40, 80, 200])
  test(`every state in ${columns} columns, as kept`, () =>
    assertKept(`status-${columns}`, text(ALL, columns)));

test("runs of this repository alone need no repository column, and nothing known no cost", () => {
  const [head = ""] = text([listed("running", 1), listed("verified", 2)], 100);
  assert.doesNotMatch(head, /repository|cost/);
  assert.match(text([listed("running", 1, { here: false })], 200)[0] ?? "", /repository/);
});

test("property: whatever the runs, no line is wider than the screen, and every run is named", () => {
  const anyRun = fc.record({
    ...{ state: fc.constantFrom(...RUN_STATES), number: fc.nat(10 ** 6), title: fc.string() },
    ...{ here: fc.boolean(), questions: fc.nat(3), repository: fc.string() },
  });
  fc.assert(
    fc.property(
      fc.array(anyRun, { maxLength: 6 }),
      fc.integer({ min: 20, max: 220 }),
      (runs, columns) => {
        const rows = runs.map(({ state, number, ...more }) => listed(state, number, more));
        const lines = runTable(rows, columns, NOW);
        for (const line of lines) assert.ok(lineWidth(line) <= columns, plain(line));
        const words = lines.map(plain).join("\n");
        if (columns >= 40) for (const { name } of rows) assert.ok(words.includes(name.slice(0, 6)));
      },
    ),
    { numRuns: 60 },
  );
});

test("times: today by the clock, this week by the day, else by the date; ages in one unit", () => {
  assert.equal(untilText(NOW + 2 * HOUR, NOW), "03:00");
  assert.equal(untilText(NOW + 26 * HOUR, NOW), "Wed 03:00");
  assert.equal(untilText(NOW - 2 * HOUR, NOW), "2 Mar 23:00");
  assert.equal(untilText(NOW + 240 * HOUR, NOW), "13 Mar 01:00");
  const ages = [0, 59, 60, 3599, 3600, 86_399, 86_400, 13 * 86_400, 14 * 86_400, -5];
  assert.deepEqual(
    ages.map((seconds) => ageText(NOW - seconds * 1000, NOW)),
    ["0s", "59s", "1m", "59m", "1h", "23h", "1d", "13d", "2w", "0s"],
  );
});
