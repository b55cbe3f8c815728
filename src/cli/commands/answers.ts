/**
 * `unstuck inbox` and `unstuck resolve`: the open questions of all runs, and answering one. Imports journal and core.
 * The answer goes through the run's inbox: whoever owns the run takes it; the first answer stands.
 */
import { Command } from "commander";
import type { Budget } from "../../core/budget.ts";
import { vectorItems } from "../../core/persistent-vector.ts";
import type { Checkpoint } from "../../core/run/checkpoint.ts";
import type { Answer } from "../../core/run/input.ts";
import type { RunState } from "../../core/run/state.ts";
import { tameLine } from "../../core/foreign-text.ts";
import { systemProcesses } from "../../engines/system-processes.ts";
import { openHome } from "../home.ts";
import { styled, UsageError, write, writeJson } from "../io.ts";
import { openUserJournal } from "../journal.ts";
import { aboutRun, refuseInsideAttempt } from "../run-command.ts";
import { recordedState } from "../run-state.ts";

export function inbox(): Command {
  return new Command("inbox")
    .summary("open questions of all runs")
    .option("--json", "as JSON")
    .action(async (flags: { json?: boolean }) => {
      const journal = await openUserJournal(openHome());
      try {
        let count = 0;
        for (const { id, phase } of await journal.runs()) {
          if (phase === "ended") continue;
          for (const checkpoint of openCheckpoints(await recordedState(journal, id))) {
            count += 1;
            if (flags.json === true) writeJson({ run: id, ...checkpoint });
            else write(described(id, checkpoint));
          }
        }
        if (count === 0 && flags.json !== true) write("nobody waits for you");
      } finally {
        await journal.close();
      }
    });
}

interface Flags {
  readonly run?: string;
  readonly skip?: boolean;
  readonly retry?: string;
  readonly manual?: boolean;
  readonly done?: boolean;
  readonly topUp?: string;
  readonly json?: boolean;
}

export function resolve(): Command {
  return new Command("resolve")
    .summary("answer a question of a run")
    .argument("<checkpoint>", "as unstuck inbox shows it, for example login/c1")
    .option("--run <run>", "id or a part of it; default: the latest")
    .option("--skip", "skip the subtask")
    .option("--retry <words>", "try again, with your words in the prompt")
    .option("--manual", "you handle it yourself")
    .option("--done", "with --manual: you are done; it is checked")
    .option("--top-up <amounts>", "raise the budget, for example usd=5,attempts=3")
    .option("--json", "as JSON")
    .action(async (checkpoint: string, flags: Flags) => {
      refuseInsideAttempt("resolve");
      const answer = answerOf(flags);
      await aboutRun(flags.run, async ({ journal, row }) => {
        if (row.phase === "ended")
          throw new UsageError(`run ${row.id} has ended: ${row.outcome ?? ""}`);
        const open = openCheckpoints(await recordedState(journal, row.id));
        const found = open.find(({ id }) => id === checkpoint);
        if (found === undefined)
          throw new UsageError(
            `run ${row.id} has no open question ${tameLine(checkpoint, 60)}${open.length > 0 ? `; open: ${open.map(({ id }) => id).join(", ")}` : ""}`,
          );
        if (!found.options.some((option) => option.answer === answer.kind))
          throw new UsageError(
            `${checkpoint} offers ${found.options.map((option) => option.answer).join(", ")}`,
          );
        const by = process.env["USER"] ?? "somebody";
        await journal.post(row.id, {
          at: Date.now(),
          chance: 0,
          kind: "checkpoint-answered",
          checkpoint,
          answer,
          by,
        });
        const alive = row.owner !== undefined && !systemProcesses().isDead(row.owner);
        if (flags.json === true) writeJson({ run: row.id, checkpoint, answer, ownerAlive: alive });
        else write(alive ? "answered" : `answered; go on with: unstuck resume ${row.id}`);
      });
    });
}

function answerOf(flags: Flags): Answer {
  const given = [flags.skip, flags.retry, flags.manual, flags.topUp].filter(
    (flag) => flag !== undefined,
  );
  if (given.length !== 1) throw new UsageError("give one of --skip, --retry, --manual, --top-up");
  if (flags.retry !== undefined) return { kind: "retry", words: flags.retry };
  if (flags.manual === true) return { kind: "manual", done: flags.done === true };
  return flags.topUp === undefined
    ? { kind: "skip" }
    : { kind: "top-up", by: amountsOf(flags.topUp) };
}

const MEASURES: Readonly<Record<string, (amount: number) => Budget>> = {
  usd: (usd) => ({ usd }),
  tokens: (tokens) => ({ tokens }),
  attempts: (attempts) => ({ attempts }),
  minutes: (minutes) => ({ timeMs: minutes * 60_000 }),
};

function amountsOf(text: string): Budget {
  let sum: Budget = {};
  for (const part of text.split(",")) {
    const [name = "", amount = ""] = part.split("=");
    const measure = Object.hasOwn(MEASURES, name) ? MEASURES[name] : undefined;
    if (measure === undefined || !(Number(amount) > 0))
      throw new UsageError(
        `--top-up: expected usd=, tokens=, minutes= or attempts= with a number, got ${tameLine(part, 40)}`,
      );
    sum = { ...sum, ...measure(Number(amount)) };
  }
  return sum;
}

function openCheckpoints(state: RunState): Checkpoint[] {
  const own = vectorItems(state.subtasks).flatMap(({ checkpoint }) => checkpoint ?? []);
  return state.checkpoint === undefined ? own : [state.checkpoint, ...own];
}

function described(
  run: string,
  { id, question, context, options, recommendation }: Checkpoint,
): string {
  const blocks =
    context.blocksCount === 0
      ? []
      : [`  blocks ${context.blocksCount}: ${context.blocks.join(", ")}`];
  const choices = options.map(
    ({ answer, label }) =>
      `${label} (${answer}${answer === recommendation ? ", recommended" : ""})`,
  );
  return [
    `${styled("bold", id)}  run ${run}`,
    `  ${question}`,
    ...(context.error === "" ? [] : [`  ${tameLine(context.error, 200)}`]),
    ...blocks,
    `  ${choices.join(" · ")}`,
  ].join("\n");
}
