/**
 * An open question as lines: what is asked, known, changed and can be answered; and reading amounts of an answer.
 * Invariants: bounded; foreign text is cleaned; the recommended answer is marked with a word, not only with a colour.
 */
import { count, cleanText, cleanLine } from "../../operations/text.ts";
import type { Line, Piece, Style } from "../../operations/text.ts";
import type { InputOf, OutputOf } from "../../operations/operation.ts";
import type { answerQuestion } from "../../operations/runs/answer.ts";
import type { reviewQuestions } from "../../operations/runs/questions.ts";
import { fitted, folded, wrapped } from "./line.ts";

export type ShownQuestion = OutputOf<typeof reviewQuestions>[number];

const ERROR_LINES = 8;
/** An excerpt of a check begins with what matters; other errors end with it. */
const EXCERPT_LINES = 14;
const DIFF_LINES = 20;
const DIFF_LINES_WHOLE = 2000;
const LABEL_WIDTH = 11;

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

export function questionLines(
  { run, checkpoint, story, approaches, diff }: ShownQuestion,
  columns: number,
): readonly Line[] {
  const { id, question, context, takenBy, also = [], expiresAt } = checkpoint;
  const errors = cleanText(context.error, { maxChars: 2000 }).split("\n");
  const isOfCheck = context.kind === "verification_failed" || context.kind === "broken_build";
  const shown = isOfCheck ? errors.slice(0, EXCERPT_LINES) : errors.slice(-ERROR_LINES);
  const field = (label: string, texts: readonly (string | undefined)[]): Line[] =>
    texts
      .filter((text) => text !== undefined)
      .flatMap((text) => wrapped(text, Math.max(20, columns - LABEL_WIDTH - 2)))
      .map((text, index) => [
        [`  ${(index === 0 ? label : "").padEnd(LABEL_WIDTH)}`, "dim"],
        [text],
      ]);
  const blocks = `${context.blocksCount}: ${cleanNames(context.blocks)}`;
  const expiry =
    expiresAt === undefined
      ? undefined
      : `${new Date(expiresAt).toISOString()}, then: ${checkpoint.default}`;
  return [
    [
      [cleanLine(id, 80), "bold"],
      [`  run ${run}`, "dim"],
    ] as Line,
    ...wrapped(cleanLine(question, 300), columns).map((text): Line => [[text]]),
    [],
    ...field("goal", [cleanLine(context.goal, 300)]),
    ...field("attempts", [`${context.attempts}${story === "" ? "" : `: ${story}`}`]),
    ...approaches.flatMap(({ attempt, approach, failure = "not judged" }) =>
      field("", [`${attempt}. ${cleanLine(approach, 120)} - ${failure}`]),
    ),
    ...field("error", context.error === "" ? [] : shown),
    ...field("do this", [context.advice]),
    ...field("it says", context.asks === undefined ? [] : context.asks.split("\n")),
    ...field("it asks", context.questions ?? []),
    ...field("blocks", [context.blocksCount === 0 ? undefined : blocks]),
    ...field("also for", [also.length === 0 ? undefined : cleanNames(also)]),
    ...field("expires", [expiry]),
    ...field("in hands", [takenBy === undefined ? undefined : `of ${cleanLine(takenBy, 60)}`]),
    ...(diff === "" ? [] : [[], ...diffLines(diff, DIFF_LINES, "d shows it whole")]),
  ].map((line) => fitted(line, columns));
}

export const cleanNames = (ids: readonly string[]): string =>
  ids.map((id) => cleanLine(id, 60)).join(", ");

/** Text below the question, in the width of the screen. */
export const indented = (text: string, columns: number, style?: Style): readonly Line[] =>
  wrapped(text, columns - 2).map((line) => [styledPiece(`  ${line}`, style)]);

const styledPiece = (text: string, style: Style | undefined): Piece =>
  style === undefined ? [text] : [text, style];

const diffStyle = (line: string): Style | undefined => {
  if (line.startsWith("+")) return "green";
  if (line.startsWith("-")) return "red";
  return line.startsWith("@@") || line.startsWith("diff ") ? "cyan" : undefined;
};

/** Nothing of it is cut: what is too wide goes on in the next line. */
export const wholeDiff = (diff: string, columns: number): readonly Line[] =>
  diffLines(diff, DIFF_LINES_WHOLE, "unstuck diff shows more").flatMap((line) =>
    line.flatMap(([text, style]): Line[] =>
      folded(text, columns).map((part) => [styledPiece(part, style)]),
    ),
  );

function diffLines(diff: string, most: number, hint: string): Line[] {
  const lines = cleanText(diff, { maxChars: 200_000 }).trimEnd().split("\n");
  const left = lines.length - most;
  return [
    ...lines
      .slice(0, most)
      .map((line): Line => [styledPiece(`  ${line.replaceAll("\t", "    ")}`, diffStyle(line))]),
    ...(left > 0 ? [[[`  … ${count(left, "line")} more; ${hint}`, "dim"]] as Line] : []),
  ];
}

export function choiceLines({ checkpoint, diff }: ShownQuestion, columns: number): readonly Line[] {
  const answers = checkpoint.options.map(({ answer, label }): Line => {
    const mark = answer === checkpoint.recommendation ? "  (recommended)" : "";
    const done = answer === "manual" && checkpoint.takenBy !== undefined ? ": it is done" : "";
    return [[`  ${KEYS[answer]}  `, "bold"], [`${label}${done}`], [mark, "cyan"]];
  });
  const others = [...(diff === "" ? [] : ["d diff"]), "v report", "l later", "q quit"];
  return [
    [],
    ...answers.map((line) => fitted(line, columns)),
    ...indented(others.join(" · "), columns, "dim"),
  ];
}

type Amounts = Extract<Answer, { readonly kind: "top-up" }>["by"];

const MEASURES: Readonly<Record<string, (amount: number) => Amounts>> = {
  usd: (usd) => ({ usd }),
  tokens: (tokens) => ({ tokens }),
  attempts: (attempts) => ({ attempts }),
  minutes: (minutes) => ({ timeMs: minutes * 60_000 }),
};

/** `usd=5,minutes=30`; words that name no amount are refused with what is expected. */
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
