/** Every run ends, with everything judged and its result where the user finds it. */
import { foldAll } from "../../../src/core/run/fold/fold.ts";
import { NEW_RUN } from "../../../src/core/run/new-run.ts";
import type { RunState } from "../../../src/core/run/state.ts";
import { phases } from "../../../src/core/run/view.ts";
import type { Happened } from "../world/history.ts";
import { BASE } from "../world/repository.ts";
import { eventOf, inputOf, judging } from "./reading.ts";

export const runEnds = judging(
  "the run ends",
  () => () => undefined,
  ({ ending, happened }, report) => {
    if (ending.kind === "stalled")
      report(happened.length - 1, "nothing can happen any more, but the run has not ended");
    if (ending.kind === "endless") report(happened.length - 1, "the run does not come to an end");
  },
);

const JUDGED: ReadonlySet<string> = new Set([
  "verified",
  "unverified",
  "answered",
  "stuck",
  "skipped",
  "blocked",
]);

export const everySubtaskIsJudged = judging(
  "every subtask is judged",
  () => () => undefined,
  ({ happened }, report) => {
    const state = finalState(happened);
    const where = happened.findIndex((one) => eventOf(one)?.kind === "run-ended");
    if (where < 0 || state?.outcome === undefined) return;
    const { kind } = state.outcome;
    if (kind === "cancelled" || kind === "budget") return;
    for (const [index, phase] of phases(state).entries())
      if (!JUDGED.has(phase))
        report(where, `the run ended with ${state.plan.subtasks[index]?.id} ${phase}`);
  },
);

/** Nothing where the journal cannot be folded, which is another property's business. */
function finalState(happened: readonly Happened[]): RunState | undefined {
  try {
    return foldAll(
      NEW_RUN,
      happened.flatMap((one) => eventOf(one) ?? []),
    );
  } catch {
    return undefined;
  }
}

export const resultIsPublished = judging(
  "the result is published",
  () => () => undefined,
  ({ happened, ending }, report) => {
    if (ending.kind !== "ended") return;
    const last = happened.findLastIndex(({ kind }) => kind === "published");
    const moved = happened.findLast((one) => one.kind === "result-moved");
    const tip = moved?.kind === "result-moved" ? moved.to : BASE;
    const published = happened[last];
    if (published?.kind !== "published") report(happened.length - 1, "nothing was published");
    else if (published.commit !== tip)
      report(last, `${published.commit} was published, but the result is ${tip}`);
  },
);

export const stopStops = judging("nothing starts while it is paused or cancelled", (_, report) => {
  let stopped: "cancel-requested" | "pause-requested" | undefined;
  return (happened, where) => {
    const input = inputOf(happened)?.kind;
    if (input === "cancel-requested") stopped = input;
    else if (input === "pause-requested") stopped ??= input;
    else if (input === "resume-requested" && stopped === "pause-requested") stopped = undefined;
    const event = eventOf(happened);
    if (stopped !== undefined && event?.kind === "attempt-dispatched")
      report(where, `${event.subtask}/${event.attempt} was dispatched after ${stopped}`);
  };
});
