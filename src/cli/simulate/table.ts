/** The comparison of policies as a table: what matters most first, and as many columns as fit. */
import type { Comparison } from "../../operations/simulate/compare-policies.ts";
import { count } from "../../operations/text.ts";
import { cutToWidth, padToWidth, wrapped, type Styled } from "../screen/line.ts";

type Row = Comparison["policies"][number];
type Interval = Row["recoveredAgainst"];

interface Column {
  readonly title: string;
  readonly of: (row: Row) => string;
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const signed = (number: number, digits: number): string => {
  const text = Math.abs(number).toFixed(digits);
  return Number(text) === 0 ? text : `${number < 0 ? "-" : "+"}${text}`;
};

/** Zero is outside: it is no chance. */
const isSure = ({ low, high }: Interval): boolean => low > 0 || high < 0;

const half = ({ low, high }: Interval): number => (high - low) / 2;

function columnsFor({ against, dependent }: Comparison["settings"]): readonly Column[] {
  const other = (row: Row, text: string): string => (row.policy === against ? "" : text);
  return [
    { title: "policy", of: ({ policy }) => policy },
    { title: "recovered", of: ({ recovered }) => percent(recovered) },
    ...(dependent ? [{ title: "done", of: ({ success }: Row) => percent(success) }] : []),
    { title: "cost", of: ({ costPerSuccess }) => costPerSuccess.toFixed(2) },
    {
      title: `vs ${against}`,
      of: (row) => {
        const { recoveredAgainst: one } = row;
        const text = `${signed(one.mean * 100, 1)} ±${(half(one) * 100).toFixed(1)}`;
        return other(row, isSure(one) ? text : `(${text})`);
      },
    },
    {
      title: "its cost",
      of: (row) => other(row, `${signed(row.costAgainst.mean * 100, 0)} %`),
    },
    { title: "starts", of: ({ starts }) => starts.toFixed(2) },
    { title: "asked", of: ({ questionsPer100 }) => questionsPer100.toFixed(1) },
    { title: "in vain", of: ({ falseQuestionsPer100 }) => falseQuestionsPer100.toFixed(1) },
    { title: "wrong", of: ({ silentlyWrongPer100 }) => silentlyWrongPer100.toFixed(1) },
    { title: "hours", of: ({ hours }) => hours.toFixed(1) },
  ];
}

export function comparisonLines(
  { settings, policies }: Comparison,
  width: number,
  styled: Styled,
): readonly string[] {
  const { against, worlds, seed, tasks, budget, world, person, dependent } = settings;
  const columns = shownColumns(columnsFor(settings), policies, width);
  const table = columns.map(({ title, of }) => [title, ...policies.map(of)]);
  const widths = table.map((cells) => Math.max(...cells.map((cell) => cell.length)));
  const lineAt = (index: number): string =>
    cutToWidth(
      table
        .map((cells, column) => aligned(cells[index] ?? "", widths[column] ?? 0, column === 0))
        .join("  ")
        .trimEnd(),
      width,
    );
  const seeds = worlds === 1 ? `seed ${seed}` : `seeds ${seed} to ${seed + worlds - 1}`;
  const where =
    world === "random" || world === "small random"
      ? `${count(worlds, `${world} world`)} (${seeds})`
      : `${world}, drawn ${count(worlds, "time")} (${seeds})`;
  const head = `${where}, ${count(tasks, "task")} each, ${count(budget, "recovery attempt")} a task, ${person ? "somebody to ask" : "nobody to ask"}.`;
  const notes = [
    "recovered: of the tasks whose first attempt failed. cost: agent time per task solved, in typical attempts.",
    ...(dependent ? ["done: of all tasks; one that failed blocks those that depend on it."] : []),
    ...(columns.length > 3
      ? [
          `vs ${against}: points recovered, with the 95 % interval; in brackets where it may be chance.`,
        ]
      : []),
    ...(columns.some(({ title }) => title === "its cost")
      ? [`its cost: against that of ${against}.`]
      : []),
    ...(columns.some(({ title }) => title === "asked")
      ? ["asked: questions in 100 tasks; in vain: where a fair chance was left."]
      : []),
  ];
  return [
    ...wrapped(head, width),
    "",
    styled("bold", lineAt(0)),
    ...policies.map((_, index) => lineAt(index + 1)),
    "",
    ...notes.flatMap((note) => wrapped(note, width)),
  ];
}

const aligned = (cell: string, width: number, isName: boolean): string =>
  isName ? padToWidth(cell, width) : cell.padStart(width);

/** From the left as many as fit; the name and what it recovered always. */
function shownColumns(
  columns: readonly Column[],
  policies: readonly Row[],
  width: number,
): readonly Column[] {
  let left = width;
  let shown = 0;
  for (const { title, of } of columns) {
    left -= Math.max(title.length, ...policies.map((row) => of(row).length)) + (shown > 0 ? 2 : 0);
    if (left < 0 && shown >= 2) break;
    shown += 1;
  }
  return columns.slice(0, shown);
}

/** What policies said of their chances, and what came of it. */
export function calibrationLines({ policies }: Comparison): readonly string[] {
  return policies.flatMap(({ policy, confidence }) =>
    confidence === undefined
      ? []
      : [
          "",
          `${policy}: Brier score ${confidence.brier.toFixed(3)},`,
          `always saying the mean: ${confidence.brierOfBaseRate.toFixed(3)}`,
          "    said     came   cases",
          ...confidence.bins.map(({ expected, came, cases }) =>
            [percent(expected).padStart(8), percent(came).padStart(8), `${cases}`.padStart(7)].join(
              " ",
            ),
          ),
        ],
  );
}
