/** Taking up a run where it stood, after a crash, a stop of the machine, or a pause; or every run that can go on. */
import { tameLine } from "../../core/foreign-text.ts";
import { staleness } from "../../core/run/decide/staleness.ts";
import { needsPerson } from "../../core/run/view.ts";
import type { Journal } from "../../journal/journal.ts";
import type { RunRow } from "../../journal/reader.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { operation, ProblemError } from "../operation.ts";
import type { Context } from "../operation.ts";
import { openWorkspace, startDetached } from "./start.ts";
import type { RunHappening } from "./follow.ts";
import { withHome, withRun } from "./open-run.ts";
import type { OpenRun } from "./open-run.ts";
import { givenAnswers } from "./questions.ts";
import { recordedRun } from "./recorded.ts";
import { isStoppedByPerson, isWorkedOn } from "./standing.ts";
import { askedStart, wholeStart } from "./started-with.ts";
import type { StartedWith } from "./started-with.ts";
import { workAndFollow } from "./work-on-run.ts";
import type { Retry } from "./work-on-run.ts";

export const resumeRun = operation({
  name: "resume",
  schemas: async () => (await import("./schemas.ts")).resumeRun,
  run(context, input, on: (happening: ResumeHappening) => void) {
    refuseInsideAttempt("resume", input.retry === undefined ? { orphans: "allowed" } : {});
    return withRun(context, input.run, async (open) => {
      const { home, journal, row } = open;
      const { id: run, seq, phase, outcome = "" } = row;
      const { retry: subtask, words = "" } = input;
      const retry = subtask === undefined ? undefined : { subtask, words };
      if (retry !== undefined) await refuseRetry(journal, run, retry);
      else if (phase === "ended") on({ kind: "ended-before", run, outcome });
      const begun = seq > 0;
      const start = begun
        ? await wholeStart(journal, run, home.runDir(run))
        : await startedAnew(context, open);
      const work = {
        ...{ home, run, journal, start, isNew: !begun },
        ...(retry === undefined ? {} : { retry }),
        ...(begun && phase !== "ended" ? { first: "resume" as const } : {}),
      };
      return workAndFollow(context, work, input.view, on);
    });
  },
});

export type ResumeHappening =
  | RunHappening
  /** There was nothing to go on with; what was left undone at its end is finished. */
  | { readonly kind: "ended-before"; readonly run: string; readonly outcome: string };

/** What can be tried on: a subtask that ended unverified, in a run that ended so. */
async function refuseRetry(journal: Journal, run: string, retry: Retry): Promise<void> {
  const { state } = await recordedRun(journal, run);
  const why = staleness(state, { kind: "retry-requested", ...retry, by: "", at: 0, chance: 0 });
  if (why !== undefined)
    throw new ProblemError(
      "not-now",
      `run ${run}: ${tameLine(retry.subtask, 60)} cannot be tried on: ${why}`,
      { run },
    );
}

/** It was killed before its journal began: nothing was done yet, so it starts from the repository as it is now. */
async function startedAnew(
  { tell = () => undefined }: Context,
  { home, journal, row }: OpenRun,
): Promise<StartedWith> {
  const { id: run } = row;
  const asked = askedStart(home.runDir(run));
  if (asked === undefined)
    throw new ProblemError(
      "not-now",
      `run ${run} has not begun, and nothing is kept of it: unstuck clean ${run} removes it`,
      { run },
    );
  tell(`run ${run} had not begun: it starts now`);
  const claim = await journal.claim(run, Date.now());
  try {
    return await openWorkspace(home, run, asked, tell);
  } finally {
    await journal.release(claim);
  }
}

/** Each in a process of its own. One that somebody works on, or that waits for an answer nobody has given, is left alone. */
export const resumeAll = operation({
  name: "resume-all",
  schemas: async () => (await import("./schemas.ts")).resumeAll,
  run(_, { onlyCutOff }) {
    refuseInsideAttempt("resume", { orphans: "allowed" });
    return withHome(async ({ home, journal }) => {
      const resumed: string[] = [];
      for (const row of await journal.runs()) {
        if (row.phase === "ended" || isWorkedOn(row)) continue;
        const goesOn =
          row.seq === 0
            ? askedStart(home.runDir(row.id)) !== undefined
            : await canGoOn(journal, row, onlyCutOff === true);
        if (goesOn) resumed.push(row.id);
      }
      for (const id of resumed) startDetached(home, id, ["resume", id]);
      return { resumed };
    });
  },
});

async function canGoOn(journal: Journal, { id }: RunRow, onlyCutOff: boolean): Promise<boolean> {
  if (onlyCutOff && (await isStoppedByPerson(journal, id))) return false;
  const answers = await givenAnswers(journal, id);
  return answers.length > 0 || !needsPerson((await recordedRun(journal, id)).state);
}
