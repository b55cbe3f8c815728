/**
 * Following a run as it goes on, here or in another process, as typed happenings. Invariants: it never writes to the
 * run; every event is told once and in order, also what is recorded while the following ends.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { RunPlan } from "../../core/plan/run-plan.ts";
import type { RunEvent } from "../../core/run/decision.ts";
import type { JournalReader } from "../../journal/reader.ts";
import { operation } from "../operation.ts";
import type { Line } from "../text.ts";
import { currentSteps } from "./current-steps.ts";
import { withRun } from "./open-run.ts";
import { recordedEvents, recordedRun, runFold } from "./recorded.ts";
import { lineOf } from "./run-lines.ts";
import { runView } from "./run-view.ts";
import type { RunView } from "./run-view.ts";
import { isWorkedOn } from "./standing.ts";
import { startedWith } from "./started-with.ts";

export type RunHappening =
  /** It was named but not started yet: its clone is made. */
  | { readonly kind: "preparing"; readonly run: string }
  /** This process works on it from now on. */
  | { readonly kind: "working"; readonly run: string }
  /** `line` is there for what is of interest to a person. */
  | {
      readonly kind: "recorded";
      readonly seq: number;
      readonly event: RunEvent;
      readonly line?: Line;
    }
  /** Something to be seen has changed; the view is worked out when it is asked for. */
  | { readonly kind: "changed"; readonly view: () => RunView };

const STEPS_MS = 500;

export interface Followed {
  readonly run: string;
  readonly runDir: string;
  readonly agents: RunPlan["agents"];
  /** The first event that is told. */
  readonly from: number;
  readonly until: AbortSignal;
  /** Whether views are wanted while it goes on. */
  readonly live: boolean;
  readonly on: (happening: RunHappening) => void;
}

export async function followEvents(journal: JournalReader, followed: Followed): Promise<void> {
  const { run, from, until, live, on } = followed;
  const folded = runFold();
  let steps: ReadonlyMap<string, string> = new Map();
  const view = (): RunView => runView(folded.state(), folded.history(), steps);
  const isNew = (): boolean => folded.state().phase === "new";
  const looking = !live
    ? undefined
    : setInterval(() => {
        if (isNew()) return;
        void currentSteps(folded.state(), followed.runDir, followed.agents).then((read) => {
          steps = read;
          on({ kind: "changed", view });
        });
      }, STEPS_MS);
  try {
    const first = live ? 1 : from;
    for await (const { seq, event } of recordedEvents(journal, run, { from: first, until })) {
      if (live) folded.add(event);
      const line = lineOf(event);
      if (seq >= from)
        on({ kind: "recorded", seq, event, ...(line === undefined ? {} : { line }) });
      if (live && !isNew()) on({ kind: "changed", view });
    }
  } finally {
    clearInterval(looking);
  }
}

/** What came of it; nothing of a run that has not begun. */
export async function finalView(
  journal: JournalReader,
  run: string,
): Promise<{ readonly view?: RunView }> {
  const { state, history } = await recordedRun(journal, run);
  return state.phase === "new" ? {} : { view: runView(state, history, new Map()) };
}

const OWNER_LOOK_MS = 1000;
const START_LOOK_MS = 200;

export const followRun = operation({
  name: "follow",
  schemas: async () => (await import("./reading-schemas.ts")).followRun,
  run: (context, input, on: (happening: RunHappening) => void) =>
    withRun(context, input.run, async (open) => {
      const { journal, row } = open;
      const { id: run } = row;
      const from = input.onlyNews === true ? row.seq + 1 : (input.from ?? 1);
      const isAttended = async (): Promise<boolean> => {
        const now = await journal.run(run);
        return now !== undefined && isWorkedOn(now);
      };
      if (input.until === "now" || (input.until === "ended" && row.phase === "ended")) {
        for await (const { seq, event } of recordedEvents(journal, run, { from })) {
          if (seq > row.seq) break;
          const line = lineOf(event);
          on({ kind: "recorded", seq, event, ...(line === undefined ? {} : { line }) });
        }
        return { run, goesOn: await isAttended() };
      }
      const ending = new AbortController();
      const until = AbortSignal.any([ending.signal, ...(context.signal ? [context.signal] : [])]);
      const look = async (): Promise<void> => {
        if (!(await isAttended())) ending.abort();
      };
      let looking: NodeJS.Timeout | undefined;
      if (input.until === "unattended") {
        if (row.seq === 0) on({ kind: "preparing", run });
        while (!until.aborted && ((await journal.run(run))?.seq ?? 0) === 0)
          await sleep(START_LOOK_MS);
        looking = setInterval(() => void look().catch(() => ending.abort()), OWNER_LOOK_MS);
      }
      try {
        if (input.until === "unattended" && !until.aborted) await look();
        const begun = ((await journal.run(run))?.seq ?? 0) > 0;
        const live = input.view === "live" && begun;
        const { agents } = live ? (await startedWith(journal, run)).plan : { agents: {} };
        const runDir = open.home.runDir(run);
        await followEvents(journal, { run, runDir, agents, from, until, live, on });
      } finally {
        clearInterval(looking);
      }
      const goesOn = await isAttended();
      return { run, goesOn, ...(input.view === undefined ? {} : await finalView(journal, run)) };
    }),
});
