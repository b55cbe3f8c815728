/**
 * Open questions without redrawing, for a screen reader or a simple terminal: numbered lines, a prompt, and the answer
 * typed with enter. Invariants: only a chosen answer is posted; an empty line or an unknown word asks again; the end of
 * input leaves the rest open.
 */
import { cleanLine, type Line } from "../../operations/text.ts";
import type { Posted } from "./carry-out.ts";
import { chosenBy, questionsWithSameAnswer, typedAnswer } from "./chosen-answer.ts";
import { byCause } from "./question-panel.ts";
import { diffLines, indented, questionLines } from "./question.ts";
import type { Answer, ShownQuestion } from "./question.ts";

export interface Conversation {
  readonly columns: number;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly show: (lines: readonly Line[]) => void;
  /** The next typed line; undefined at the end of input. */
  readonly ask: (prompt: string) => Promise<string | undefined>;
  post(question: ShownQuestion, answer: Answer): Promise<Posted>;
  showLog(question: ShownQuestion): Promise<void>;
}

type Chosen = Answer | "next" | "quit";

/** Returns how many questions were answered. */
export async function answerEach(
  questions: readonly ShownQuestion[],
  conversation: Conversation,
): Promise<number> {
  const settled = new Set<ShownQuestion>();
  const ordered = byCause(questions);
  for (const [index, question] of ordered.entries()) {
    if (settled.has(question)) continue;
    const place = ordered.length === 1 ? "" : `question ${index + 1} of ${ordered.length}`;
    const chosen = await choose(question, place, conversation);
    if (chosen === "quit") break;
    if (chosen === "next") continue;
    const left = ordered.filter((other) => !settled.has(other));
    const others = await shared(question, chosen, left, conversation);
    for (const each of [question, ...others]) {
      const { stands, words, folder } = await conversation.post(each, chosen);
      if (folder !== undefined) conversation.show([[["its files:"]], [[folder]]]);
      conversation.show(indented(words, conversation.columns, stands ? "green" : "yellow"));
      if (stands) settled.add(each);
    }
  }
  return settled.size;
}

async function choose(
  question: ShownQuestion,
  place: string,
  conversation: Conversation,
): Promise<Chosen> {
  const { columns, now } = conversation;
  const others = [
    ...(question.diff === "" ? [] : ["d diff"]),
    ...(question.checkpoint.subtask === undefined ? [] : ["l log"]),
    ...["v report", "n leave it open", "q quit"],
  ];
  const foot = indented(others.join(" · "), columns, "dim");
  const asked = { place, now, by: "number" } as const;
  conversation.show([[], ...questionLines(question, { columns, rows: Infinity }, asked, foot)]);
  for (;;) {
    const key = (await conversation.ask("Your choice: "))?.trim().toLowerCase();
    if (key === undefined || key === "q") return "quit";
    if (key === "n") return "next";
    if (key === "d" && question.diff !== "") conversation.show(diffLines(question.diff, columns));
    else if (key === "l") await conversation.showLog(question);
    else if (key === "v")
      conversation.show(
        question.report
          .trimEnd()
          .split("\n")
          .flatMap((line) => indented(line, columns)),
      );
    else {
      const answer = await answerFor(key, question, conversation);
      if (answer !== undefined) return answer;
    }
  }
}

async function answerFor(
  key: string,
  question: ShownQuestion,
  { show, ask, columns }: Conversation,
): Promise<Answer | undefined> {
  const tell = (words: string): void => show(indented(words, columns, "yellow"));
  const chosen = chosenBy(key, question);
  if (chosen === undefined) {
    const most = question.words.choices.length;
    tell(
      key === "" ? `Type a number from 1 to ${most}.` : `${cleanLine(key, 20)} is not a choice.`,
    );
    return undefined;
  }
  if ("answer" in chosen) return chosen.answer;
  const answer = typedAnswer(question, chosen.typed, (await ask(`${chosen.prompt} `)) ?? "");
  if (!("problem" in answer)) return answer;
  tell(answer.problem);
  return undefined;
}

/** Other questions that get the same answer, if the user agrees. */
async function shared(
  question: ShownQuestion,
  answer: Answer,
  left: readonly ShownQuestion[],
  { ask }: Conversation,
): Promise<readonly ShownQuestion[]> {
  const others = questionsWithSameAnswer(question, answer, left);
  if (others.length === 0) return [];
  const names = others.map(({ checkpoint }) => cleanLine(checkpoint.id, 40)).join(", ");
  const typed = await ask(`The same answer for ${names}, which has the same cause? [y/N] `);
  return /^y(?:es)?$/i.test(typed?.trim() ?? "") ? others : [];
}
