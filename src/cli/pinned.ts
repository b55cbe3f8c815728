/**
 * What a run was started with, as it stands in its first event: plan, where it works. Never read again from a file
 * an agent can write (U13). Imports core and journal types.
 */
import type { RunPlan } from "../core/plan/run-plan.ts";
import type { JournalReader } from "../journal/reader.ts";
import { UsageError } from "./io.ts";

export interface Pinned {
  readonly plan: RunPlan;
  /** The workspace's folder. */
  readonly workspace: string;
  /** Agents work in the user's own checkout. */
  readonly inPlace?: boolean;
}

export async function pinnedOf(journal: JournalReader, run: string): Promise<Pinned> {
  const [first] = await journal.read(run, 1, 1);
  const input = first?.event.kind === "received" ? first.event.input : undefined;
  if (input?.kind !== "run-started" || input.pinned === undefined)
    throw new UsageError(`run ${run} was never started: see unstuck status`);
  return input.pinned as Pinned;
}
