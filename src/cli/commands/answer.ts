/**
 * `unstuck inbox` and `unstuck resolve`: the open questions of this repository's runs, or of all runs, and answering
 * one.
 */
import { Command } from "commander";
import {
  answerQuestion,
  RETRY_METHODS,
  type RetryMethod,
} from "../../operations/questions/answer.ts";
import { inbox as openQuestions } from "../../operations/questions/inbox.ts";
import { count, cleanLine } from "../../operations/text.ts";
import { perform, styled, textColumns, write, writeJson } from "../io.ts";
import { UsageError } from "../read-input.ts";
import { takenOverWords } from "../screen/carry-out.ts";
import { painted } from "../screen/line.ts";
import { listedQuestions } from "../screen/question-list.ts";
import { readAmounts, type Answer } from "../screen/question.ts";
import { canAsk } from "../typed-answers.ts";

export function inbox(): Command {
  return new Command("inbox")
    .option("--all", "of all repositories")
    .option("--json", "as JSON")
    .action(async (flags: { all?: boolean; json?: boolean }) => {
      const { questions, all, elsewhere } = await perform(openQuestions, { all: flags.all });
      if (flags.json === true) return questions.forEach(writeJson);
      const size = { columns: textColumns(), now: Date.now(), namesRepository: all };
      const listed = questions.map((question) => ({ ...question, checkpoint: question }));
      for (const line of listedQuestions(listed, size)) write(painted(line, styled));
      if (questions.length === 0) write(all ? "No open questions." : "No open questions here.");
      else write("");
      if (elsewhere > 0)
        write(`${count(elsewhere, "question")} in other repositories: unstuck inbox --all`);
      if (!questions.some(({ given }) => given === undefined)) return;
      if (canAsk()) return (await import("./review.ts")).offerReview(all);
      write(`Answer them here: ${styled("bold", `unstuck review${all ? " --all" : ""}`)}`);
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
  readonly otherAgent?: boolean;
  readonly allow?: string;
  readonly how?: string;
  readonly json?: boolean;
}

export function resolve(): Command {
  return new Command("resolve")
    .argument("<checkpoint>", "as unstuck inbox shows it, for example login/c1")
    .option(
      "--run <run>",
      "id or a part of it; needed for other repositories, and where several runs ask alike",
    )
    .option("--skip", "skip the subtask")
    .option("--retry [words]", "try again, with your words in the prompt")
    .option(
      "--how <way>",
      "with --retry: fresh, steps, other-model or stronger-model, as the question offers it",
    )
    .option("--manual", "you handle it yourself")
    .option("--done", "with --manual: you are done; it is checked")
    .option("--top-up <amounts>", "raise the budget, for example usd=5,minutes=30")
    .option("--without", "go on without the checks that cannot run, or the call that was refused")
    .option("--allow <how-long>", "once, run or always: what the agent's gate refused")
    .option("--other-agent", "try again with another agent of the plan")
    .option("--json", "as JSON")
    .action(async (question: string, flags: Flags) => {
      const answer = answerOf(flags);
      const answered = await perform(answerQuestion, { question, run: flags.run, answer });
      if (flags.json === true) return writeJson(answered);
      const { run, ownerAlive, folder, alike = [] } = answered;
      if (answer.kind !== "manual" || answer.done) {
        write(ownerAlive ? "answered" : `answered; go on with: unstuck resume ${run}`);
        for (const other of alike)
          write(`the same for ${cleanLine(other.question, 60)} of run ${other.run}`);
        return;
      }
      write(takenOverWords(run, question));
      if (folder !== undefined) write(`its files: ${cleanLine(folder, 1000)}`);
    });
}

function answerOf(flags: Flags): Answer {
  const { skip, retry, manual, topUp, without, otherAgent, allow } = flags;
  const given = [skip, retry, manual, topUp, without, otherAgent, allow].filter(
    (flag) => flag !== undefined,
  );
  if (given.length !== 1)
    throw new UsageError(
      "give one of --skip, --retry, --manual, --top-up, --without, --other-agent, --allow",
    );
  if (without === true) return { kind: "without" };
  if (allow !== undefined) return allowance(allow);
  if (otherAgent === true) return { kind: "other-agent" };
  if (flags.how !== undefined && flags.retry === undefined)
    throw new UsageError("--how goes with --retry");
  if (flags.done === true && flags.manual !== true)
    throw new UsageError("--done goes with --manual");
  if (flags.retry !== undefined)
    return { kind: "retry", words: flags.retry === true ? "" : flags.retry, ...wayOf(flags) };
  if (flags.manual === true) return { kind: "manual", done: flags.done === true };
  if (flags.topUp === undefined) return { kind: "skip" };
  const by = readAmounts(flags.topUp);
  if ("problem" in by) throw new UsageError(`--top-up: ${by.problem}`);
  return { kind: "top-up", by };
}

function wayOf({ how }: Flags): { readonly how?: RetryMethod } {
  if (how === undefined) return {};
  const way = RETRY_METHODS.find((one) => one === how);
  if (way !== undefined) return { how: way };
  throw new UsageError(`--how: expected ${RETRY_METHODS.join(", ")}, got ${cleanLine(how, 40)}`);
}

function allowance(howLong: string): Answer {
  if (howLong === "once") return { kind: "allow-once" };
  if (howLong === "run") return { kind: "allow-run" };
  if (howLong === "always") return { kind: "allow-always" };
  throw new UsageError(`--allow: expected once, run or always, got ${cleanLine(howLong, 40)}`);
}
