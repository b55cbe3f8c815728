/** What a panel draws around a question: the list by cause, the available keys, text being typed, a long text. */
import { cleanLine, count, type Line, type Style } from "../../operations/text.ts";
import { takesWords, type Typed } from "./chosen-answer.ts";
import { fitted, wrapped } from "./line.ts";
import { draftLines, type Draft } from "./line-editor.ts";
import {
  agoText,
  indented,
  type Answer,
  type QuestionSize,
  type ShownQuestion,
} from "./question.ts";

export type PanelMode =
  | { readonly kind: "list" }
  | { readonly kind: "one" }
  | { readonly kind: "typing"; readonly typed: Typed; readonly prompt: string; draft: Draft }
  | { readonly kind: "all"; readonly answer: Answer; readonly others: readonly ShownQuestion[] }
  | { readonly kind: "reading"; readonly lines: (columns: number) => readonly Line[]; top: number };

export const reportLines =
  ({ report }: ShownQuestion) =>
  (columns: number): readonly Line[] =>
    report
      .trimEnd()
      .split("\n")
      .flatMap((line) => indented(line, columns));

export function footLines(
  question: ShownQuestion,
  mode: PanelMode,
  isOneOfMany: boolean,
  { columns, rows }: QuestionSize,
): Line[] {
  if (mode.kind === "typing") {
    const most = Math.max(1, Math.floor(rows / 3));
    return [
      [],
      ...indented(mode.prompt, columns, "bold"),
      ...draftLines(mode.draft, columns, most),
      ...indented("enter sends it · esc goes back", columns, "dim"),
    ];
  }
  if (mode.kind === "all") {
    const number = mode.others.length;
    const more = number === 1 ? "1 more question has" : `${number} more questions have`;
    const words = `${more} the same cause. Give the same answer to ${number === 1 ? "both" : `all ${number + 1}`}? y yes · n only this one · esc back`;
    return [[], ...indented(words, columns, "yellow")];
  }
  const keys = [
    ...(question.diff === "" ? [] : ["d diff"]),
    ...(question.checkpoint.subtask === undefined ? [] : ["l log"]),
    "v report",
    ...(takesWords(question) ? ["e write in your editor"] : []),
    isOneOfMany ? "esc all questions" : "esc leave it open",
  ];
  return indented(keys.join(" · "), columns, "dim");
}

export function listLines(
  questions: readonly ShownQuestion[],
  at: number,
  { columns, rows }: QuestionSize,
  now: number,
): Line[] {
  const head: Line = [[`${count(questions.length, "question")} for you`, "bold"]];
  const foot = indented("enter opens one · j and k move · esc leaves them open", columns, "dim");
  const body: Line[] = [];
  let selected = 0;
  let cause = "";
  for (const [index, { words, checkpoint, askedAt }] of questions.entries()) {
    if (words.cause !== cause) body.push([[`  ${(cause = words.cause)}`, "cyan"]]);
    if (index === at) selected = body.length;
    const age = askedAt === undefined ? "" : `  ${agoText(now - askedAt)}`;
    const [mark, style]: readonly [string, Style | undefined] =
      index === at ? [" › ", "bold"] : ["   ", undefined];
    const id = cleanLine(checkpoint.id, 30);
    const row: Line = [
      style === undefined ? [`${mark}${id}`] : [`${mark}${id}`, style],
      [age, "dim"],
      [`  ${words.happened}`],
    ];
    body.push(fitted(row, columns));
  }
  const room = Math.max(1, rows - foot.length - 1);
  const top = Math.max(0, Math.min(selected - Math.floor(room / 2), body.length - room));
  return [head, ...body.slice(top, top + room), ...foot].slice(0, rows);
}

export function readingLines(
  reading: Extract<PanelMode, { readonly kind: "reading" }>,
  { columns, rows }: QuestionSize,
): Line[] {
  const lines = reading.lines(columns);
  const room = Math.max(1, rows - 1);
  reading.top = Math.max(0, Math.min(reading.top, lines.length - room));
  const end = Math.min(lines.length, reading.top + room);
  const place = `lines ${reading.top + 1}-${end} of ${lines.length} · space, j, k move · esc back`;
  const [foot = ""] = wrapped(place, columns);
  return [...lines.slice(reading.top, end).map((line) => fitted(line, columns)), [[foot, "dim"]]];
}
