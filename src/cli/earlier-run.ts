/**
 * `unstuck run --history`: a plan that tells its agents what failed at the same subtasks in an earlier or imported
 * run (B8). A run that has nothing to tell is an error, before anything is started.
 */
import { earlierAttempts } from "../core/history/earlier-attempts.ts";
import type { RunPlan } from "../core/plan/run-plan.ts";
import { findRun } from "./find-run.ts";
import type { Home } from "../operations/home.ts";
import { UsageError } from "./io.ts";
import { openUserJournal } from "../operations/journal.ts";
import { recordedRun } from "./recorded-run.ts";

export async function withHistory(home: Home, plan: RunPlan, asked: string): Promise<RunPlan> {
  const journal = await openUserJournal(home);
  try {
    const { id } = await findRun(journal, asked);
    const { history } = await recordedRun(journal, id);
    const subtasks = Object.entries(plan.subtasks).map(([subtask, details]) => {
      const past = history.subtasks.get(subtask);
      const earlier = past === undefined ? [] : earlierAttempts(past);
      return [subtask, earlier.length === 0 ? details : { ...details, earlier }] as const;
    });
    if (subtasks.every(([, { earlier }]) => earlier === undefined))
      throw new UsageError(`run ${id} has no failed attempt at a subtask of this plan`);
    return { ...plan, subtasks: Object.fromEntries(subtasks) };
  } finally {
    await journal.close();
  }
}
