/**
 * `unstuck review`: goes through the open questions in a terminal, each with its context, report and diff, and
 * answers exactly as `resolve` does. Without a terminal it says what to use; `--json` gives the questions.
 */
import { Command } from "commander";
import { answerQuestion } from "../../operations/runs/answer.ts";
import { refuseInsideAttempt } from "../../operations/inside-attempt.ts";
import { reviewQuestions } from "../../operations/runs/questions.ts";
import { tameLine } from "../../operations/text.ts";
import { perform, styled, tell, textColumns, UsageError, write, writeJson } from "../io.ts";
import { review } from "../review.ts";
import { painted } from "../screen/line.ts";
import type { ShownQuestion } from "../screen/question.ts";
import { wrapped } from "../screen/text-width.ts";
import { typedLines } from "../typed-answers.ts";

export function command(): Command {
  return new Command("review")
    .summary("look at open questions and answer them")
    .argument("[run]", "id or a part of it; default: all of this repository")
    .option("--json", "the questions with all that is known of them, as JSON lines")
    .action(async (run: string | undefined, { json }: { json?: boolean }) => {
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
  const words = `${checkpoint.id} is answered by ${tameLine(given.by, 60)}: ${given.words}; go on with: unstuck resume ${run}`;
  for (const line of wrapped(words, textColumns())) write(line);
}

async function answerAll(questions: readonly ShownQuestion[]): Promise<void> {
  const toResume = new Set<string>();
  const lines = typedLines();
  try {
    const answered = await review(questions, {
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
          return {
            stands: true,
            words: `it is in your hands; when you are done: unstuck resolve ${id} --run ${run} --manual --done`,
          };
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
