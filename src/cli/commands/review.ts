/**
 * `unstuck review`: goes through open questions and answers them as `resolve` does. On a terminal it is a panel
 * operated by keys; for a screen reader or a dumb terminal, numbered lines; without a terminal, text with the commands
 * to copy.
 */
import { Command } from "commander";
import { refuseInsideAttempt } from "../../operations/inside-attempt.ts";
import { reviewQuestions } from "../../operations/questions/review.ts";
import { cleanLine, count } from "../../operations/text.ts";
import { perform, styled, textColumns, write, writeJson, type Flags } from "../io.ts";
import { postAnswer, showLog } from "../screen/carry-out.ts";
import { readKeys } from "../screen/keys.ts";
import { painted, wrapped } from "../screen/line.ts";
import { panelDriver } from "../screen/panel-driver.ts";
import { answerEach } from "../screen/plain-questions.ts";
import { listedQuestions } from "../screen/question-list.ts";
import type { ShownQuestion } from "../screen/question.ts";
import { frameTimer, hasScreen, liveScreen } from "../screen/run-screen.ts";
import { canAsk, isWanted, typedLines } from "../typed-answers.ts";

export function review(): Command {
  return new Command("review")
    .argument("[run]", "id or a part of it; default: all of this repository")
    .option("--all", "of all repositories")
    .option("--json", "the questions with all that is known of them, as JSON lines")
    .action(async (run: string | undefined, { json, all }: Flags<{ all?: boolean }>) => {
      if (json === true) return (await perform(reviewQuestions, { run, all })).forEach(writeJson);
      refuseInsideAttempt("review", canAsk() ? {} : { orphans: "allowed" });
      await goThrough(await perform(reviewQuestions, { run, all }), all === true);
    });
}

/** Asks for an answer to each question if a person can give one; otherwise lists them. */
async function goThrough(known: readonly ShownQuestion[], namesRepository: boolean): Promise<void> {
  if (known.length === 0) return write("No open questions.");
  const questions = known.filter(({ given }) => given === undefined);
  if (!canAsk()) return listed(known, namesRepository);
  for (const question of known) tellGiven(question);
  if (questions.length === 0) return;
  const { answered, toResume } = hasScreen()
    ? await answeredOnScreen(questions)
    : await answeredInLines(questions);
  write(`${answered} of ${questions.length} answered`);
  for (const id of toResume) write(`Go on with: ${styled("bold", `unstuck resume ${id}`)}`);
}

/** The offer that `inbox` makes after listing them. */
export async function offerReview(all: boolean): Promise<void> {
  if (!(await isWanted("Answer now?"))) return;
  refuseInsideAttempt("review");
  await goThrough(await perform(reviewQuestions, { all }), all);
}

function listed(questions: readonly ShownQuestion[], namesRepository: boolean): void {
  const size = { columns: textColumns(), now: Date.now(), namesRepository };
  for (const line of listedQuestions(questions, size)) write(painted(line, styled));
}

/** Reports a question that was answered already, but whose answer no process has taken yet. */
function tellGiven({ run, checkpoint, given }: ShownQuestion): void {
  if (given === undefined) return;
  const words = `${checkpoint.id} is answered by ${cleanLine(given.by, 60)}: ${given.words}. Go on with: unstuck resume ${run}`;
  for (const line of wrapped(words, textColumns())) write(line);
}

interface Answered {
  readonly answered: number;
  /** Runs that no process is working on. */
  readonly toResume: ReadonlySet<string>;
}

/** The outcome of each answer stays on the screen; the panel itself disappears. */
async function answeredOnScreen(questions: readonly ShownQuestion[]): Promise<Answered> {
  const toResume = new Set<string>();
  const screen = liveScreen(process.stdout, styled);
  const left = Promise.withResolvers<void>();
  let open = questions;
  const { panel, press, isLent } = panelDriver({
    keys: () => keys,
    screen: {
      erase: () => screen.frame([], []),
      redraw: () => frames.soon(),
      say: (lines) =>
        screen.frame(
          lines.map((line) => painted(line, styled)),
          [],
        ),
      columns: () => screen.size().columns,
    },
    onLeave: left.resolve,
    onAnswered(answered, runs) {
      for (const run of runs) toResume.add(run);
      open = open.filter((question) => !answered.includes(question));
      panel.take(open);
      if (open.length === 0) left.resolve();
    },
    onProblem: left.reject,
  });
  const frames = frameTimer(() => {
    const { columns, rows } = screen.size();
    if (!isLent()) screen.frame([], panel.lines({ columns, rows: rows - 1 }, Date.now()));
  });
  panel.take(open);
  const keys = readKeys(press, left.resolve);
  process.on("SIGINT", left.resolve);
  process.stdout.on("resize", frames.soon);
  frames.soon();
  try {
    await left.promise;
  } finally {
    frames.stop();
    process.off("SIGINT", left.resolve);
    process.stdout.off("resize", frames.soon);
    keys.stop();
    screen.frame([], []);
  }
  return { answered: questions.length - open.length, toResume };
}

async function answeredInLines(questions: readonly ShownQuestion[]): Promise<Answered> {
  const toResume = new Set<string>();
  const lines = typedLines();
  if (questions.length > 1) write(`${count(questions.length, "question")} for you`);
  try {
    const answered = await answerEach(questions, {
      ...{ columns: process.stdout.columns || 80, now: Date.now(), ask: lines.ask },
      show: (texts) => {
        for (const line of texts) write(painted(line, styled));
      },
      async post(question, answer) {
        const posted = await postAnswer(question, answer);
        if (posted.stands && !posted.goesOn) toResume.add(question.run);
        return posted;
      },
      showLog: async ({ run, checkpoint }) => void (await showLog(run, checkpoint.subtask ?? "")),
    });
    return { answered, toResume };
  } finally {
    lines.close();
  }
}
