/**
 * An open question as lines: what happened, the evidence, the possible answers with their keys and effects; several as
 * a list by cause; and parsing the amounts of an answer. Invariants: bounded; foreign text is sanitized; no line is
 * wider than the screen, and, where rows are counted, no question taller than it, and its answers always show; a
 * recommendation is marked with a word, not only with a colour.
 */
import { cleanLine, cleanText, count } from "../../operations/text.ts";
import type { Line, Piece, Style } from "../../operations/text.ts";
import type { InputOf, OutputOf } from "../../operations/operation.ts";
import type { answerQuestion } from "../../operations/questions/answer.ts";
import type { reviewQuestions } from "../../operations/questions/review.ts";
import { cutToWidth, fitted, folded, padToWidth, textWidth, wrapped } from "./line.ts";

export type ShownQuestion = OutputOf<typeof reviewQuestions>[number];

export type Answer = InputOf<typeof answerQuestion>["answer"];

export const KEYS: { readonly [answer in Answer["kind"]]: string } = {
  skip: "s",
  retry: "r",
  manual: "m",
  "top-up": "t",
  without: "w",
  "other-agent": "o",
  "allow-once": "a",
  "allow-run": "u",
  "allow-always": "y",
};

export interface QuestionSize {
  readonly columns: number;
  /** Infinity if nothing is redrawn. */
  readonly rows: number;
}

interface Detail {
  readonly evidence: number;
  readonly facts: number;
  readonly does: boolean;
}

/** From most to least detail; the first that fits is used. */
const DETAILS: readonly Detail[] = [
  { evidence: 14, facts: Infinity, does: true },
  { evidence: 7, facts: Infinity, does: true },
  { evidence: 4, facts: 6, does: true },
  { evidence: 4, facts: 3, does: true },
  { evidence: 4, facts: 3, does: false },
  { evidence: 2, facts: 1, does: false },
  { evidence: 1, facts: 0, does: false },
];

export interface QuestionView {
  /** Its number and the total, as text. */
  readonly place: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** How its answers are chosen: with keys of their own, or with numbers in a list. */
  readonly by: "key" | "number";
}

/** `foot`: the other available keys. */
export function questionLines(
  question: ShownQuestion,
  size: QuestionSize,
  asked: QuestionView,
  foot: readonly Line[],
): readonly Line[] {
  const { columns, rows } = size;
  let lines: readonly Line[] = [];
  for (const detail of DETAILS) {
    lines = [...detailed(question, columns, asked, detail), ...foot];
    if (lines.length <= rows) break;
  }
  return lines.map((line) => fitted(line, columns)).slice(-Math.min(rows, lines.length));
}

function detailed(
  question: ShownQuestion,
  columns: number,
  asked: QuestionView,
  detail: Detail,
): Line[] {
  const { run, checkpoint, words, askedAt } = question;
  const facts = factLines(question, columns).slice(0, detail.facts);
  const age = askedAt === undefined ? "" : ` · asked ${agoText(asked.now - askedAt)}`;
  const isTight = detail.facts === 0;
  const gap: Line[] = isTight ? [] : [[]];
  return [
    [
      ["? ", "yellow"],
      [cleanLine(checkpoint.id, 60), "bold"],
      [`  ${asked.place === "" ? "" : `${asked.place} · `}run ${run}${age}`, "dim"],
    ],
    ...wrapped(words.happened, columns).map((text): Line => [[text, "bold"]]),
    ...evidenceLines(question, columns, detail.evidence),
    ...(facts.length === 0 ? [] : [...gap, ...facts]),
    ...gap,
    ...choiceLines(question, columns, asked.by, detail.does),
    ...otherwiseLines(question, columns, asked.now),
  ];
}

function evidenceLines({ evidence }: ShownQuestion, columns: number, most: number): Line[] {
  const { lines, keep } = evidence;
  const shown = keep === "first" ? lines.slice(0, most) : lines.slice(-most);
  return shown.map((text) => [
    ["  │ ", "dim"],
    [cutToWidth(cleanLine(text.replaceAll("\t", "  "), 500), columns - 4)],
  ]);
}

const LABEL_WIDTH = 9;

/** What only a person can do or know comes first. */
function factLines({ checkpoint, tried, diff }: ShownQuestion, columns: number): Line[] {
  const { context, takenBy, also = [] } = checkpoint;
  const field = (label: string, texts: readonly (string | undefined)[]): Line[] =>
    texts
      .filter((text) => text !== undefined && text.trim() !== "")
      .flatMap((text) => wrapped(cleanLine(text ?? "", 500), columns - LABEL_WIDTH - 2))
      .map((text, index) => [
        [`  ${(index === 0 ? label : "").padEnd(LABEL_WIDTH)}`, "dim"],
        [text],
      ]);
  const blocks = context.blocksCount === 0 ? undefined : cleanNames(context.blocks);
  return [
    ...field("it asks", [...(context.asks?.split("\n") ?? []), ...(context.questions ?? [])]),
    ...field("to do", [context.advice]),
    ...field("with you", [takenBy === undefined ? undefined : `${takenBy} is on it by hand`]),
    ...field("tried", [tried.join(", ")]),
    ...field("task", [cutToWidth(cleanLine(context.goal, 300), 2 * columns)]),
    ...field("changed", [diff === "" ? undefined : changedText(diff)]),
    ...field("blocks", [blocks]),
    ...field("also for", [also.length === 0 ? undefined : cleanNames(also)]),
  ];
}

function changedText(diff: string): string {
  const lines = diff.split("\n");
  const files = lines.filter((line) => line.startsWith("diff --git ")).length;
  const starting = (sign: string, header: string): number =>
    lines.filter((line) => line.startsWith(sign) && !line.startsWith(header)).length;
  return `${count(files, "file")}, +${starting("+", "+++ ")} -${starting("-", "--- ")}`;
}

export const cleanNames = (ids: readonly string[]): string =>
  ids.map((id) => cleanLine(id, 60)).join(", ");

/** From this width on an answer's effect is shown next to it. */
const WIDE = 110;

function choiceLines(
  { words }: ShownQuestion,
  columns: number,
  by: QuestionView["by"],
  does: boolean,
): Line[] {
  const labels = words.choices.map(({ label, recommended }) =>
    recommended ? `${label} (recommended)` : label,
  );
  const width = labels.reduce((most, label) => Math.max(most, textWidth(label)), 0);
  return words.choices.flatMap((choice, index): Line[] => {
    const mark = by === "key" ? `  ${KEYS[choice.answer]}  ` : `  ${index + 1}. `;
    const label = labels[index] ?? "";
    const style: Style | undefined = choice.recommended ? "cyan" : undefined;
    const isBeside = columns >= WIDE && columns !== Infinity;
    const named = [[mark, "bold"], styledPiece(label, style)] as const;
    if (!does) return [named];
    if (isBeside)
      return [[[mark, "bold"], styledPiece(`${padToWidth(label, width)}  `, style), [choice.does]]];
    return [named, ...indented(choice.does, columns, "dim", 5)];
  });
}

/** When the question answers itself, and how; in local time. */
function otherwiseLines({ checkpoint, words }: ShownQuestion, columns: number, now: number) {
  const { expiresAt } = checkpoint;
  if (expiresAt === undefined || words.otherwise === undefined) return [];
  const told = `If nobody answers by ${clockText(expiresAt, now)}, ${words.otherwise}.`;
  return indented(told, columns, "yellow", 2);
}

/** Nothing that changes every second, because each change redraws the screen. */
export function agoText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}

/** `07:00`, or with the day if it is not today. */
export function clockText(at: number, now: number): string {
  const [date, today] = [new Date(at), new Date(now)];
  const two = (number: number): string => String(number).padStart(2, "0");
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  if (date.toDateString() === today.toDateString()) return time;
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${time}`;
}

/** Text below the question, wrapped to the screen. */
export const indented = (text: string, columns: number, style?: Style, by = 2): Line[] =>
  wrapped(text, columns - by).map((line) => [styledPiece(`${" ".repeat(by)}${line}`, style)]);

const styledPiece = (text: string, style: Style | undefined): Piece =>
  style === undefined ? [text] : [text, style];

const DIFF_LINES = 2000;

const diffStyle = (line: string): Style | undefined => {
  if (line.startsWith("+")) return "green";
  if (line.startsWith("-")) return "red";
  return line.startsWith("@@") || line.startsWith("diff ") ? "cyan" : undefined;
};

/** Nothing is cut: a line that is too wide is continued on the next. */
export function diffLines(diff: string, columns: number): readonly Line[] {
  const lines = cleanText(diff, { maxChars: 200_000 }).trimEnd().split("\n");
  const left = lines.length - DIFF_LINES;
  return [
    ...lines
      .slice(0, DIFF_LINES)
      .flatMap((line) =>
        folded(line.replaceAll("\t", "    "), columns).map((part): Line => [
          styledPiece(part, diffStyle(line)),
        ]),
      ),
    ...(left > 0
      ? [[[`… ${count(left, "more line")}: unstuck diff shows them`, "dim"]] as Line]
      : []),
  ];
}

type Amounts = Extract<Answer, { readonly kind: "top-up" }>["by"];

const MEASURES: Readonly<Record<string, (amount: number) => Amounts>> = {
  usd: (usd) => ({ usd }),
  tokens: (tokens) => ({ tokens }),
  attempts: (attempts) => ({ attempts }),
  minutes: (minutes) => ({ timeMs: minutes * 60_000 }),
};

/** `usd=5,minutes=30`; anything else is refused with what is expected. */
export function readAmounts(text: string): Amounts | { readonly problem: string } {
  let sum: Amounts = {};
  for (const part of text.split(",")) {
    const [name = "", amount = ""] = part.trim().split("=");
    const measure = Object.hasOwn(MEASURES, name) ? MEASURES[name] : undefined;
    const number = Number(amount);
    if (measure === undefined || !(number > 0) || !Number.isFinite(number))
      return {
        problem: `expected usd=, tokens=, minutes= or attempts= with a number, got ${cleanLine(part, 40)}`,
      };
    sum = { ...sum, ...measure(number) };
  }
  return sum;
}
