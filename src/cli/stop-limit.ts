/**
 * How long a stop waits to be recorded: a full disk is waited for while a run goes on, but not by whoever wants it
 * to end. What was recorded before stays, and the run can be resumed.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { JournalError } from "../journal/error.ts";

const LIMIT_MS = 5000;

/** Rejects where the stop is not recorded by the limit. */
export async function inTime(run: string, recorded: Promise<unknown>): Promise<void> {
  const waiting = new AbortController();
  const late = sleep(LIMIT_MS, "late", waiting).catch(() => undefined);
  const first = await Promise.race([recorded, late]).finally(() => waiting.abort());
  if (first === "late")
    throw new JournalError(
      "disk-full",
      `Run ${run} was let go, but its journal takes no more: free disk space, then: unstuck resume ${run}`,
    );
}
