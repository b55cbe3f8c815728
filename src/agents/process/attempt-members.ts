/**
 * Which processes belong to an attempt: the pure decision behind every kill. Invariants: a process is ours only by
 * proof (the mark in its environment; the group or session of our living leader, identified by its start time; a
 * parent, group leader or session leader that is itself ours); the asking process and its ancestors are never ours.
 */
import type { ProcessIdentity } from "../../runtime/agent-result.ts";
import type { ProcessRow } from "./proc-files.ts";

/** An identity, or only the mark if no group was journaled. */
export type Suspect = Pick<ProcessIdentity, "attemptId"> & Partial<ProcessIdentity>;

export function membersOf(rows: readonly ProcessRow[], suspect: Suspect, askingPid: number) {
  const leader = rows.find((row) => row.pid === suspect.groupId);
  const ourGroup = leader !== undefined && leader.startTime === suspect.startTime;
  const ours = new Set<number>();
  for (const row of rows) {
    const inGroup = row.group === suspect.groupId || row.session === suspect.groupId;
    if (row.marked || (ourGroup && inGroup)) ours.add(row.pid);
  }
  addFollowers(rows, ours);
  const spared = ancestors(rows, askingPid);
  const living = rows.filter((row) => !row.ended && row.pid !== askingPid);
  const found = living.filter((row) => ours.has(row.pid));
  return {
    ours: found.filter((row) => !spared.has(row.pid)),
    /** Ours, but an ancestor of the asking process: it cannot be ended from here. */
    above: found.filter((row) => spared.has(row.pid)),
    /** In a group with our id whose leader is gone: possibly ours, but never to be killed. */
    unproven:
      leader === undefined && suspect.groupId !== undefined
        ? living.filter((row) => row.group === suspect.groupId && !ours.has(row.pid))
        : [],
  };
}

type Related = Pick<ProcessRow, "pid" | "parent" | "group" | "session">;

/** Adds children, group members and session members of our processes until nothing is new. */
export function addFollowers(rows: readonly Related[], ours: Set<number>): void {
  for (let before = -1; before !== ours.size;) {
    before = ours.size;
    for (const row of rows)
      if (ours.has(row.parent) || ours.has(row.group) || ours.has(row.session)) ours.add(row.pid);
  }
}

/** The process itself and its ancestors. */
export function ancestors(rows: readonly Related[], pid: number): ReadonlySet<number> {
  const parents = new Map(rows.map((row) => [row.pid, row.parent]));
  const found = new Set<number>();
  for (let at: number | undefined = pid; at !== undefined && at > 0 && !found.has(at);) {
    found.add(at);
    at = parents.get(at);
  }
  return found;
}
