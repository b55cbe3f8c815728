/**
 * Owns a run in this terminal and prints it as it goes on; says at the end what came of it and what to do next.
 * Imports own-run and the plain lines. SIGINT asks for an orderly stop, a second one lets go at once; SIGHUP ends nothing.
 */
import { isPaused } from "../core/run/view.ts";
import type { Journal } from "../journal/journal.ts";
import { follow } from "../engines/follow.ts";
import { EXIT } from "./exit-codes.ts";
import type { Home } from "./home.ts";
import { styled, write, writeJson } from "./io.ts";
import { ownRun } from "./own-run.ts";
import type { Ended } from "./own-run.ts";
import type { Pinned } from "./pinned.ts";
import { lineOf } from "./run-lines.ts";

export interface WatchOptions {
  readonly home: Home;
  readonly run: string;
  readonly journal: Journal;
  readonly pinned: Pinned;
  readonly start?: { readonly goodCommit?: string };
  readonly json: boolean;
}

export async function watchRun(options: WatchOptions): Promise<number> {
  const { home, run, journal, pinned, json } = options;
  const stop = new AbortController();
  const shown = new AbortController();
  const onInterrupt = (): void => {
    if (stop.signal.aborted) process.exit(EXIT.stopped);
    process.stderr.write("stopping in order; once more to let go at once\n");
    stop.abort();
  };
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onInterrupt);
  process.on("SIGHUP", () => undefined);
  const from = ((await journal.run(run))?.seq ?? 0) + 1;
  const printing = print(options, from, shown.signal);
  const ended = await ownRun({
    run,
    runDir: home.runDir(run),
    journal,
    pinned,
    ...(options.start === undefined ? {} : { start: options.start }),
    onAsk: () => undefined,
    onProblem: (problem) =>
      process.stderr.write(
        `unstuck: ${problem instanceof Error ? problem.message : String(problem)}\n`,
      ),
    stop: stop.signal,
  });
  shown.abort();
  await printing;
  process.off("SIGINT", onInterrupt);
  process.off("SIGTERM", onInterrupt);
  if (!json) write(closing(run, ended));
  return codeOf(ended);
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
  const line = lineOf(event, styled);
  if (line !== undefined) write(line);
}

function closing(run: string, { state, paused }: Ended): string {
  if (paused)
    return `run ${run} waits for a person: unstuck inbox, unstuck resolve, then unstuck resume ${run}`;
  const { outcome } = state;
  if (outcome === undefined) return `run ${run} goes on with: unstuck resume ${run}`;
  const done = outcome.kind === "verified" || outcome.kind === "unverified";
  return done
    ? `result on branch unstuck/${run}; take it over with: unstuck apply ${run}`
    : `what was done is on branch unstuck/${run}`;
}

function codeOf({ state }: Ended): number {
  if (isPaused(state)) return state.checkpoint === undefined ? EXIT.needsPerson : EXIT.budget;
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
