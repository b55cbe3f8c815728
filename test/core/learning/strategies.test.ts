// proves: C4, C7
// Outcomes change which strategy of a repair chain comes first, and it is said; without them the printed order stands.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { NO_COUNTS, withOutcome, type LearnedCounts } from "../../../src/core/learning/counts.ts";
import { byOutcomes, strategyCounts, triedWords } from "../../../src/core/learning/strategies.ts";
import { evidenceFor } from "../repair/every-strategy.ts";
import { Driver, plan, subtask } from "../run/driver.ts";

const CHAIN = [
  { strategy: "first", confidence: 0.7 },
  { strategy: "second", confidence: 0.8 },
  { strategy: "third", confidence: 0.6 },
];
const times = (won: number, lost: number) => ({ won, lost });

const ROWS: readonly [string, Parameters<typeof byOutcomes>[1], string][] = [
  ["nothing learned: as printed", {}, "first second third"],
  ["the first keeps failing", { first: times(0, 4) }, "second third first"],
  ["one failure of the first", { first: times(0, 1) }, "second third first"],
  ["the third keeps working", { third: times(6, 0) }, "third first second"],
  ["the first works as expected", { first: times(7, 3) }, "first second third"],
  [
    "all fail alike",
    { first: times(0, 3), second: times(0, 3), third: times(0, 3) },
    "first second third",
  ],
  [
    "unknown names change nothing",
    { other: times(9, 0), __proto__: times(9, 0) },
    "first second third",
  ],
];

for (const [name, known, expected] of ROWS)
  test(`ranking: ${name}`, () =>
    assert.equal(
      byOutcomes(CHAIN, known)
        .map(({ strategy }) => strategy)
        .join(" "),
      expected,
    ));

const tally = fc.record({ won: fc.double(), lost: fc.double() });

test("whatever was counted, nothing is added or left out", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("first", "second", "third"), tally), (known) => {
      const names = byOutcomes(CHAIN, known).map(({ strategy }) => strategy);
      assert.deepEqual(names.toSorted(), ["first", "second", "third"]);
    }),
  );
});

/** Six times the first strategy failed and the second mended it, with one agent or the other. */
const learned = Array.from({ length: 6 }).reduce<LearnedCounts>((counts, _, index) => {
  const agent = index % 2 === 0 ? "small" : "large";
  const cell = { symptom: "file_not_found", tierStep: 0, agent };
  const after = withOutcome(counts, { ...cell, move: "repair/verify_path", won: false });
  return withOutcome(after, { ...cell, move: "repair/create_missing_file", won: true });
}, NO_COUNTS);

test("in a run the chain starts with what worked, and why is said; the agent gets its steps", () => {
  const chosen = (learned?: LearnedCounts): { strategy: string; because: string } => {
    const run = new Driver("recovery-strategies", plan([subtask("a")]), { learned } as object);
    const evidence = evidenceFor("file_not_found", "create_missing_file");
    run.fails("a", "file_not_found", { failure: { origin: "tool" }, evidence });
    const [{ recoveries, because } = { recoveries: [], because: "" }] = run.all("recovery-chosen");
    const [recovery] = recoveries;
    return { strategy: recovery?.kind === "repair" ? recovery.strategy : "", because };
  };
  assert.equal(chosen().strategy, "file_not_found/verify_path");
  const now = chosen(learned);
  assert.equal(now.strategy, "file_not_found/create_missing_file");
  assert.match(now.because, /create_missing_file worked 6 of 6 times before/);
  const counts = strategyCounts(learned, "file_not_found");
  assert.equal(triedWords("verify_path", counts), "verify_path worked 0 of 6 times before");
  assert.equal(triedWords("other", counts), undefined);
});

test("a strategy's cases are summed over agents and tiers, of its kind of failure alone", () => {
  const cell = (symptom: string, move: string, agent: string, tierStep = 0) => ({
    ...{ symptom, move, agent, tierStep },
  });
  const counts = [
    { ...cell("timeout", "repair/wait_longer", "a"), won: true },
    { ...cell("timeout", "repair/wait_longer", "b", 1), won: false },
    { ...cell("timeout", "repair", "a"), won: true },
    { ...cell("file_not_found", "repair/wait_longer", "a"), won: true },
  ].reduce<LearnedCounts>(withOutcome, NO_COUNTS);
  assert.deepEqual(strategyCounts(counts, "timeout"), { wait_longer: times(1, 1) });
  assert.equal(strategyCounts(counts, "hung"), undefined);
  assert.equal(strategyCounts(undefined, "timeout"), undefined);
});

test("what was tried is told in whole cases, and not told where it was none", () => {
  assert.equal(triedWords("x", { x: times(0.6, 0.3) }), "x worked 1 of 1 time before");
  assert.equal(triedWords("x", { x: times(0.3, 0.1) }), undefined);
  assert.equal(triedWords("toString", {}), undefined);
  assert.equal(triedWords("x"), undefined);
});
