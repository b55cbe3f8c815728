/**
 * Whether somebody works on a run, who paused it, and waiting for what they were told to do. Invariant: a run
 * nobody works on is paused by whoever said so last, also where that still waits in its inbox.
 */
import type { RunInput } from "../../core/run/input.ts";
import { needsPerson } from "../../core/run/view.ts";
import { systemProcesses } from "../../engines/system.ts";
import type { Journal } from "../../journal/journal.ts";
import type { JournalReader, RunRow } from "../../journal/reader.ts";
import { recordedRun } from "./recorded.ts";

/** Also of one that has ended: its owner may still publish. */
export const hasLivingOwner = ({ owner }: Pick<RunRow, "owner">): boolean =>
  owner !== undefined && !systemProcesses().isDead(owner);

export const isWorkedOn = (row: Pick<RunRow, "owner" | "phase">): boolean =>
  row.phase !== "ended" && hasLivingOwner(row);

const INBOX_ROWS = 1000;

/** What was told to a run that nobody works on. */
export async function toldTo(journal: JournalReader, run: string): Promise<readonly RunInput[]> {
  const rows = await journal.posted(run, 0, INBOX_ROWS);
  return rows.flatMap((row) => ("input" in row ? [row.input] : []));
}

/** A run's state in the words people know. */
export async function stateWords(
  journal: JournalReader,
  row: Omit<RunRow, "repo">,
): Promise<string> {
  const { outcome, phase, seq, id } = row;
  // What was stopped before stopping meant pausing had ended.
  if (outcome !== undefined) return outcome === "stopped" ? "cancelled" : outcome;
  if (isWorkedOn(row)) return phase === "pausing" ? "pausing" : "running";
  if (seq === 0) return "not begun";
  const { state } = await recordedRun(journal, id);
  if (needsPerson(state)) return "needs you";
  if (await isStoppedByPerson(journal, id)) return "paused by you";
  return state.paused === undefined ? "cut off" : "paused by the system";
}

/** A run that nobody works on was stopped by a person; a crash is the system's doing. */
export async function isStoppedByPerson(journal: JournalReader, run: string): Promise<boolean> {
  const told = (await toldTo(journal, run)).findLast((input) => input.kind === "pause-requested");
  const { by } = told ?? (await recordedRun(journal, run)).state.paused ?? {};
  return by === "user";
}

/** The number of the last pause, also of one that nobody has taken note of yet. */
export async function lastPause(journal: JournalReader, run: string): Promise<number> {
  const { pauses } = (await recordedRun(journal, run)).state;
  const told = await toldTo(journal, run);
  return Math.max(
    pauses,
    ...told.map((input) => (input.kind === "pause-requested" ? input.pause : 0)),
  );
}

const LOOK_MS = 100;

/** True once the run is as it should be, false if that takes longer. */
export async function isSoon(
  journal: Journal,
  run: string,
  isSo: (row: RunRow) => boolean,
  limitMs: number,
): Promise<boolean> {
  for (const end = Date.now() + limitMs; ;) {
    const row = await journal.run(run);
    if (row === undefined || isSo(row)) return true;
    if (Date.now() >= end) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
