/**
 * Why a run is not simply removed: somebody works on it, it has not ended, or something would be lost with it.
 * Invariant: where it cannot be told what would be lost, that is a reason too.
 */
import { count } from "../core/amounts.ts";
import { tameLine } from "../core/foreign-text.ts";
import { vectorItems } from "../core/persistent-vector.ts";
import { needsPerson } from "../core/run/view.ts";
import type { RunState } from "../core/run/state.ts";
import type { RunRow } from "../journal/reader.ts";
import { lossOf } from "../workspace/result/unapplied-work.ts";
import type { Loss } from "../workspace/result/unapplied-work.ts";
import { loadRun } from "../workspace/repository/open-run.ts";
import { hasLivingOwner } from "./lifetime.ts";
import { pinnedOf } from "./pinned.ts";
import { isPastUse, workspaceFolder } from "./removal.ts";
import type { About } from "./run-command.ts";
import { recordedState } from "./run-state.ts";

export interface Obstacle {
  readonly why: string;
  /** What to do about it. */
  readonly next: string;
  /** Nobody can agree to it: a living process is in the way. */
  readonly final?: boolean;
  /** It has not ended: its removal has to be asked for by name and by force. */
  readonly open?: boolean;
}

export async function obstacleOf(about: About): Promise<Obstacle | undefined> {
  const { home, journal, row } = about;
  const cancel = `cancel it first: unstuck cancel ${row.id}`;
  if (hasLivingOwner(row)) return { why: "it is being worked on", next: cancel, final: true };
  if (row.seq === 0 || isPastUse(home, row)) return undefined;
  const state = await recordedState(journal, row.id);
  if (row.phase !== "ended") return { why: openWords(row, state), next: cancel, open: true };
  if ((await pinnedOf(journal, row.id)).inPlace === true) return undefined;
  const force = `unstuck clean ${row.id} --force`;
  const loaded = await loadRun(workspaceFolder(home, row.id));
  const loss = loaded.ok ? await lossOf(loaded.value, { done: doneOf(state) }) : loaded;
  if (!loss.ok) return { why: tameLine(loss.refusal.detail, 300), next: force };
  const why = lossWords(loss.value);
  if (why === "") return undefined;
  const next = loss.value.commits > 0 ? `unstuck apply ${row.id}, or ${force}` : force;
  return { why, next };
}

const openWords = ({ phase }: RunRow, state: RunState): string => {
  if (phase === "paused") return "it is paused";
  return needsPerson(state) ? "it waits for you" : "it has not ended";
};

const DONE: ReadonlySet<string> = new Set(["verified", "unverified", "answered"]);

/** Subtasks whose work is part of the result. */
const doneOf = ({ plan, subtasks }: RunState): readonly string[] =>
  vectorItems(subtasks).flatMap(({ phase }, index) =>
    DONE.has(phase) ? [plan.subtasks[index]?.id ?? ""] : [],
  );

export function lossWords({ commits, branch, attempts, snapshots, aside }: Loss): string {
  const parts = [
    ...(commits === 0
      ? []
      : [`${count(commits, "commit")} not applied${branch === null ? "" : ` on ${branch}`}`]),
    ...(attempts === 0
      ? []
      : [`${count(attempts, "attempt")} of subtasks that are not part of the result`]),
    ...(snapshots === 0 ? [] : [`${count(snapshots, "snapshot")} of work that is nowhere else`]),
    ...(aside ? ["files or commits that agents left"] : []),
  ];
  return parts.join("; ");
}
