/**
 * Where a process stands: below an attempt, an orphan of whom nobody can tell, or apart from all of it. It stops
 * accidents and shortcuts; a program that wants to hide from it can.
 */
import { belowSeen } from "./process-memory.ts";
import type { SeenProcess } from "./process-memory.ts";
import type { Unmarked } from "./process-table.ts";

export type Standing = "below" | "orphan" | "apart";

export function standingOf(
  rows: readonly Unmarked[],
  seen: readonly SeenProcess[],
  pid: number,
): Standing {
  if (belowSeen(rows, seen).has(pid)) return "below";
  const isLive = ({ isGuard, ...guard }: SeenProcess): boolean =>
    isGuard &&
    rows.some((row) => row.pid === guard.pid && row.startTime === guard.startTime && !row.ended);
  return seen.some(isLive) && isOrphan(rows, pid) ? "orphan" : "apart";
}

/** Programs that take over a process whose parent is gone, and start services. */
const REAPERS: ReadonlySet<string> = new Set(["systemd", "launchd", "init"]);

/** No terminal, and nobody there who started its session: whoever did is gone, or is the system itself. */
function isOrphan(rows: readonly Unmarked[], pid: number): boolean {
  const find = (id: number | undefined): Unmarked | undefined => rows.find((row) => row.pid === id);
  const self = find(pid);
  if (self === undefined || self.terminal) return false;
  const leader = find(self.session === 0 ? self.group : self.session);
  return (
    leader === undefined ||
    leader.ended ||
    leader.parent === 1 ||
    REAPERS.has(find(leader.parent)?.name ?? "")
  );
}
