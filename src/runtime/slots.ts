/**
 * Limits the working trees on the disk to the run's concurrency, however many subtasks are parked. A subtask keeps its
 * slot, and so its path, until it is done, so that an agent's session can be resumed there; while it is parked its tree
 * may be released and is recreated when it goes on. Holders are read from the state once and then kept, so a start
 * costs by the slots in use, not by the size of the plan. Invariant: a tree that an attempt, its checks or a person may
 * be working in is never released.
 */
import { OWN_TREE } from "../core/run/state.ts";
import type { SubtaskState } from "../core/run/subtask-state.ts";
import { stateOf, type RunUnderway } from "./ports.ts";
import { isFree, partsOf, holdersOf } from "./attempt-slot.ts";

/** By run: takes turns, so that trees are listed and released by one caller at a time. */
const turns = new WeakMap<RunUnderway, Promise<void>>();

/** Releases trees until there is room for the one in this slot, which is about to be used. */
export function makeRoom(underway: RunUnderway, slot: string): Promise<void> {
  const before = turns.get(underway) ?? Promise.resolve();
  const turn = before.then(() => releaseTreesFor(underway, slot));
  turns.set(
    underway,
    turn.catch(() => undefined),
  );
  return turn;
}

async function releaseTreesFor(underway: RunUnderway, wanted: string): Promise<void> {
  const { ports } = underway;
  const standing = await ports.standingTrees.slots();
  const holders = holdersOf(underway);
  const uses = new Map<string, Use>([[wanted, IN_USE]]);
  for (const [slot, holder] of holders)
    if (slot !== wanted) uses.set(slot, useOf(underway, holder));
  const useOfSlot = (slot: string): Use => uses.get(slot) ?? NOBODYS;
  const busy = [...uses.values()].filter(({ kind }) => kind === "in use").length;
  const idle = standing
    .filter((slot) => useOfSlot(slot).kind === "idle")
    .sort((a, b) => order(useOfSlot(a), useOfSlot(b)));
  const room = Math.max(0, underway.plan.plan.concurrency - busy);
  for (const slot of idle.slice(0, Math.max(0, idle.length - room))) {
    const given = await ports.standingTrees.release(slot);
    if (!given.ok)
      ports.tell(`the tree in slot ${slot} stays on the disk: ${given.failure.because[0] ?? ""}`);
  }
}

type Use =
  | { readonly kind: "in use" | "in hand" }
  /** The lowest rank is released first, and within a rank the least recently used. */
  | { readonly kind: "idle"; readonly rank: number; readonly usedAt: number };

const IN_USE: Use = { kind: "in use" };

const NOBODYS: Use = { kind: "idle", rank: 1, usedAt: 0 };

const RANKS: Partial<Record<SubtaskState["phase"], number>> = { stuck: 0, skipped: 0, asking: 2 };

const LAST = 3;

const order = (a: Use, b: Use): number =>
  a.kind === "idle" && b.kind === "idle" ? a.rank - b.rank || a.usedAt - b.usedAt : 0;

function useOf(underway: RunUnderway, holder: string): Use {
  const { subtask, branch } = partsOf(holder);
  const own = stateOf(underway, subtask);
  const branchOf = (attempt: number): string =>
    own.attempts.findLast((record) => record.attempt === attempt)?.branch ?? OWN_TREE;
  if (
    own.running.some(({ spec }) => (spec.prompt.branch?.id ?? OWN_TREE) === branch) ||
    own.stages.some(({ attempt }) => branchOf(attempt) === branch)
  )
    return IN_USE;
  if (branch === OWN_TREE && own.checkpoint?.takenBy !== undefined) return { kind: "in hand" };
  if (isFree(underway, holder)) return NOBODYS;
  return { kind: "idle", rank: RANKS[own.phase] ?? LAST, usedAt: own.attempts.at(-1)?.at ?? 0 };
}
