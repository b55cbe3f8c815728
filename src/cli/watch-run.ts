/**
 * Owns a run in this terminal and shows it as it goes on; says at the end what came of it and what to do next.
 * Imports own-run, the screen and the plain lines. SIGINT asks for an orderly stop, a second one lets go at once; SIGHUP ends nothing.
 */
import { vectorItems } from "../core/persistent-vector.ts";
import type { RunState } from "../core/run/state.ts";
import { isPaused } from "../core/run/view.ts";
import type { Journal } from "../journal/journal.ts";
import { follow } from "../engines/follow.ts";
import { EXIT } from "./exit-codes.ts";
import type { Home } from "./home.ts";
import { styled, tell, write, writeJson } from "./io.ts";
import { ownRun } from "./own-run.ts";
import type { Ended, Retry } from "./own-run.ts";
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
  readonly json: boolean;
}

export async function watchRun(options: WatchOptions): Promise<number> {
  const { home, run, journal, pinned, json } = options;
  const stop = new AbortController();
  const shown = new AbortController();
  const from = ((await journal.run(run))?.seq ?? 0) + 1;
  const watching = watch(options, from, shown.signal);
  const onInterrupt = (): void => {
    if (stop.signal.aborted) process.exit(EXIT.stopped);
    watching.say("stopping in order; once more to let go at once");
    stop.abort();
  };
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onInterrupt);
  process.on("SIGHUP", () => undefined);
  const ended = await ownRun({
    run,
    runDir: home.runDir(run),
    journal,
    pinned,
    isNew: options.isNew,
    ...(options.retry === undefined ? {} : { retry: options.retry }),
    onAsk: () => undefined,
    onProblem: (problem) =>
      watching.say(`unstuck: ${problem instanceof Error ? problem.message : String(problem)}`),
    stop: stop.signal,
  }).finally(() => shown.abort());
  await watching.done;
  process.off("SIGINT", onInterrupt);
  process.off("SIGTERM", onInterrupt);
  if (!json && !hasScreen()) await writeSummary(journal, run);
  return codeOf(ended);
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

function codeOf({ state }: Ended): number {
  if (isPaused(state)) return onlyBudget(state) ? EXIT.budget : EXIT.needsPerson;
  switch (state.outcome?.kind) {
    case "verified":
      return EXIT.ok;
    case "unverified":
      return EXIT.unverified;
    case "budget":
      return EXIT.budget;
    case "stopped":
      return EXIT.stopped;
    default:
      return EXIT.failed;
  }
}
