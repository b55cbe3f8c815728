/**
 * Runs as a table. Pure: the same runs, width and time give the same lines. Invariants: no line is wider than
 * requested; if space is short, columns are dropped one by one, the least important first, and the next command moves
 * to its own line instead of being cut; states are words, so colours may be missing.
 */
import { basename } from "node:path";
import type { OutputOf } from "../../operations/operation.ts";
import type { listRuns } from "../../operations/runs/status.ts";
import { cleanLine, count, limitText, type Line, type Style } from "../../operations/text.ts";
import { ageText, untilText } from "./clock-text.ts";
import { cutToWidth, fitted, padToWidth, textWidth } from "./line.ts";

export type ListedRun = OutputOf<typeof listRuns>["runs"][number];

interface Column {
  readonly head: string;
  readonly cells: readonly string[];
  readonly align?: "right";
  /** May be cut down to this many columns. */
  readonly least?: number;
  readonly style?: (run: ListedRun) => Style | undefined;
}

/** From this width on there is space for whole ids and long texts. */
const WIDE = 120;
const GAP = 2;
const GOAL_LEAST = 12;

const STYLES: { readonly [state in ListedRun["state"]]: Style | undefined } = {
  "needs you": "yellow",
  running: "cyan",
  waiting: "cyan",
  pausing: "yellow",
  paused: "yellow",
  interrupted: "yellow",
  "not started": "dim",
  verified: "green",
  unverified: "yellow",
  failed: "red",
  "out of budget": "red",
  cancelled: "dim",
  imported: "dim",
};

export const stateStyle = (state: ListedRun["state"]): Style | undefined => STYLES[state];

export function runTable(
  runs: readonly ListedRun[],
  columns: number,
  now: number,
): readonly Line[] {
  const isWide = columns >= WIDE;
  const nameOf = ({ id, name }: ListedRun): string => (isWide ? id : name);
  const places = new Set(runs.map(({ repository }) => repository));
  const isOneHere = places.size === 1 && runs.every(({ here }) => here);
  const place = ({ repository, here }: ListedRun): string =>
    repository === "" ? "" : cleanLine(isWide && !here ? repository : basename(repository), 60);
  const make = (
    head: string,
    cell: (run: ListedRun) => string,
    more: Partial<Column> = {},
  ): Column => ({ head, cells: runs.map(cell), ...more });
  const all = {
    run: make("run", nameOf, { style: () => "bold" }),
    repository: make("repository", place),
    state: make("state", (run) => stateText(run, now, isWide), {
      style: ({ state }) => stateStyle(state),
    }),
    age: make("age", ({ created }) => ageText(created, now), { align: "right" }),
    cost: make("cost", costText, { align: "right" }),
    goal: make("goal", (run) => goalText(run), { least: GOAL_LEAST, style: () => "dim" }),
    next: make("next", (run) => nextText(run, nameOf(run), true)),
  };
  const named = isOneHere ? [] : [all.repository];
  const paid = all.cost.cells.every((cell) => cell === "") ? [] : [all.cost];
  // From all columns down to the fewest that are still useful.
  const layouts: readonly (readonly Column[])[] = [
    [all.run, ...named, all.state, all.age, ...paid, all.goal, all.next],
    [all.run, ...named, all.state, all.age, ...paid, all.next],
    [all.run, ...named, all.state, all.age, all.next],
    [all.run, all.state, all.age, all.next],
    [all.run, all.state, all.next],
  ];
  const whole = layouts.find((layout) => leastWidth(layout) <= columns);
  if (whole !== undefined) return rowsOf(runs, whole, columns);
  const short: readonly (readonly Column[])[] = [
    [all.run, ...named, all.state, all.age, ...paid],
    [all.run, ...named, all.state, all.age],
    [all.run, all.state, all.age],
    [all.run, all.state],
  ];
  const kept = short.find((layout) => leastWidth(layout) <= columns) ?? [all.run, all.state];
  const [head, ...rows] = rowsOf(runs, kept, columns);
  const below = rows.flatMap((row, index): Line[] => {
    const run = runs[index];
    const next = run === undefined ? "" : nextText(run, run.name, false);
    return next === "" ? [row] : [row, fitted([["  "], [next]], columns)];
  });
  return [...(head === undefined ? [] : [head]), ...below];
}

const widest = ({ head, cells }: Column): number =>
  cells.reduce((max, cell) => Math.max(max, textWidth(cell)), head.length);

function leastWidth(layout: readonly Column[]): number {
  const widths = layout.map((column) => Math.min(widest(column), column.least ?? Infinity));
  return widths.reduce((sum, width) => sum + width, 0) + GAP * (layout.length - 1);
}

function rowsOf(
  runs: readonly ListedRun[],
  layout: readonly Column[],
  columns: number,
): readonly Line[] {
  const spare = Math.max(0, columns - leastWidth(layout));
  const widths = layout.map((column) =>
    column.least === undefined
      ? widest(column)
      : Math.min(widest(column), Math.min(widest(column), column.least) + spare),
  );
  const isLast = (at: number): boolean => at === layout.length - 1;
  const cell = (text: string, at: number): string => {
    const width = widths[at] ?? 0;
    const kept = cutToWidth(text, width);
    if (layout[at]?.align === "right") return " ".repeat(width - textWidth(kept)) + kept;
    return isLast(at) ? kept : padToWidth(kept, width);
  };
  const gap = (at: number): string => (isLast(at) ? "" : " ".repeat(GAP));
  const head: Line = layout.map((column, at) => [`${cell(column.head, at)}${gap(at)}`, "dim"]);
  const body = runs.map((run, row): Line =>
    layout.flatMap((column, at): Line => {
      const text = cell(column.cells[row] ?? "", at);
      const style = column.style?.(run);
      return [style === undefined ? [text] : [text, style], [gap(at)]];
    }),
  );
  return [head, ...body].map((line) => fitted(line, columns));
}

/** The state in a list; longer if there is space. */
function stateText(
  { state, waitsUntil, pausedBy, questions }: ListedRun,
  now: number,
  isWide: boolean,
): string {
  const asked = questions > 0 ? `, ${count(questions, "question")}` : "";
  if (state === "waiting" && waitsUntil !== undefined)
    return `waiting until ${untilText(Date.parse(waitsUntil), now)}${asked}`;
  if (state === "running") return `running${asked}`;
  if (!isWide) return state;
  if (state === "paused" && pausedBy !== undefined)
    return `paused by ${pausedBy === "user" ? "you" : "the system"}`;
  if (state === "unverified") return "finished but unverified";
  return state === "interrupted" ? "interrupted (its process died)" : state;
}

/** `$0.42`, `~$0.42` for an estimate, `$0.42+` if part of it is unknown; empty if all of it is. */
function costText({ cost }: Pick<ListedRun, "cost">): string {
  if (cost === undefined || cost.amount === null || cost.told === 0) return "";
  const sign = cost.estimated === true ? "~" : "";
  return `${sign}${limitText("usd", cost.amount)}${cost.known ? "" : "+"}`;
}

const goalText = ({ title, folderIsGone }: ListedRun): string =>
  `${cleanLine(title, 60)}${folderIsGone ? " (its folder is gone)" : ""}`;

/** The next command in a list: a finished result is applied, not inspected. */
function nextText(
  { id, next, state, applied }: ListedRun,
  name: string,
  isLabelled: boolean,
): string {
  if (applied) return isLabelled ? "applied" : "";
  const best = next.find(({ what }) => state !== "verified" || what === "apply") ?? next[0];
  if (best === undefined) return "";
  const command = best.command.replaceAll(id, name);
  return isLabelled ? `${best.what}: ${command}` : command;
}
