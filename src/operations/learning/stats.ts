/**
 * The learned counts of moves in this repository: shown, reset, exported and imported. Invariant: imported counts are
 * bounded as if they had been learned here, and replace only the cells they name.
 */
import { calibrationRows, NO_CALIBRATION } from "../../core/learning/calibration.ts";
import {
  cellName,
  cellOf,
  isOfCause,
  merged,
  NO_COUNTS,
  readCounts,
  type CellName,
} from "../../core/learning/counts.ts";
import { posterior } from "../../core/learning/posterior.ts";
import { neverDone } from "../../core/learning/preferences.ts";
import { PRIORS } from "../../core/adaptive/priors.ts";
import { learnedTables } from "../../core/adaptive/learned-tables.ts";
import { MOVES, type Tables } from "../../core/adaptive/tables.ts";
import { usualChance } from "../../core/adaptive/usual-chance.ts";
import { isRecord } from "../../core/defined.ts";
import { FAILURE_KINDS } from "../../core/kinds.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { parsedFields } from "../../core/history/episode.ts";
import { notTooOld } from "../../core/memory/lesson.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { operation, ProblemError } from "../operation.ts";
import { changeLearning, withHere } from "./here.ts";
import { knownHere, type KnownHere } from "./known-here.ts";

export const showStats = operation({
  name: "stats",
  schemas: async () => (await import("./schemas.ts")).showStats,
  run: (context) =>
    withHere(context, async ({ journal }, repository) => {
      const known = await knownHere(journal, repository);
      return {
        repository,
        moves: learnedMoves(known),
        calibration: calibrationRows(known.calibration),
        never: neverDone(known.preferences),
        lessons: notTooOld(known.lessons, Date.now()).length,
      };
    }),
});

/** Most tried here first. */
function learnedMoves({ counts, elsewhere }: KnownHere) {
  const all = merged(counts, elsewhere);
  const byCause = learnedTables(PRIORS, all);
  const rows = ofKinds(all.cells).flatMap((key) => {
    const name = cellName(key);
    if (name === undefined) return [];
    const prior = rounded(chanceIn(PRIORS, name));
    const isByCause = [...byCause.moves].some((move) => move === name.move);
    const learned = isByCause ? chanceIn(byCause.tables, name) : posterior(prior, all, key);
    return [
      {
        ...name,
        ...{ here: tallyOf(cellOf(counts, key)), elsewhere: tallyOf(cellOf(elsewhere, key)) },
        ...{ prior, posterior: rounded(learned) },
      },
    ];
  });
  return rows.toSorted(
    (a, b) => b.here.tried - a.here.tried || b.elsewhere.tried - a.elsewhere.tried,
  );
}

/** Counts are shown by kind of failure; the shares attributed to causes have no rows of their own. */
const ofKinds = (cells: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(cells).filter((key) => !isOfCause(key));

/** A strategy of a repair chain is compared with repairs as a whole. */
function chanceIn(tables: Tables, { symptom, move, tierStep }: CellName): number {
  const [name] = move.split("/");
  const known = MOVES.find((one) => one === name) ?? "retry";
  const kind = FAILURE_KINDS.find((one) => one === symptom) ?? "unknown";
  return usualChance(kind, known, tierStep, tables);
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

const tallyOf = ({ won, lost }: { readonly won: number; readonly lost: number }) => ({
  tried: rounded(won + lost),
  worked: rounded(won),
});

export const resetStats = operation({
  name: "stats-reset",
  schemas: async () => (await import("./schemas.ts")).resetStats,
  run: (context) => {
    refuseInsideAttempt("stats reset");
    return withHere(context, async (open, repository) => {
      const { before } = await changeLearning(open, repository, (known) => ({
        ...known,
        ...{ counts: NO_COUNTS, calibration: NO_CALIBRATION, preferences: {} },
      }));
      return { repository, forgotten: ofKinds(before.counts.cells).length };
    });
  },
});

export const exportStats = operation({
  name: "stats-export",
  schemas: async () => (await import("./schemas.ts")).exportStats,
  run: (context) =>
    withHere(
      context,
      async ({ journal }, repository) => (await knownHere(journal, repository)).counts,
    ),
});

export const importStats = operation({
  name: "stats-import",
  schemas: async () => (await import("./schemas.ts")).importStats,
  run: (context, { text, name }) => {
    refuseInsideAttempt("stats import");
    const given = parsedFields(text);
    const counts = readCounts(given);
    if (counts === undefined)
      throw new ProblemError(
        "bad-input",
        `${cleanLine(name)} is not what unstuck stats export writes`,
      );
    return withHere(context, async (open, repository) => {
      await changeLearning(open, repository, (known) => ({
        ...known,
        counts:
          readCounts({
            version: 1,
            cells: { ...known.counts.cells, ...counts.cells },
          }) ?? known.counts,
      }));
      const cells = ofKinds(counts.cells).length;
      const all = isRecord(given["cells"]) ? ofKinds(given["cells"]).length : 0;
      return { repository, cells, dropped: all - cells };
    });
  },
});
