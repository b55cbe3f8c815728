/** Works on a run in this process and tells what happens, until it is left; says how it was left. */
import type { z } from "zod";
import { vectorItems } from "../../core/persistent-vector.ts";
import type { RunState } from "../../core/run/state.ts";
import { needsPerson } from "../../core/run/view.ts";
import type { Context } from "../operation.ts";
import { finalView, followEvents } from "./follow.ts";
import type { RunHappening } from "./follow.ts";
import type { resumeRun } from "./schemas.ts";
import { workOnRun } from "./work-on-run.ts";
import type { WorkOptions } from "./work-on-run.ts";

export type LeftRun = z.infer<typeof resumeRun.output>;

export async function workAndFollow(
  context: Context,
  work: Omit<WorkOptions, "tell" | "pause">,
  view: "end" | "live" | undefined,
  on: (happening: RunHappening) => void,
): Promise<LeftRun> {
  const { run, home, journal, start } = work;
  const from = ((await journal.run(run))?.seq ?? 0) + 1;
  const left = new AbortController();
  on({ kind: "working", run });
  const following = followEvents(journal, {
    ...{ run, from, until: left.signal, live: view === "live", on },
    runDir: home.runDir(run),
    agents: start.plan.agents,
  });
  try {
    const state = await workOnRun({
      ...work,
      tell: context.tell ?? (() => undefined),
      pause: context.signal ?? new AbortController().signal,
    });
    left.abort();
    await following;
    const { outcome } = state;
    return {
      run,
      end: endOf(state),
      ...(outcome === undefined ? {} : { outcome }),
      ...(view === undefined ? {} : await finalView(journal, run)),
    };
  } finally {
    left.abort();
    await following.catch(() => undefined);
  }
}

/** Every open question is about money or time. */
function asksForBudget({ checkpoint, subtasks }: RunState): boolean {
  const open = [checkpoint, ...vectorItems(subtasks).map((own) => own.checkpoint)];
  return open.every((question) => question === undefined || question.trigger === "BUDGET");
}

function endOf(state: RunState): LeftRun["end"] {
  if (state.paused !== undefined) return "paused";
  if (needsPerson(state)) return asksForBudget(state) ? "budget" : "needs-person";
  const kind = state.outcome?.kind;
  return kind === "verified" || kind === "unverified" || kind === "budget" ? kind : "failed";
}
