/**
 * How often each move got a subtask going again, as fading counts: by symptom, move, tiers above the planned one, and
 * agent. Plain JSON, so a run can record the counts it decides by. Invariants: a cell never counts for more than
 * `MOST_OF_CELL`; there are at most `MOST_CELLS`; values read from outside are brought within these limits or dropped.
 */
import { isRecord } from "../defined.ts";
import { cleanLine } from "../foreign-text.ts";

interface Cell {
  readonly won: number;
  readonly lost: number;
}

export interface LearnedCounts {
  readonly version: 1;
  /** By `cellKey`; the cell that changed last stands last. */
  readonly cells: Readonly<Record<string, Cell>>;
}

/** What a move was tried on, and by whom. */
export interface CellName {
  readonly symptom: string;
  readonly move: string;
  /** Tiers above the one the subtask was planned for. */
  readonly tierStep: number;
  readonly agent: string;
}

export interface Outcome extends CellName {
  readonly won: boolean;
  /** Parts of this case, by cause, where the policy chose by what it believed of them. */
  readonly byCause?: Readonly<Record<string, number>>;
}

export const NO_COUNTS: LearnedCounts = { version: 1, cells: {} };

/** What an earlier outcome still counts after another one of its cell: about the last fifty matter. */
export const DECAY = 0.98;
export const MOST_OF_CELL = 1 / (1 - DECAY);
const MOST_CELLS = 2000;

const PART_CHARS = 60;
const part = (text: string): string => cleanLine(text, PART_CHARS).replaceAll("|", "/") || "none";
const MOST_TIER_STEPS = 9;

const bounded = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));

export function cellKey({ symptom, move, tierStep, agent }: CellName): string {
  const step = bounded(Math.trunc(tierStep) || 0, -MOST_TIER_STEPS, MOST_TIER_STEPS);
  return [part(symptom), part(move), step, part(agent)].join("|");
}

const KEY = /^([^|]{1,60})\|([^|]{1,60})\|(-?\d)\|([^|]{1,60})$/;

/** Nothing for a text that `cellKey` did not make. */
export function cellName(key: string): CellName | undefined {
  const [, symptom, move, step, agent] = KEY.exec(key) ?? [];
  if (symptom === undefined || move === undefined || agent === undefined) return undefined;
  const name = { symptom, move, tierStep: Number(step), agent };
  return cellKey(name) === key ? name : undefined;
}

export const cellOf = ({ cells }: LearnedCounts, key: string): Cell =>
  (Object.hasOwn(cells, key) ? cells[key] : undefined) ?? { won: 0, lost: 0 };

/** Only the cells of the outcome fade: what has not been tried for long is not forgotten for that. */
export function withOutcome(
  counts: LearnedCounts,
  outcome: Outcome,
  decay: number = DECAY,
): LearnedCounts {
  const { move, tierStep, won } = outcome;
  const cells: Record<string, Cell> = { ...counts.cells };
  const add = (key: string, part: number): void => {
    const before = cellOf(counts, key);
    const kept = (bounded(decay, 0, 1) || 0) ** part;
    delete cells[key];
    cells[key] = withinCell({
      won: before.won * kept + (won ? part : 0),
      lost: before.lost * kept + (won ? 0 : part),
    });
  };
  for (const [cause, part] of Object.entries(outcome.byCause ?? {}))
    if (part > 0 && part <= 1) add(causeKey(cause, move, tierStep), part);
  add(cellKey(outcome), 1);
  for (const key of Object.keys(cells).slice(0, -MOST_CELLS)) delete cells[key];
  return { version: 1, cells };
}

const OF_CAUSE = "cause:";

/**
 * The cell of a move against a cause, whichever agent made it. No cause is ever seen, so an outcome is shared out among
 * those that were believed in, and a case there is a part of one.
 */
export const causeKey = (cause: string, move: string, tierStep: number): string =>
  cellKey({ symptom: `${OF_CAUSE}${cause}`, move, tierStep, agent: "any" });

export const isOfCause = (key: string): boolean => key.startsWith(OF_CAUSE);

/** In the same proportion, where it is more than a cell may count for. */
export function withinCell({ won, lost }: Cell, most = MOST_OF_CELL): Cell {
  const all = won + lost;
  return all <= most ? { won, lost } : { won: (won / all) * most, lost: (lost / all) * most };
}

/** How much of what other repositories taught counts in this one, and how much of it at most. */
const GLOBAL_SHARE = 0.25;
const MOST_OF_GLOBAL = 4;

/** What this repository taught, with a share of what the user's others did. */
export function merged(repository: LearnedCounts, global: LearnedCounts): LearnedCounts {
  const keys = new Set([...Object.keys(global.cells), ...Object.keys(repository.cells)]);
  const cells = [...keys].slice(-MOST_CELLS).map((key) => {
    const other = cellOf(global, key);
    const share = withinCell(
      { won: other.won * GLOBAL_SHARE, lost: other.lost * GLOBAL_SHARE },
      MOST_OF_GLOBAL,
    );
    return [key, plus(cellOf(repository, key), share)] as const;
  });
  return { version: 1, cells: Object.fromEntries(cells) };
}

export function summed(all: readonly LearnedCounts[]): LearnedCounts {
  const cells = new Map<string, Cell>();
  for (const counts of all)
    for (const [key, cell] of Object.entries(counts.cells))
      cells.set(key, plus(cells.get(key) ?? { won: 0, lost: 0 }, cell));
  return { version: 1, cells: Object.fromEntries([...cells].slice(-MOST_CELLS)) };
}

const plus = (one: Cell, other: Cell): Cell => ({
  won: one.won + other.won,
  lost: one.lost + other.lost,
});

/** What a file or a store holds, as far as it makes sense; nothing where it is no counts at all. */
export function readCounts(value: unknown): LearnedCounts | undefined {
  if (!isRecord(value) || value["version"] !== 1 || !isRecord(value["cells"])) return undefined;
  const cells = Object.entries(value["cells"]).flatMap(([key, cell]) => {
    if (cellName(key) === undefined || !isRecord(cell)) return [];
    const { won, lost } = cell;
    return isCount(won) && isCount(lost) ? [[key, withinCell({ won, lost })] as const] : [];
  });
  return { version: 1, cells: Object.fromEntries(cells.slice(-MOST_CELLS)) };
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
