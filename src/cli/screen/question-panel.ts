/**
 * Open questions on a screen that is redrawn: one with its answers, several as a list by cause, text being typed, a
 * long text being read. It takes keys and returns the effect to carry out; it does nothing itself. Invariants: only a
 * single key press answers, never a paste; only a chosen answer is posted; esc always goes one step back.
 */
import { cleanLine, type Line, type Style } from "../../operations/text.ts";
import {
  chosenBy,
  retryPrompt,
  questionsWithSameAnswer,
  takesWords,
  typedAnswer,
} from "./chosen-answer.ts";
import type { Key } from "./keys.ts";
import { draftOf, draftText, edited } from "./line-editor.ts";
import { footLines, listLines, readingLines, reportLines, type PanelMode } from "./panel-lines.ts";
import { diffLines, indented, questionLines } from "./question.ts";
import type { Answer, QuestionSize, ShownQuestion } from "./question.ts";

export type PanelEffect =
  | { readonly kind: "post"; readonly questions: readonly ShownQuestion[]; readonly answer: Answer }
  | { readonly kind: "edit" | "log"; readonly question: ShownQuestion }
  | { readonly kind: "leave" };

export interface QuestionPanel {
  /** Sets the open questions; the current view stays. */
  take(questions: readonly ShownQuestion[]): void;
  key(keys: readonly Key[]): PanelEffect | undefined;
  /** The text an editor returned, to be sent or changed. */
  typed(words: string): void;
  /** Shown above the question until the next key. */
  say(words: string, style: Style): void;
  lines(size: QuestionSize, now: number): readonly Line[];
}

const nameOf = ({ run, checkpoint }: ShownQuestion): string => `${run} ${checkpoint.id}`;

export function questionPanel(): QuestionPanel {
  let questions: readonly ShownQuestion[] = [];
  let at = 0;
  let mode: PanelMode = { kind: "one" };
  let said: readonly [words: string, style: Style] | undefined;
  let shownRows = 0;
  const current = (): ShownQuestion | undefined => questions[at];
  const home = (): PanelMode => (questions.length > 1 ? { kind: "list" } : { kind: "one" });

  const chosen = (question: ShownQuestion, answer: Answer): PanelEffect | undefined => {
    const others = questionsWithSameAnswer(question, answer, questions);
    if (others.length === 0) {
      mode = { kind: "one" };
      return { kind: "post", questions: [question], answer };
    }
    mode = { kind: "all", answer, others };
    return undefined;
  };

  const inList = ({ name, text }: Key): PanelEffect | undefined => {
    if (name === "down" || text === "j") at = Math.min(at + 1, questions.length - 1);
    else if (name === "up" || text === "k") at = Math.max(0, at - 1);
    else if (name === "enter" || name === "right") mode = { kind: "one" };
    else if (name === "escape" || name === "end-of-input" || text === "q") return { kind: "leave" };
    else if (/^[1-9]$/.test(text) && Number(text) <= questions.length) {
      at = Number(text) - 1;
      mode = { kind: "one" };
    }
    return undefined;
  };

  const inOne = ({ name, text }: Key, isAlone: boolean): PanelEffect | undefined => {
    const question = current();
    if (question === undefined || name === "end-of-input" || text === "q") return { kind: "leave" };
    if (name === "escape" || name === "left") {
      if (questions.length === 1) return { kind: "leave" };
      mode = { kind: "list" };
    } else if (name === "down" || text === "j") at = (at + 1) % questions.length;
    else if (name === "up" || text === "k") at = (at + questions.length - 1) % questions.length;
    else if (!isAlone) said = ["One key at a time, please.", "yellow"];
    else if (text === "d" && question.diff !== "")
      mode = { kind: "reading", lines: (columns) => diffLines(question.diff, columns), top: 0 };
    else if (text === "v") mode = { kind: "reading", lines: reportLines(question), top: 0 };
    else if (text === "l") return { kind: "log", question };
    else if (text === "e" && takesWords(question)) return { kind: "edit", question };
    else if (text !== "" && name === "text") {
      const choice = chosenBy(text.toLowerCase(), question);
      if (choice === undefined) said = [`${cleanLine(text, 4)} is not one of the keys.`, "yellow"];
      else if ("answer" in choice) return chosen(question, choice.answer);
      else mode = { kind: "typing", ...choice, draft: draftOf("") };
    }
    return undefined;
  };

  const inTyping = (
    typing: Extract<PanelMode, { readonly kind: "typing" }>,
    keys: readonly Key[],
  ): PanelEffect | undefined => {
    const question = current();
    const [first] = keys;
    if (question === undefined || first === undefined) return undefined;
    if (first.name === "escape" || first.name === "end-of-input") {
      mode = { kind: "one" };
      return undefined;
    }
    // Several lines at once were pasted: they are text, line ends included.
    const lines = keys.filter(({ name }) => name === "enter").length;
    const sends = lines === 1 && keys.at(-1)?.name === "enter";
    for (const key of sends ? keys.slice(0, -1) : keys) typing.draft = edited(typing.draft, key);
    if (!sends) return undefined;
    const answer = typedAnswer(question, typing.typed, draftText(typing.draft));
    if (!("problem" in answer)) return chosen(question, answer);
    said = [answer.problem, "yellow"];
    if (draftText(typing.draft).trim() === "") mode = { kind: "one" };
    return undefined;
  };

  const inAll = (
    { answer, others }: Extract<PanelMode, { readonly kind: "all" }>,
    { name, text }: Key,
  ): PanelEffect | undefined => {
    const question = current();
    if (question === undefined) return undefined;
    if (text === "y" || text === "n") {
      mode = { kind: "one" };
      return {
        ...{ kind: "post", answer },
        questions: text === "y" ? [question, ...others] : [question],
      };
    }
    if (name === "escape") mode = { kind: "one" };
    return undefined;
  };

  const inReading = (
    reading: Extract<PanelMode, { readonly kind: "reading" }>,
    { name, text }: Key,
  ): void => {
    const page = Math.max(1, shownRows - 2);
    if (name === "escape" || name === "end-of-input" || text === "q") mode = { kind: "one" };
    else if (name === "down" || name === "enter" || text === "j") reading.top += 1;
    else if (name === "up" || text === "k") reading.top -= 1;
    else if (name === "page-down" || text === " ") reading.top += page;
    else if (name === "page-up" || text === "b") reading.top -= page;
    else if (name === "home" || text === "g") reading.top = 0;
    else if (name === "end" || text === "G") reading.top = Infinity;
  };

  return {
    take(open) {
      const seen = current();
      questions = byCause(open);
      const found = questions.findIndex((each) => seen && nameOf(each) === nameOf(seen));
      at = Math.max(0, found);
      if (found < 0) mode = home();
    },
    key(keys) {
      said = undefined;
      if (mode.kind === "typing") return inTyping(mode, keys);
      for (const key of keys) {
        const isAlone = keys.length === 1;
        let effect: PanelEffect | undefined;
        if (mode.kind === "list") effect = inList(key);
        else if (mode.kind === "one") effect = inOne(key, isAlone);
        else if (mode.kind === "all") effect = isAlone ? inAll(mode, key) : undefined;
        else if (mode.kind === "reading") inReading(mode, key);
        if (effect !== undefined) return effect;
      }
      return undefined;
    },
    typed(words) {
      const question = current();
      if (question === undefined || words.trim() === "") return;
      const prompt = retryPrompt(question);
      mode = { kind: "typing", typed: "retry", prompt, draft: draftOf(words.trim()) };
    },
    say(words, style) {
      said = [words, style];
    },
    lines(size, now) {
      const { columns } = size;
      const told = said === undefined ? [] : indented(said[0], columns, said[1]);
      const rows = size.rows - told.length;
      shownRows = rows;
      const question = current();
      if (question === undefined) return told;
      if (mode.kind === "list")
        return [...told, ...listLines(questions, at, { columns, rows }, now)];
      if (mode.kind === "reading") return [...told, ...readingLines(mode, { columns, rows })];
      const place = questions.length > 1 ? `${at + 1} of ${questions.length}` : "";
      const foot = footLines(question, mode, questions.length > 1, { columns, rows });
      const asked = { place, now, by: "key" } as const;
      return [...told, ...questionLines(question, { columns, rows }, asked, foot)];
    },
  };
}

/** Questions of one cause are adjacent, ordered by when the first of them was asked. */
export const byCause = (questions: readonly ShownQuestion[]): readonly ShownQuestion[] =>
  [...Map.groupBy(questions, ({ words }) => words.cause).values()].flat();
