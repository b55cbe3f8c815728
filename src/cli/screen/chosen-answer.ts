/**
 * From the key a person pressed to the answer that is posted: at once, or after text or amounts were typed; and the
 * other questions that the same answer may settle. Pure.
 */
import { topUpExample, topUpProblem } from "../../operations/questions/review.ts";
import { KEYS, readAmounts, type Answer, type ShownQuestion } from "./question.ts";

export type Typed = "retry" | "top-up";

export type Chosen =
  { readonly answer: Answer } | { readonly typed: Typed; readonly prompt: string };

/** The choice for a letter or a number in the list; undefined if it is not offered. */
export function chosenBy(key: string, question: ShownQuestion): Chosen | undefined {
  const { checkpoint } = question;
  const option = checkpoint.options.find(
    ({ answer }, index) => KEYS[answer] === key || String(index + 1) === key,
  );
  if (option === undefined) return undefined;
  switch (option.answer) {
    case "retry":
      return option.bare === true || checkpoint.trigger === "CHECKS"
        ? { answer: { kind: "retry", words: "" } }
        : { typed: "retry", prompt: retryPrompt(question) };
    case "top-up":
      return { typed: "top-up", prompt: `Raise it by (for example ${topUpExample(checkpoint)}):` };
    case "manual":
      return { answer: { kind: "manual", done: checkpoint.takenBy !== undefined } };
    default:
      return { answer: { kind: option.answer } };
  }
}

export const retryPrompt = ({ checkpoint }: ShownQuestion): string =>
  checkpoint.context.asks === undefined ? "Your words for the agent:" : "Your answer:";

/** Whether text can be sent with an answer; an editor is opened for it. */
export const takesWords = (question: ShownQuestion): boolean => {
  const chosen = chosenBy(KEYS.retry, question);
  return chosen !== undefined && "typed" in chosen;
};

export function typedAnswer(
  { checkpoint }: ShownQuestion,
  typed: Typed,
  text: string,
): Answer | { readonly problem: string } {
  const words = text.trim();
  if (words === "") return { problem: "Nothing typed, nothing sent." };
  if (typed === "retry") return { kind: "retry", words };
  const by = readAmounts(words);
  if ("problem" in by) return by;
  const problem = topUpProblem(checkpoint, by);
  return problem === undefined ? { kind: "top-up", by } : { problem };
}

/** What the question is about: equal for questions that one answer may settle. */
const causeOf = ({ checkpoint: { cause, trigger, context } }: ShownQuestion): string =>
  cause ?? `${trigger} ${context.kind ?? context.measure ?? ""}`;

/** Taking over by hand, and a lasting permission, apply to a single question only. */
const FOR_ONE: ReadonlySet<Answer["kind"]> = new Set(["manual", "allow-always"]);

/** The other questions with the same cause that offer the same answer. */
export function questionsWithSameAnswer(
  question: ShownQuestion,
  answer: Answer,
  all: readonly ShownQuestion[],
): readonly ShownQuestion[] {
  if (FOR_ONE.has(answer.kind) || question.checkpoint.context.asks !== undefined) return [];
  return all.filter(
    (other) =>
      other !== question &&
      causeOf(other) === causeOf(question) &&
      other.checkpoint.options.some((option) => option.answer === answer.kind),
  );
}
