/**
 * Owns a run in this terminal and shows it as it goes on; says at the end what came of it and what to do next.
 * SIGINT and SIGTERM pause it, a second one lets go at once; SIGHUP ends nothing.
 */
import { vectorItems } from "../core/persistent-vector.ts";
import type { RunState } from "../core/run/state.ts";
import { needsPerson } from "../core/run/view.ts";
import type { Journal } from "../journal/journal.ts";
import { follow } from "../engines/follow.ts";
import { EXIT } from "./exit-codes.ts";
import type { Home } from "../operations/home.ts";
import { styled, tell, write, writeJson } from "./io.ts";
import { outliveOutput } from "./lost-output.ts";
import { ownRun } from "./own-run.ts";
import type { OwnOptions, Pause, Retry } from "./own-run.ts";
import type { Pinned } from "./pinned.ts";
import { writeSummary } from "./plain-summary.ts";
import { lineOf } from "./run-lines.ts";
import { painted } from "./screen/line.ts";
import { hasScreen, watchScreen } from "./screen/watch-screen.ts";
import type { ScreenWatch } from "./screen/watch-screen.ts";

export interface WatchOptions {
  readonly home: Home;
  readonly run: string;
  readonly journal: Journal;
  readonly pinned: Pinned;
  readonly isNew: boolean;
  readonly retry?: Retry;
  readonly first?: OwnOptions["first"];
  readonly json: boolean;
}

/** Ctrl-C is a person's; what ends processes at a shutdown is not. */
const PAUSES: { readonly [signal in NodeJS.Signals]?: Pause } = {
  SIGINT: { by: "user", reason: "stopped with Ctrl-C" },
  SIGTERM: { by: "system", reason: "its process was told to end (SIGTERM)" },
};

const goesOn = (run: string): string => `the run goes on: unstuck attach ${run}`;

export async function watchRun(options: WatchOptions): Promise<number> {
  const { home, run, journal, pinned, json } = options;
  outliveOutput(run);
  const pausing = new AbortController();
  const shown = new AbortController();
  const from = ((await journal.run(run))?.seq ?? 0) + 1;
  const watching = watch(options, from, shown.signal);
  const onSignal = (signal: NodeJS.Signals): void => {
    if (pausing.signal.aborted) process.exit(EXIT.paused);
    watching.say("pausing; once more to let go at once");
    pausing.abort(PAUSES[signal]);
  };
  const onHangUp = (): void => watching.say(`the terminal is gone; ${goesOn(run)}`);
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  process.on("SIGHUP", onHangUp);
  const state = await ownRun({
    run,
    runDir: home.runDir(run),
    journal,
    pinned,
    isNew: options.isNew,
    ...(options.retry === undefined ? {} : { retry: options.retry }),
    ...(options.first === undefined ? {} : { first: options.first }),
    onAsk: () => undefined,
    onProblem: (problem) =>
      watching.say(`unstuck: ${problem instanceof Error ? problem.message : String(problem)}`),
    pause: pausing.signal,
  }).finally(() => shown.abort());
  await watching.done;
  process.off("SIGINT", onSignal);
  process.off("SIGTERM", onSignal);
  process.off("SIGHUP", onHangUp);
  if (!json && !hasScreen()) await writeSummary(journal, run);
  return codeOf(state);
}

/** On a terminal a live tree, else plain lines or JSON; problems then go to standard error. */
function watch(options: WatchOptions, from: number, signal: AbortSignal): ScreenWatch {
  const { journal, run, home, pinned, json } = options;
  if (!json && hasScreen())
    return watchScreen({
      journal,
      run,
      runDir: home.runDir(run),
      agents: pinned.plan.agents,
      from,
      signal,
    });
  return {
    say: tell,
    done: print(options, from, signal),
  };
}

async function print(
  { journal, run, json }: WatchOptions,
  from: number,
  signal: AbortSignal,
): Promise<void> {
  let next = from;
  for await (const { seq, event } of follow(journal, run, from, signal)) {
    next = seq + 1;
    show(seq, event, json);
  }
  for (const { seq, event } of await journal.read(run, next, 10_000)) show(seq, event, json);
}

function show(seq: number, event: Parameters<typeof lineOf>[0], json: boolean): void {
  if (json) return writeJson({ seq, event });
  const line = lineOf(event);
  if (line !== undefined) write(painted(line, styled));
}

/** Every open question is about money or time. */
function onlyBudget({ checkpoint, subtasks }: RunState): boolean {
  const open = [checkpoint, ...vectorItems(subtasks).map((own) => own.checkpoint)];
  return open.every((question) => question === undefined || question.trigger === "BUDGET");
}

function codeOf(state: RunState): number {
  if (state.paused !== undefined) return EXIT.paused;
  if (needsPerson(state)) return onlyBudget(state) ? EXIT.budget : EXIT.needsPerson;
  switch (state.outcome?.kind) {
    case "verified":
      return EXIT.ok;
    case "unverified":
      return EXIT.unverified;
    case "budget":
      return EXIT.budget;
    default:
      return EXIT.failed;
  }
}
