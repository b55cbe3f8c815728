/**
 * The results of `unstuck simulate` for people: the comparison of policies as a table, the most important columns first
 * and as many as fit; and where another policy would have chosen differently in recorded runs, with what is known about
 * it.
 */
import type { Comparison } from "../../operations/simulate/compare-policies.ts";
import { count } from "../../operations/text.ts";
import { cutToWidth, padToWidth, wrapped, type Styled } from "./line.ts";
import type { ReplayedHistory } from "../../operations/simulate/history.ts";

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

/** Zero is outside the interval: not chance. */
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

/** As many columns as fit, from the left; the name and the recovered share always. */
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

/** The chances that policies predicted, and the actual outcomes. */
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

type Otherwise = ReplayedHistory["otherwise"][number];

const SHOWN = 20;

const CAME: { readonly [came in Otherwise["came"]]: string } = {
  worked: "which worked",
  failed: "which failed",
  unknown: "and what came of it is not known",
};

const LATER: { readonly [came in Otherwise["came"]]: string } = {
  worked: "That was tried later, and worked.",
  failed: "That was tried later, and failed.",
  unknown: "That was tried later; what came of it is not known.",
};

export function historyLines(replayed: ReplayedHistory, columns: number): readonly string[] {
  const { policy, runs, decisions, unclear, otherwise } = replayed;
  if (decisions === 0)
    return ["No run here has had to recover from anything yet.", "Start one: unstuck run"];
  const all = otherwise.length + replayed.left;
  const head = `${policy} would have chosen otherwise at ${all} of ${count(decisions, "decision")} in ${count(runs, "run")}.`;
  const shown = otherwise.slice(0, SHOWN);
  return [
    ...wrapped(head, columns),
    ...(unclear === 0
      ? []
      : wrapped(`${count(unclear, "decision")} of another version cannot be replayed.`, columns)),
    ...shown.flatMap((one, index) => [
      ...(one.run === shown[index - 1]?.run ? [] : ["", one.run]),
      ...wrapped(sentence(one), columns - 4).map(
        (line, at) => `${at === 0 ? "  " : "    "}${line}`,
      ),
    ]),
    ...(all > 0 ? ["", ...summary(otherwise, columns)] : []),
    ...(all > shown.length ? ["", `${all - shown.length} more: add --json to see them all`] : []),
  ];
}

function sentence({ subtask, failure, didWords, came, wouldWords, tried }: Otherwise): string {
  const would =
    wouldWords === undefined
      ? "It would look again before it chooses."
      : `It would ${wouldWords}. ${tried === undefined ? "That was not tried after it." : LATER[tried]}`;
  return `${subtask}, ${failure}: it ${didWords}, ${CAME[came]}. ${would}`;
}

/** Claims no more than the record shows: a move tried later met a different tree. */
function summary(otherwise: ReplayedHistory["otherwise"], columns: number): readonly string[] {
  const of = (is: (one: Otherwise) => boolean): number => otherwise.filter(is).length;
  const told = [
    [of(({ came }) => came === "worked"), "what was done worked"],
    [
      of(({ came, tried }) => came === "failed" && tried === "worked"),
      "what was done failed, and the other move worked later",
    ],
    [of(({ tried }) => tried === "failed"), "the other move failed later"],
    [of(({ tried }) => tried === undefined), "nothing is known of the other move"],
  ] as const;
  const figures = told.flatMap(([times, words]) => (times > 0 ? [`${words} (${times})`] : []));
  return wrapped(
    `Of these: ${figures.join("; ")}. What was tried later met other work: this hints at how the other policy would do, and proves nothing.`,
    columns,
  );
}
