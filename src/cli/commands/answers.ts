/**
 * `unstuck inbox` and `unstuck resolve`: the open questions of this repository's runs or of all, and answering
 * one.
 */
import { Command } from "commander";
import { count } from "../../core/amounts.ts";
import type { Answer } from "../../core/run/input.ts";
import { tameLine } from "../../core/foreign-text.ts";
import { answerWords } from "../../core/report/recovery-words.ts";
import { refuseInsideAttempt } from "../../operations/inside-attempt.ts";
import { findQuestion, openQuestions, readAmounts } from "../answering.ts";
import type { Question } from "../answering.ts";
import { openHome } from "../../operations/home.ts";
import { styled, textColumns, UsageError, write, writeJson } from "../io.ts";
import { openUserJournal } from "../../operations/journal.ts";
import { wrapped } from "../screen/text-width.ts";
import { lateWords, postAnswer } from "../posting.ts";
import { takenTree } from "../taken-tree.ts";
import { runsByPlace } from "../this-repository.ts";

export function inbox(): Command {
  return new Command("inbox")
    .summary("open questions of this repository's runs")
    .option("--all", "of all repositories")
    .option("--json", "as JSON")
    .action(async (flags: { all?: boolean; json?: boolean }) => {
      const journal = await openUserJournal(openHome());
      try {
        const { here, own, others } = await runsByPlace(journal);
        const isAll = flags.all === true || here === undefined;
        const elsewhere = await openQuestions(journal, others);
        const questions = [...(await openQuestions(journal, own)), ...(isAll ? elsewhere : [])];
        for (const question of questions)
          if (flags.json === true)
            writeJson({
              ...{ run: question.row.id, repository: question.row.repo, ...question.checkpoint },
              ...(question.given === undefined ? {} : { given: question.given }),
            });
          else write(described(question, isAll));
        if (flags.json === true) return;
        if (questions.length === 0)
          write(isAll ? "nobody waits for you" : "nobody waits for you here");
        else if (questions.some(({ given }) => given === undefined))
          write("answer them with: unstuck review");
        if (!isAll && elsewhere.length > 0)
          write(
            `${count(elsewhere.length, "question")} in other repositories: unstuck inbox --all`,
          );
      } finally {
        await journal.close();
      }
    });
}

interface Flags {
  readonly run?: string;
  readonly skip?: boolean;
  readonly retry?: string | true;
  readonly manual?: boolean;
  readonly done?: boolean;
  readonly topUp?: string;
  readonly without?: boolean;
  readonly json?: boolean;
}

export function resolve(): Command {
  return new Command("resolve")
    .summary("answer a question of a run")
    .argument("<checkpoint>", "as unstuck inbox shows it, for example login/c1")
    .option(
      "--run <run>",
      "id or a part of it; needed for other repositories, and where several runs ask alike",
    )
    .option("--skip", "skip the subtask")
    .option("--retry [words]", "try again, with your words in the prompt")
    .option("--manual", "you handle it yourself")
    .option("--done", "with --manual: you are done; it is checked")
    .option("--top-up <amounts>", "raise the budget, for example usd=5,minutes=30")
    .option("--without", "go on without the checks that cannot run")
    .option("--json", "as JSON")
    .action(async (id: string, flags: Flags) => {
      refuseInsideAttempt("resolve");
      const answer = answerOf(flags);
      const home = openHome();
      const journal = await openUserJournal(home);
      try {
        const question = await findQuestion(journal, id, flags.run);
        const run = question.row.id;
        const posted = await postAnswer(journal, home.runDir(run), question, answer);
        if (!posted.stands) throw new UsageError(lateWords(question, posted.first));
        const { ownerAlive } = posted;
        const isTaken = answer.kind === "manual" && !answer.done;
        const folder = isTaken ? await takenTree(home, journal, question) : undefined;
        const named = folder === undefined ? {} : { folder };
        if (flags.json === true) writeJson({ run, checkpoint: id, answer, ownerAlive, ...named });
        else if (isTaken) write(takenWords(question, folder));
        else write(ownerAlive ? "answered" : `answered; go on with: unstuck resume ${run}`);
      } finally {
        await journal.close();
      }
    });
}

const takenWords = ({ row, checkpoint }: Question, folder: string | undefined): string =>
  [
    `it is in your hands; when you are done: unstuck resolve ${checkpoint.id} --run ${row.id} --manual --done`,
    ...(folder === undefined ? [] : [`its files: ${tameLine(folder, 1000)}`]),
  ].join("\n");

function answerOf(flags: Flags): Answer {
  const given = [flags.skip, flags.retry, flags.manual, flags.topUp, flags.without].filter(
    (flag) => flag !== undefined,
  );
  if (given.length !== 1)
    throw new UsageError("give one of --skip, --retry, --manual, --top-up, --without");
  if (flags.without === true) return { kind: "without" };
  if (flags.done === true && flags.manual !== true)
    throw new UsageError("--done goes with --manual");
  if (flags.retry !== undefined)
    return { kind: "retry", words: flags.retry === true ? "" : flags.retry };
  if (flags.manual === true) return { kind: "manual", done: flags.done === true };
  if (flags.topUp === undefined) return { kind: "skip" };
  const by = readAmounts(flags.topUp);
  if ("problem" in by) throw new UsageError(`--top-up: ${by.problem}`);
  return { kind: "top-up", by };
}

function described({ row, checkpoint, given }: Question, namesRepository: boolean): string {
  const { id, question, context, options, recommendation, takenBy, also = [] } = checkpoint;
  const choices = options.map(
    ({ answer, label }) =>
      `${label} (${answer}${answer === recommendation ? ", recommended" : ""})`,
  );
  const text = [
    question,
    ...(context.error === "" ? [] : [tameLine(context.error, 200)]),
    ...(context.advice === undefined ? [] : [context.advice]),
    ...(context.questions ?? []),
    ...(context.blocksCount === 0
      ? []
      : [`blocks ${context.blocksCount}: ${context.blocks.join(", ")}`]),
    ...(also.length === 0
      ? []
      : [`also for ${also.map((other) => tameLine(other, 60)).join(", ")}`]),
    ...(takenBy === undefined || given !== undefined
      ? []
      : [`${tameLine(takenBy, 60)} handles it by hand; when done: --manual --done`]),
    given === undefined
      ? choices.join(" · ")
      : `answered by ${tameLine(given.by, 60)}: ${answerWords(given.answer)}; go on with: unstuck resume ${row.id}`,
  ];
  const where = namesRepository ? ` of ${tameLine(row.repo, 200)}` : "";
  return [`${styled("bold", id)}  run ${row.id}${where}`, ...text.flatMap(indented)].join("\n");
}

/** On a terminal in its width; elsewhere a line stays one. */
const indented = (text: string): readonly string[] =>
  wrapped(text, textColumns() - 2).map((line) => `  ${line}`);
