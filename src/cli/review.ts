/**
 * The conversation of a review: shows each open question, reads an answer, posts it. Imports the question's lines.
 * Invariants: nothing is posted that was not chosen; an empty line or an unknown key asks again; the end of input means later.
 */
import { tameLine } from "../core/foreign-text.ts";
import type { Answer } from "../core/run/input.ts";
import { readAmounts } from "./answering.ts";
import type { Line } from "./screen/line.ts";
import { choiceLines, KEYS, questionLines, wholeDiff } from "./screen/question.ts";
import type { ShownQuestion } from "./screen/question.ts";

export interface Conversation {
  readonly columns: number;
  show(lines: readonly Line[]): void;
  /** The next line typed; nothing at the end of input. */
  ask(prompt: string): Promise<string | undefined>;
  /** Posts the answer and says what happens next. */
  post(question: ShownQuestion, answer: Answer): Promise<string>;
}

type Chosen = Answer | "later" | "quit";

/** How many questions were answered. */
export async function review(
  questions: readonly ShownQuestion[],
  conversation: Conversation,
): Promise<number> {
  let answered = 0;
  for (const [index, question] of questions.entries()) {
    conversation.show([
      [],
      [[`question ${index + 1} of ${questions.length}`, "dim"]],
      ...questionLines(question, conversation.columns),
    ]);
    const chosen = await choose(question, conversation);
    if (chosen === "quit") break;
    if (chosen === "later") continue;
    conversation.show([[[`  ${await conversation.post(question, chosen)}`, "green"]]]);
    answered += 1;
  }
  return answered;
}

async function choose(question: ShownQuestion, conversation: Conversation): Promise<Chosen> {
  conversation.show(choiceLines(question));
  for (;;) {
    const key = (await conversation.ask("> "))?.trim().toLowerCase();
    if (key === undefined || key === "q") return "quit";
    if (key === "l") return "later";
    if (key === "d" && question.diff !== "") conversation.show(wholeDiff(question.diff));
    else if (key === "v") conversation.show(textLines(question.report));
    else {
      const answer = await answerFor(key, question, conversation);
      if (answer !== undefined) return answer;
    }
    conversation.show(choiceLines(question));
  }
}

async function answerFor(
  key: string,
  { checkpoint, folder }: ShownQuestion,
  conversation: Conversation,
): Promise<Answer | undefined> {
  const tell = (words: string): void => conversation.show([[[`  ${words}`, "yellow"]]]);
  const name = checkpoint.options.find(({ answer }) => KEYS[answer] === key)?.answer;
  switch (name) {
    case "skip":
      return { kind: "skip" };
    case "retry": {
      const words = (await conversation.ask("  your words for the agent: "))?.trim() ?? "";
      if (words !== "") return { kind: "retry", words };
      tell("nothing said, nothing sent");
      return undefined;
    }
    case "manual":
      if (checkpoint.takenBy === undefined && folder !== undefined)
        tell(`its files: ${tameLine(folder, 300)}`);
      return { kind: "manual", done: checkpoint.takenBy !== undefined };
    case "top-up": {
      const text = (await conversation.ask("  raise by (usd=5,minutes=30): "))?.trim() ?? "";
      const by = readAmounts(text);
      if (!("problem" in by)) return { kind: "top-up", by };
      tell(by.problem);
      return undefined;
    }
    default:
      tell(
        key === "" ? "one of the letters, please" : `${tameLine(key, 20)} is none of the letters`,
      );
      return undefined;
  }
}

const textLines = (text: string): readonly Line[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line): Line => [[`  ${line}`]]);
