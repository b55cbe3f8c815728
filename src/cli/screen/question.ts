/**
 * An open question as lines: what is asked, what is known, what was changed, what can be answered. Invariants:
 * bounded; foreign text is tamed; the recommended answer is marked with a word, not only with a colour.
 */
import { count, cleanText, cleanLine } from "../../operations/text.ts";
import type { Line, Style } from "../../operations/text.ts";
import type { InputOf, OutputOf } from "../../operations/operation.ts";
import type { answerQuestion } from "../../operations/runs/answer.ts";
import type { reviewQuestions } from "../../operations/runs/questions.ts";
import { fitted, folded, wrapped } from "./line.ts";

export type ShownQuestion = OutputOf<typeof reviewQuestions>[number];

const ERROR_LINES = 8;
const DIFF_LINES = 20;
const DIFF_LINES_WHOLE = 2000;
const LABEL_WIDTH = 11;

type AnswerName = InputOf<typeof answerQuestion>["answer"]["kind"];

export const KEYS: { readonly [answer in AnswerName]: string } = {
  skip: "s",
  retry: "r",
  manual: "m",
  "top-up": "t",
  without: "w",
};

export function questionLines(
  { run, checkpoint, story, approaches, diff }: ShownQuestion,
  columns: number,
): readonly Line[] {
  const { id, question, context, takenBy, also = [], expiresAt } = checkpoint;
  const errors = cleanText(context.error, { maxChars: 2000 }).split("\n");
  const field = (label: string, texts: readonly string[]): Line[] =>
    texts
      .flatMap((text) => wrapped(text, Math.max(20, columns - LABEL_WIDTH - 2)))
      .map((text, index) => [
        [`  ${(index === 0 ? label : "").padEnd(LABEL_WIDTH)}`, "dim"],
        [text],
      ]);
  const blocks = `${context.blocksCount}: ${context.blocks.map((name) => cleanLine(name, 60)).join(", ")}`;
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
    ...(context.error === "" ? [] : field("error", errors.slice(-ERROR_LINES))),
    ...(context.advice === undefined ? [] : field("do this", [context.advice])),
    ...field("it asks", context.questions ?? []),
    ...(context.blocksCount === 0 ? [] : field("blocks", [blocks])),
    ...(also.length === 0
      ? []
      : field("also for", [also.map((id) => cleanLine(id, 60)).join(", ")])),
    ...(expiresAt === undefined
      ? []
      : field("expires", [`${new Date(expiresAt).toISOString()}, then: ${checkpoint.default}`])),
    ...(takenBy === undefined ? [] : field("in hands", [`of ${cleanLine(takenBy, 60)}`])),
    ...(diff === "" ? [] : [[], ...diffLines(diff, DIFF_LINES, "d shows it whole")]),
  ].map((line) => fitted(line, columns));
}

const diffStyle = (line: string): Style | undefined => {
  if (line.startsWith("+")) return "green";
  if (line.startsWith("-")) return "red";
  return line.startsWith("@@") || line.startsWith("diff ") ? "cyan" : undefined;
};

/** Nothing of it is cut: what is too wide goes on in the next line. */
export const wholeDiff = (diff: string, columns: number): readonly Line[] =>
  diffLines(diff, DIFF_LINES_WHOLE, "unstuck diff shows more").flatMap((line) =>
    line.flatMap(([text, style]): Line[] =>
      folded(text, columns).map((part) => (style === undefined ? [[part]] : [[part, style]])),
    ),
  );

function diffLines(diff: string, most: number, hint: string): Line[] {
  const lines = cleanText(diff, { maxChars: 200_000 }).trimEnd().split("\n");
  const left = lines.length - most;
  return [
    ...lines.slice(0, most).map((line): Line => {
      const style = diffStyle(line);
      const shown = `  ${line.replaceAll("\t", "    ")}`;
      return style === undefined ? [[shown]] : [[shown, style]];
    }),
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
    ...wrapped(others.join(" · "), columns - 2).map((text): Line => [[`  ${text}`, "dim"]]),
  ];
}
