/**
 * Works on a run in this terminal and shows it as it goes on; says at the end what came of it and what to do next.
 * SIGINT and SIGTERM pause it, a second one lets go at once; SIGHUP ends nothing. Exit codes of "Settled" 13.
 */
import type { ResumeHappening } from "../operations/runs/resume.ts";
import type { LeftRun, Pause } from "../operations/runs/work-on-run.ts";
import { EXIT } from "./exit-codes.ts";
import { tell, textColumns, write } from "./io.ts";
import { outliveOutput } from "./lost-output.ts";
import { printHappening, writeSummary } from "./print-run.ts";
import { hasScreen, runScreen } from "./screen/run-screen.ts";
import type { RunScreen } from "./screen/run-screen.ts";
import { wrapped } from "./screen/text-width.ts";

/** Ctrl-C is a person's; what ends processes at a shutdown is not. */
const PAUSES: { readonly [signal in NodeJS.Signals]?: Pause } = {
  SIGINT: { by: "user", reason: "stopped with Ctrl-C" },
  SIGTERM: { by: "system", reason: "its process was told to end (SIGTERM)" },
};

const EXITS: { readonly [end in LeftRun["end"]]: number } = {
  verified: EXIT.ok,
  unverified: EXIT.unverified,
  failed: EXIT.failed,
  budget: EXIT.budget,
  "needs-person": EXIT.needsPerson,
  paused: EXIT.paused,
};

interface How {
  readonly tell: (words: string) => void;
  readonly signal: AbortSignal;
  readonly on: (happening: ResumeHappening) => void;
}

/** The exit code. `work` gives nothing where the run goes on by itself. */
export async function workInTerminal(
  json: boolean,
  work: (view: "end" | "live" | undefined, how: How) => Promise<LeftRun | undefined>,
): Promise<number> {
  const view = json ? undefined : hasScreen() ? "live" : "end";
  const pausing = new AbortController();
  let screen: RunScreen | undefined;
  let isWorking = false;
  const say = (words: string): void => {
    if (screen !== undefined) screen.say(words);
    else tell(isWorking ? words : wrapped(words, textColumns()).join("\n"));
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (pausing.signal.aborted) process.exit(EXIT.paused);
    say("pausing; once more to let go at once");
    pausing.abort(PAUSES[signal]);
  };
  const begin = (run: string): void => {
    isWorking = true;
    outliveOutput(run);
    if (view === "live") screen = runScreen();
    process.on("SIGINT", onSignal);
    process.on("SIGTERM", onSignal);
    process.on("SIGHUP", () => say(`the terminal is gone; the run goes on: unstuck attach ${run}`));
  };
  const on = (happening: ResumeHappening): void => {
    if (happening.kind === "working") begin(happening.run);
    else if (happening.kind === "ended-before")
      write(`run ${happening.run} has ended: ${happening.outcome}`);
    else if (screen === undefined) printHappening(happening, json);
    else screen.take(happening);
  };
  const left = await work(view, { tell: say, signal: pausing.signal, on }).finally(() =>
    screen?.end(),
  );
  if (left === undefined) return EXIT.ok;
  if (view === "end") writeSummary(left.view);
  return EXITS[left.end];
}
