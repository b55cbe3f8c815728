/**
 * Learning by believed cause: what an outcome is counted as, and what counted outcomes make of the tables. Whatever was
 * counted, no chance leaves its bounds, and what says nothing of a cause leaves it alone.
 */
// proves: C7, E11
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { adaptive } from "../../../src/core/adaptive/adaptive.ts";
import { startBelief } from "../../../src/core/adaptive/belief.ts";
import { ROOT_CAUSES, type RootCause } from "../../../src/core/adaptive/causes.ts";
import { learnedTables } from "../../../src/core/adaptive/learned-tables.ts";
import { outcomeByCause } from "../../../src/core/adaptive/outcome-by-cause.ts";
import { PRIORS } from "../../../src/core/adaptive/priors.ts";
import { MOVES, type Move } from "../../../src/core/adaptive/tables.ts";
import { causeKey, cellKey, NO_COUNTS, withOutcome } from "../../../src/core/learning/counts.ts";
import type { LearnedCounts } from "../../../src/core/learning/counts.ts";
import { oddsOf } from "../../../src/core/odds.ts";
import { attempt, situationOf } from "./situations.ts";

type Cell = LearnedCounts["cells"][string];
const counted = (cells: Readonly<Record<string, Cell>>): LearnedCounts => ({ version: 1, cells });
const of = (cause: RootCause, move: Move, cell: Cell, step = 0): LearnedCounts =>
  counted({ [causeKey(cause, move, step)]: cell });

/** The odds of a move against a cause, as times those of the tables. */
const times = (counts: LearnedCounts, cause: RootCause, move: Move): number =>
  oddsOf(learnedTables(PRIORS, counts).tables.success[move][cause]) /
  oddsOf(PRIORS.success[move][cause]);

const SAID = PRIORS.success.fresh.misread;

const ROWS: readonly [string, LearnedCounts, (factor: number) => boolean][] = [
  ["nothing counted", NO_COUNTS, (factor) => factor === 1],
  ["it often worked", of("misread", "fresh", { won: 12, lost: 4 }), (factor) => factor > 3],
  ["it never worked", of("misread", "fresh", { won: 0, lost: 30 }), (factor) => factor < 0.5],
  [
    "as often as said",
    of("misread", "fresh", { won: 10 * SAID, lost: 10 * (1 - SAID) }),
    (by) => by > 0.95 && by < 1.1,
  ],
  ["on another tier", of("misread", "fresh", { won: 12, lost: 4 }, 1), (factor) => factor > 2],
  [
    "one case changes little",
    of("misread", "fresh", { won: 1, lost: 0 }),
    (by) => by > 1 && by < 2.2,
  ],
  [
    "a very long history",
    of("misread", "fresh", { won: 1e9, lost: 0 }),
    (by) => Math.abs(by - 4) < 1e-6,
  ],
  ["of another cause", of("mistake", "fresh", { won: 12, lost: 4 }), (factor) => factor === 1],
  ["of another move", of("misread", "mutate", { won: 12, lost: 4 }), (factor) => factor === 1],
  ["of no cause", of("mystery" as RootCause, "fresh", { won: 12, lost: 4 }), (by) => by === 1],
  ["no counts at all", of("misread", "fresh", { won: -3, lost: Number.NaN }), (by) => by === 1],
];

describe("a fresh start against a task that was misread, once it was counted:", () => {
  for (const [name, counts, holds] of ROWS)
    test(name, () => {
      const factor = times(counts, "misread", "fresh");
      assert.ok(holds(factor), String(factor));
    });
});

test("without counts by cause the tables are the very same, and they are made once", () => {
  const kinds = counted({ "verification_failed|fresh|0|a": { won: 3, lost: 1 } });
  assert.equal(learnedTables(PRIORS, kinds).tables, PRIORS);
  const counts = of("misread", "fresh", { won: 3, lost: 1 });
  assert.equal(learnedTables(PRIORS, counts).tables, learnedTables(PRIORS, counts).tables);
});

const GROUND = { class: "checks", step: 0, inContext: 0, failed: 0 } as const;
const sum = (parts: Readonly<Partial<Record<RootCause, number>>>): number =>
  Object.values(parts).reduce((all, part) => all + part, 0);

describe("an outcome is shared out among the causes", () => {
  const belief = startBelief(PRIORS);
  const mutate = outcomeByCause("mutate", GROUND, belief, PRIORS);

  test("what works speaks for the causes it cures, what fails for the others", () => {
    const { worked, failed } = mutate;
    assert.ok((worked.misread ?? 0) > (failed.misread ?? 0));
    assert.ok((worked.person ?? 0) < (failed.person ?? 0));
    assert.ok(Math.abs(sum(worked) - 1) < 0.01, "one case");
  });

  test("a failure in a worn-out session says less of the move", () => {
    const failed = (inContext: number): number =>
      sum(outcomeByCause("feedback", { ...GROUND, inContext }, belief, PRIORS).failed);
    assert.ok(failed(2) < 0.5 * failed(0), `${failed(2)} of ${failed(0)}`);
  });

  test("a choice says what its outcome will be counted as; a question says nothing", () => {
    const past = [attempt()];
    assert.ok(sum(adaptive().choose(situationOf(past)).outcome?.worked ?? {}) > 0.9);
    assert.equal(adaptive({ personPrice: 0.1 }).choose(situationOf(past)).outcome, undefined);
  });

  test("parts are counted in cells of their own beside that of the failure", () => {
    const name = { symptom: "looping", move: "mutate", tierStep: 0, agent: "a" };
    const byCause = { ...mutate.failed, none: -1, more: 2, no: Number.NaN };
    const { cells } = withOutcome(NO_COUNTS, { ...name, won: false, byCause });
    assert.deepEqual(cells[cellKey(name)], { won: 0, lost: 1 });
    assert.equal(cells[causeKey("misread", "mutate", 0)]?.lost, mutate.failed.misread);
    assert.equal(Object.keys(cells).length, 1 + Object.keys(mutate.failed).length);
  });
});

test("what worked against the likely cause leads; then kinds of failures have no say", () => {
  const past = [attempt()];
  const chosen = (cells: LearnedCounts["cells"]) =>
    adaptive().choose({ ...situationOf(past), learned: counted(cells) }).chosenBy.id;
  const kind = cellKey({ symptom: "verification_failed", move: "fresh", tierStep: 0, agent: "" });
  const byKind = { [kind]: { won: 30, lost: 0 } };
  const lost = Object.fromEntries(
    ROOT_CAUSES.map((cause) => [causeKey(cause, "fresh", 0), { won: 0, lost: 20 }]),
  );
  const won = Object.fromEntries(
    ROOT_CAUSES.map((cause) => [causeKey(cause, "mutate", 0), { won: 20, lost: 5 }]),
  );
  assert.deepEqual(
    [chosen({}), chosen(won), chosen(byKind), chosen({ ...byKind, ...lost })],
    ["feedback", "mutate", "fresh", "feedback"],
  );
});

test("no history, however poisoned or huge, moves a chance past a quarter or four times its odds", () => {
  const absurd = fc.oneof(fc.double(), fc.nat(), fc.constantFrom(Infinity, -1, Number.NaN, 1e308));
  const key = fc
    .tuple(
      fc.constantFrom(...ROOT_CAUSES),
      fc.constantFrom(...MOVES),
      fc.integer({ min: 0, max: 2 }),
    )
    .map((name) => causeKey(...name));
  const cells = fc.dictionary(key, fc.record({ won: absurd, lost: absurd }), { maxKeys: 40 });
  const failures = fc.array(fc.constantFrom("feedback", "fresh", "mutate", "retry"), {
    ...{ maxLength: 6 },
  });
  fc.assert(
    fc.property(cells, failures, (given, made) => {
      const past = [
        attempt(),
        ...made.map((recovery) => attempt({ recovery: recovery as Move & "fresh" })),
      ];
      const usual = adaptive().choose(situationOf(past)).considered;
      const counts = counted(given);
      const learned = adaptive().choose({ ...situationOf(past), learned: counts });
      for (const { rung, success } of learned.considered) {
        const before = usual.find((one) => one.rung === rung)?.success;
        if (success === undefined || before === undefined) continue;
        // What is recorded is rounded to a thousandth.
        const [most, least] = [oddsOf(before + 0.001) * 4, oddsOf(before - 0.001) / 4];
        const said = `${rung}: ${before} became ${success}`;
        assert.ok(oddsOf(success - 0.001) <= most && oddsOf(success + 0.001) >= least, said);
      }
      for (const cause of ROOT_CAUSES)
        for (const move of MOVES) {
          const factor = times(counts, cause, move);
          assert.ok(factor > 0.2499 && factor < 4.0001, String(factor));
        }
    }),
    { numRuns: 60 },
  );
});
