/**
 * `unstuck review`: goes through the open questions in a terminal, each with its context, report and diff, and
 * posts answers exactly as `resolve` does. Without a terminal it says what to use.
 */
import { createInterface } from "node:readline";
import { Command } from "commander";
import { tameLine } from "../../core/foreign-text.ts";
import { answerWords } from "../../core/report/recovery-words.ts";
import { subtaskReport } from "../../core/report/subtask-report.ts";
import type { Answer } from "../../core/run/input.ts";
import { OWN_TREE, subtaskAt } from "../../core/run/state.ts";
import { diffText } from "../../workspace/git/diff.ts";
import { slotWorktree } from "../../workspace/git/worktree.ts";
import { refuseBelowAttempt } from "../answer-gate.ts";
import { askedRuns, openQuestions } from "../answering.ts";
import type { GivenAnswer, Question } from "../answering.ts";
import { openHome } from "../home.ts";
import type { Home } from "../home.ts";
import { styled, textColumns, UsageError, write } from "../io.ts";
import { openUserJournal } from "../journal.ts";
import type { Journal } from "../../journal/journal.ts";
import { lateWords, postAnswer } from "../posting.ts";
import { recordedRun } from "../recorded-run.ts";
import { redact } from "../redaction.ts";
import { lastTree, reportedSubtask } from "../reported-subtask.ts";
import { review } from "../review.ts";
import { workspaceOf } from "../run-command.ts";
import { painted } from "../screen/line.ts";
import type { ShownQuestion } from "../screen/question.ts";
import { wrapped } from "../screen/text-width.ts";
import { takenTree } from "../taken-tree.ts";

export function command(): Command {
  return new Command("review")
    .summary("look at open questions and answer them")
    .argument("[run]", "id or a part of it; default: all of this repository")
    .action(async (asked: string | undefined) => {
      refuseBelowAttempt("review");
      if (!process.stdin.isTTY || !process.stdout.isTTY)
        throw new UsageError("review needs a terminal; use unstuck inbox and unstuck resolve");
      const home = openHome();
      const journal = await openUserJournal(home);
      try {
        await reviewAll(home, journal, asked);
      } finally {
        await journal.close();
      }
    });
}

async function reviewAll(home: Home, journal: Journal, asked: string | undefined): Promise<void> {
  const all = await openQuestions(journal, await askedRuns(journal, asked));
  if (all.length === 0) return write("nobody waits for you");
  for (const question of all) if (question.given !== undefined) tellGiven(question, question.given);
  const questions = all.filter(({ given }) => given === undefined);
  if (questions.length === 0) return;
  const shown = new Map<ShownQuestion, Question>();
  for (const question of questions) shown.set(await prepared(journal, question), question);
  const toResume = new Set<string>();
  const lines = typedLines();
  try {
    const answered = await review([...shown.keys()], {
      get columns() {
        return process.stdout.columns || 80;
      },
      show: (texts) => {
        for (const line of texts) write(painted(line, styled));
      },
      ask: lines.ask,
      async post(question, answer) {
        const open = shown.get(question);
        if (open === undefined) throw new Error("broken invariant: an unknown question");
        const posted = await postAnswer(journal, home.runDir(open.row.id), open, answer);
        if (!posted.stands) return { stands: false, words: lateWords(open, posted.first) };
        if (answer.kind === "manual" && !answer.done) await takenTree(home, journal, open);
        else if (!posted.ownerAlive) toResume.add(open.row.id);
        return { stands: true, words: nextWords(answer, open, posted.ownerAlive) };
      },
    });
    write(`\n${answered} of ${questions.length} answered`);
    for (const run of toResume) write(`go on with: ${styled("bold", `unstuck resume ${run}`)}`);
  } finally {
    lines.close();
  }
}

/** Answered, though nobody has taken the answer yet. */
const tellGiven = ({ row, checkpoint }: Question, { answer, by }: GivenAnswer): void => {
  const words = `${checkpoint.id} is answered by ${tameLine(by, 60)}: ${answerWords(answer)}; go on with: unstuck resume ${row.id}`;
  for (const line of wrapped(words, textColumns())) write(line);
};

function nextWords(answer: Answer, { row, checkpoint }: Question, ownerAlive: boolean): string {
  if (answer.kind === "manual" && !answer.done)
    return `it is in your hands; when you are done: unstuck resolve ${checkpoint.id} --run ${row.id} --manual --done`;
  return ownerAlive ? "answered; the run goes on" : "answered";
}

const DIFF_BYTES = 200_000;

async function prepared(journal: Journal, question: Question): Promise<ShownQuestion> {
  const { row, checkpoint } = question;
  const recorded = await recordedRun(journal, row.id);
  const { state, history } = recorded;
  const shown = { run: row.id, checkpoint, diff: "" };
  const index = state.graph.indexOf.get(checkpoint.subtask ?? "");
  const past = history.subtasks.get(checkpoint.subtask ?? "");
  if (index === undefined || past === undefined)
    return { ...shown, report: `${checkpoint.question}\n${checkpoint.context.error}` };
  const workspace = await workspaceOf({ journal, row }).catch(() => undefined);
  const report = subtaskReport(await reportedSubtask(recorded, index, "asking", workspace));
  if (workspace === undefined) return { ...shown, past, report };
  const to = lastTree(past) ?? workspace.base;
  const diff = await diffText(workspace, { from: workspace.base, to, maxBytes: DIFF_BYTES });
  const slot = subtaskAt(state, index).slots[OWN_TREE];
  return {
    ...shown,
    past,
    report,
    diff: diff.ok ? redact(diff.value.text) : "",
    ...(slot === undefined ? {} : { folder: slotWorktree(workspace, slot).path }),
  };
}

/** A pasted text comes as lines in one go: they are one answer, not several. */
const PASTE_MS = 40;

/** Answers as they are typed; what is typed before it is asked for is passed over; nothing once input has ended. */
function typedLines(): {
  readonly ask: (prompt: string) => Promise<string | undefined>;
  readonly close: () => void;
} {
  const reading = createInterface({ input: process.stdin, output: process.stdout });
  let closed = false;
  let lines: string[] | undefined;
  let settle = (): void => {};
  reading.on("line", (line) => {
    lines?.push(line);
    if (lines?.length === 1) setTimeout(settle, PASTE_MS);
  });
  reading.on("close", () => {
    closed = true;
    settle();
  });
  return {
    async ask(prompt) {
      if (closed) return undefined;
      lines = [];
      reading.setPrompt(prompt);
      reading.prompt();
      await new Promise<void>((resolve) => (settle = resolve));
      const typed = lines;
      lines = undefined;
      return typed.length === 0 ? undefined : typed.join("\n");
    },
    close: () => reading.close(),
  };
}
