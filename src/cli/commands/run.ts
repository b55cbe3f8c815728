/**
 * `unstuck run`, `resume`, `stop`, `cancel`: working on a run in this terminal, pausing it and ending it for good. The
 * run is shown as it progresses; at the end come its outcome and the next commands. SIGINT and SIGTERM pause it, a
 * second one exits at once; SIGHUP ends nothing. Exit codes are those of `EXIT`.
 */
import { Command } from "commander";
import { PLAN_FILE } from "../../operations/runs/given-plan.ts";
import type { Context, InputOf } from "../../operations/operation.ts";
import {
  type ResumeHappening,
  CANCEL_WAIT_MS,
  cancelRun,
  PAUSE_WAIT_MS,
  resumeAll,
  resumeRun,
  stopRun,
} from "../../operations/runs/resume.ts";
import { startRun } from "../../operations/runs/start.ts";
import type { LeftRun, Pause } from "../../operations/runs/work-on-run.ts";
import {
  commandOnRun,
  EXIT,
  outliveOutput,
  perform,
  tell,
  textColumns,
  write,
  writeJson,
  type Flags,
} from "../io.ts";
import { numberOf, UsageError } from "../read-input.ts";
import { hasScreen, runScreen, type RunScreen } from "../screen/run-screen.ts";
import { ownsTerminal } from "../screen/keys.ts";
import { wrapped } from "../screen/line.ts";
import { printHappening, writeCard, writeResult } from "./watch.ts";

type StartInput = InputOf<typeof startRun>;
type NumberFlag = "concurrency" | "stuckAfter" | "recoveryBudget" | "progressThreshold";
type OtherFlag = "plan" | "checks" | "setup" | "view" | "detach" | "measured";

type StartFlags = Flags<Omit<StartInput, NumberFlag | OtherFlag>> & {
  readonly [flag in NumberFlag]?: string;
} & {
  readonly check?: readonly string[];
  readonly setup?: readonly string[] | false;
  readonly detach?: boolean;
  readonly serve?: boolean;
};

export function run(): Command {
  return new Command("run")
    .description(
      "Runs a plan (unstuck.yaml) or a goal through an agent command, in a clone of this repository.",
    )
    .argument(
      "[plan]",
      `plan file; default: ${PLAN_FILE} here or above, up to the repository's root`,
    )
    .option("--goal <text>", "what you want done, instead of a plan file")
    .option(
      "--agent <command>",
      "agent command; {prompt}, {promptFile}, {model} and {thinking} are filled in",
    )
    .option("--check <command...>", "a command that verifies the goal; exit code 0 means it passed")
    .option(
      "--setup <command...>",
      "prepares each working tree; default: what the lock file asks for",
    )
    .option("--no-setup", "skip set-up, whatever the plan or the lock file says")
    .option("--carry <path...>", "untracked paths that are copied into each working tree")
    .option("--policy <name>", "recovery policy: adaptive (default), a preset or a file")
    .option(
      "--concurrency <n>",
      "how many agents at a time; default: one subtask, with its explored branches side by side",
    )
    .option("--grounding", "a read-only first subtask that looks before anything is changed")
    .option("--no-grounding", "no read-only first subtask")
    .option("--stuck-after <n>", "attempts without progress before recovery")
    .option("--recovery-budget <n>", "how many agent starts recovery may use per subtask")
    .option("--progress-threshold <x>", "a score below this is no progress")
    .option("--with-changes", "start from the working tree with its uncommitted changes")
    .option("--in-place", "let agents work in this checkout itself; unstuck undo reverts it")
    .option("--trust", "trust the commands in the plan file")
    .option("--full-permissions", "start agents without any permission checks of their own")
    .option(
      "--history <run>",
      "tell agents what failed at the same subtasks in an earlier or imported run",
    )
    .option("--detach", "run in the background; watch it with unstuck attach")
    .option("--serve", "also show it in the browser while it runs")
    .option("--json", "events as JSON lines, then the result")
    .action(async (plan: string | undefined, flags: StartFlags) => {
      process.exitCode = await start(plan, flags);
    });
}

async function start(plan: string | undefined, flags: StartFlags): Promise<number> {
  const { check, setup, json = false, detach, serve, ...same } = flags;
  if (serve === true && detach === true)
    throw new UsageError("--serve does not go with --detach; use: unstuck serve");
  const input = {
    ...same,
    plan,
    checks: check,
    setup: setup === false ? [] : setup,
    concurrency: numberOf("concurrency", flags.concurrency, 1, 64),
    stuckAfter: numberOf("stuck-after", flags.stuckAfter, 1, 1000),
    recoveryBudget: numberOf("recovery-budget", flags.recoveryBudget, 0, 1000),
    progressThreshold: numberOf("progress-threshold", flags.progressThreshold, 0, 1, false),
    detach: detach === true ? process.argv.slice(2) : undefined,
  };
  if (serve !== true) return startInTerminal(json, input);
  const stop = await (await import("./serve.ts")).serveBeside();
  return startInTerminal(json, input).finally(stop);
}

/** Returns the exit code. */
export const startInTerminal = (json: boolean, input: Omit<StartInput, "view">): Promise<number> =>
  workInTerminal(json, async (view, how) => {
    const left = await perform(startRun, { ...input, view }, how);
    if (!("log" in left)) return left;
    if (json) writeResult(left);
    else write(`run ${left.run} is running in the background: unstuck attach ${left.run}`);
    return undefined;
  });

type ResumeInput = Omit<InputOf<typeof resumeRun>, "run" | "view">;
type ResumeFlags = Flags<ResumeInput & InputOf<typeof resumeAll> & { readonly all?: boolean }>;

export function resume(): Command {
  return commandOnRun("resume")
    .description(
      "Continues a run from where it stopped. Attempts that were running when it stopped are ended for certain first, and reported as lost.",
    )
    .option("--all", "every run that can continue, each in its own process")
    .option("--only-cut-off", "with --all: not what a person stopped; what the service does")
    .option("--retry <subtask>", "let a subtask that ended unverified try again")
    .option("--words <text>", "with --retry: what to tell the agent")
    .option("--json", "events as JSON lines, then the result")
    .action(async (run: string | undefined, flags: ResumeFlags) => {
      const { all, onlyCutOff, retry, words, json = false } = flags;
      if (all === true) {
        const { resumed } = await perform(resumeAll, { onlyCutOff });
        if (json) return writeJson({ resumed });
        for (const id of resumed) write(`resumed ${id}`);
        if (resumed.length === 0) write("no run to resume");
      } else
        process.exitCode = await workInTerminal(json, (view, how) =>
          perform(resumeRun, { run, retry, words, view }, how),
        );
    });
}

/** Ctrl-C comes from a person; SIGTERM, as at a shutdown, does not. */
const PAUSES: { readonly [signal in NodeJS.Signals]?: Pause } = {
  SIGINT: { by: "user", reason: "stopped with Ctrl-C" },
  SIGTERM: { by: "system", reason: "its process was terminated (SIGTERM)" },
};

const EXITS: { readonly [end in LeftRun["end"]]: number } = {
  verified: EXIT.ok,
  unverified: EXIT.unverified,
  failed: EXIT.failed,
  budget: EXIT.budget,
  "needs-person": EXIT.needsPerson,
  paused: EXIT.paused,
};

type How = Pick<Context, "tell" | "signal" | "attended" | "watched"> & {
  on: (happening: ResumeHappening) => void;
};

/** Returns the exit code. `work` yields undefined if the run continues in the background. */
async function workInTerminal(
  json: boolean,
  work: (view: "end" | "live", how: How) => Promise<LeftRun | undefined>,
): Promise<number> {
  const view = !json && hasScreen() ? "live" : "end";
  const pausing = new AbortController();
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  let screen: RunScreen | undefined;
  let isWorking = false;
  const say = (words: string): void => {
    if (screen !== undefined) screen.say(words);
    else tell(isWorking ? words : wrapped(words, textColumns()).join("\n"));
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (pausing.signal.aborted) process.exit(EXIT.paused);
    say("Stopping... press Ctrl-C again to force quit");
    pausing.abort(PAUSES[signal]);
  };
  const begin = (run: string): void => {
    isWorking = true;
    outliveOutput(run);
    if (view === "live") screen = runScreen(process.stdout, leave);
    process.on("SIGINT", onSignal);
    process.on("SIGTERM", onSignal);
    process.on("SIGHUP", () => {
      leave();
      say(`the terminal is gone, the run continues: unstuck attach ${run}`);
    });
  };
  const on = (happening: ResumeHappening): void => {
    if (happening.kind === "working") begin(happening.run);
    else if (happening.kind === "ended-before") {
      if (!json) write(`run ${happening.run} has ended: ${happening.outcome}`);
    } else if (screen === undefined) printHappening(happening, json);
    else screen.take(happening);
  };
  const attended = view === "live" && ownsTerminal() ? { attended: leaving.signal } : {};
  const how = { tell: say, signal: pausing.signal, ...attended, watched: process.stdout.isTTY, on };
  const left = await work(view, how).finally(() => screen?.end());
  if (left === undefined) return EXIT.ok;
  if (json) writeResult(left);
  else writeCard(left.card);
  return EXITS[left.end];
}

export function stop(): Command {
  return commandOnRun("stop")
    .description("Stops a run gracefully. Nothing is lost or used up; unstuck resume continues it.")
    .option("--json", "as JSON")
    .action(async (asked: string | undefined, flags: Flags) => {
      const stopped = await perform(stopRun, { run: asked });
      const { run, phase, begun, paused, outcome } = stopped;
      const isOpen = phase !== "ended" && begun;
      if (isOpen && !paused) process.exitCode = EXIT.failed;
      if (flags.json === true) return writeJson(stopped);
      if (phase === "ended") return write(`run ${run} has already ended: ${outcome?.kind ?? ""}`);
      if (!isOpen) return write(`run ${run} never started; remove it: unstuck clean ${run}`);
      write(
        paused
          ? `run ${run} is paused; continue with: unstuck resume ${run}`
          : `run ${run} was told to stop and is still running after ${PAUSE_WAIT_MS / 1000} s: unstuck attach ${run}`,
      );
    });
}

export function cancel(): Command {
  return new Command("cancel")
    .description(
      "Ends a run for good, even one that is waiting. Whatever is verified by then is published.",
    )
    .argument("<run>", "id or a part of it")
    .option("--json", "as JSON")
    .action(async (asked: string, flags: Flags) => {
      const cancelled = await perform(cancelRun, { run: asked });
      const { run, ended, before, outcome } = cancelled;
      if (!ended) process.exitCode = EXIT.failed;
      if (flags.json === true) return writeJson(cancelled);
      if (before === "ended") return write(`run ${run} has already ended: ${outcome?.kind ?? ""}`);
      write(
        ended
          ? `run ${run} is cancelled; see what it did: unstuck diff ${run}`
          : `run ${run} was told to end and is still running after ${CANCEL_WAIT_MS / 1000} s: unstuck attach ${run}`,
      );
    });
}
