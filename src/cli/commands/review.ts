/**
 * `unstuck review`: goes through open questions, with context, report and diff, and answers as `resolve` does.
 * Invariants: nothing is posted that was not chosen; an empty line or unknown key asks again; the end of input means
 * later.
 */
import { Command } from "commander";
import { refuseInsideAttempt } from "../../operations/inside-attempt.ts";
import { answerQuestion } from "../../operations/runs/answer.ts";
import { reviewQuestions, topUpExample, topUpProblem } from "../../operations/runs/questions.ts";
import { cleanLine, type Line } from "../../operations/text.ts";
import { perform, styled, tell, textColumns, write, writeJson, type Flags } from "../io.ts";
import { UsageError } from "../read-input.ts";
import { painted, wrapped } from "../screen/line.ts";
import {
  choiceLines,
  indented,
  KEYS,
  questionLines,
  readAmounts,
  wholeDiff,
} from "../screen/question.ts";
import type { Answer, ShownQuestion } from "../screen/question.ts";
import { typedLines } from "../typed-answers.ts";

export function review(): Command {
  return new Command("review")
    .argument("[run]", "id or a part of it; default: all of this repository")
    .option("--json", "the questions with all that is known of them, as JSON lines")
    .action(async (run: string | undefined, { json }: Flags) => {
      if (json === true) return (await perform(reviewQuestions, { run })).forEach(writeJson);
      refuseInsideAttempt("review");
      if (!process.stdin.isTTY || !process.stdout.isTTY)
        throw new UsageError("review needs a terminal; use unstuck inbox and unstuck resolve");
      const all = await perform(reviewQuestions, { run });
      if (all.length === 0) return write("nobody waits for you");
      for (const question of all) tellGiven(question);
      const questions = all.filter(({ given }) => given === undefined);
      if (questions.length > 0) await answerAll(questions);
    });
}

/** Answered, though nobody has taken the answer yet. */
function tellGiven({ run, checkpoint, given }: ShownQuestion): void {
  if (given === undefined) return;
  const words = `${checkpoint.id} is answered by ${cleanLine(given.by, 60)}: ${given.words}; go on with: unstuck resume ${run}`;
  for (const line of wrapped(words, textColumns())) write(line);
}

async function answerAll(questions: readonly ShownQuestion[]): Promise<void> {
  const toResume = new Set<string>();
  const lines = typedLines();
  try {
    const answered = await answerEach(questions, {
      get columns() {
        return process.stdout.columns || 80;
      },
      show: (texts) => {
        for (const line of texts) write(painted(line, styled));
      },
      ask: lines.ask,
      async post({ run, seen, checkpoint: { id } }, answer) {
        const context = { cwd: process.cwd(), tell };
        const result = await answerQuestion.run(context, { run, question: id, seen, answer });
        if (!result.ok) return { stands: false, words: result.problem.message };
        const { ownerAlive } = result.value;
        if (answer.kind === "manual" && !answer.done)
          return { stands: true, words: handsWords(run, id) };
        if (!ownerAlive) toResume.add(run);
        return { stands: true, words: ownerAlive ? "answered; the run goes on" : "answered" };
      },
    });
    write(`\n${answered} of ${questions.length} answered`);
    for (const run of toResume) write(`go on with: ${styled("bold", `unstuck resume ${run}`)}`);
  } finally {
    lines.close();
  }
}

interface Conversation {
  readonly columns: number;
  show(lines: readonly Line[]): void;
  /** The next line typed; nothing at the end of input. */
  ask(prompt: string): Promise<string | undefined>;
  /** `stands`: it is the answer that counts, nobody was first. `words`: what happens next. */
  post(question: ShownQuestion, answer: Answer): Promise<{ stands: boolean; words: string }>;
}

export const handsWords = (run: string, question: string): string =>
  `it is in your hands; when you are done: unstuck resolve ${question} --run ${run} --manual --done`;

type Chosen = Answer | "later" | "quit";

/** How many questions were answered. */
export async function answerEach(
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
    const { stands, words } = await conversation.post(question, chosen);
    conversation.show(indented(words, conversation.columns, stands ? "green" : "yellow"));
    if (stands) answered += 1;
  }
  return answered;
}

async function choose(question: ShownQuestion, conversation: Conversation): Promise<Chosen> {
  conversation.show(choiceLines(question, conversation.columns));
  for (;;) {
    const key = (await conversation.ask("> "))?.trim().toLowerCase();
    if (key === undefined || key === "q") return "quit";
    if (key === "l") return "later";
    if (key === "d" && question.diff !== "")
      conversation.show(wholeDiff(question.diff, conversation.columns));
    else if (key === "v") {
      const lines = question.report.trimEnd().split("\n");
      conversation.show(lines.flatMap((line) => indented(line, conversation.columns)));
    } else {
      const answer = await answerFor(key, question, conversation);
      if (answer !== undefined) return answer;
    }
    conversation.show(choiceLines(question, conversation.columns));
  }
}

async function answerFor(
  key: string,
  { checkpoint, folder }: ShownQuestion,
  conversation: Conversation,
): Promise<Answer | undefined> {
  const tell = (words: string): void =>
    conversation.show(indented(words, conversation.columns, "yellow"));
  const option = checkpoint.options.find(({ answer }) => KEYS[answer] === key);
  const name = option?.answer;
  switch (name) {
    case "skip":
    case "without":
    case "other-agent":
    case "allow-once":
    case "allow-run":
    case "allow-always":
      return { kind: name };
    case "retry": {
      if (option?.bare === true || checkpoint.trigger === "CHECKS")
        return { kind: "retry", words: "" };
      const words = (await conversation.ask("  your words for the agent: "))?.trim() ?? "";
      if (words !== "") return { kind: "retry", words };
      tell("nothing said, nothing sent");
      return undefined;
    }
    case "manual":
      // Whole, however wide: it is there to be copied.
      if (checkpoint.takenBy === undefined && folder !== undefined)
        conversation.show([[["  its files:"]], [[cleanLine(folder, 1000)]]]);
      return { kind: "manual", done: checkpoint.takenBy !== undefined };
    case "top-up": {
      const example = topUpExample(checkpoint);
      const text = (await conversation.ask(`  raise by (${example}): `))?.trim() ?? "";
      const by = readAmounts(text);
      const problem = "problem" in by ? by.problem : topUpProblem(checkpoint, by);
      if (problem === undefined && !("problem" in by)) return { kind: "top-up", by };
      tell(problem ?? "");
      return undefined;
    }
    default:
      tell(
        key === "" ? "one of the letters, please" : `${cleanLine(key, 20)} is none of the letters`,
      );
      return undefined;
  }
}
