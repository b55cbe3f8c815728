/**
 * Which working tree a subtask gets: the lowest number that no unfinished subtask holds; and which trees stand on
 * the disk: as many as the run's concurrency, whatever is parked. A subtask keeps its number, and so its path, as
 * long as it is not done, so that an agent's session can be resumed there; while it is parked its tree may be
 * given back, and is made anew when it goes on. Who holds what is read from the state once and then kept, so that
 * a start costs by the numbers in use, not by the size of the plan. Invariant: no tree is given back that an
 * attempt, its checks or a person may work in.
 */
import { vectorItems } from "../core/persistent-collections.ts";
import { OWN_TREE, indexOf } from "../core/run/state.ts";
import { defined } from "../core/defined.ts";
import type { Command } from "../core/run/command.ts";
import type { SubtaskState } from "../core/run/subtask-state.ts";
import type { AttemptTree } from "./ports-workspace.ts";
import { perRun, stateOf, type RunUnderway } from "./ports.ts";

const DONE: ReadonlySet<string> = new Set(["verified", "unverified", "answered", "skipped"]);

/** Numbers of check trees: a port made from a number is then never one that an agent uses. */
export const CHECK_SLOTS = { first: 101, last: 199 } as const;

const isForAgents = (number: number): boolean =>
  number < CHECK_SLOTS.first || number > CHECK_SLOTS.last;

/** Who holds each slot, as `subtask/branch`. */
const holdersOf = perRun(heldIn);

/** Where an attempt works: its subtask's or branch's tree, else one that is free. */
export function treeFor(
  underway: RunUnderway,
  { subtask, attempt, spec }: Extract<Command, { readonly kind: "start" }>,
): AttemptTree {
  const branch = spec.prompt.branch?.id;
  const { plan } = underway.state();
  const index = indexOf(underway.state(), subtask) ?? -1;
  const held = stateOf(underway, subtask).slots[branch ?? OWN_TREE];
  return {
    subtask,
    attempt,
    slot: held ?? freeSlot(underway, `${subtask}/${branch ?? OWN_TREE}`),
    ...defined({ branch }),
    ...(plan.subtasks[index]?.readOnly === true ? { discard: true } : {}),
  };
}

/** `key` is `subtask/branch`. */
function freeSlot(underway: RunUnderway, key: string): string {
  const holders = holdersOf(underway);
  for (const [slot, holder] of holders) {
    if (holder === key) return slot;
    if (isFree(underway, holder)) holders.delete(slot);
  }
  let number = 1;
  while (holders.has(String(number)) || !isForAgents(number)) number += 1;
  holders.set(String(number), key);
  return String(number);
}

/** By run: one look at what stands, and what is given back after it, at a time. */
const turns = new WeakMap<RunUnderway, Promise<void>>();

/** Gives trees back until there is room for the one in this slot, which is about to be worked in. */
export function makeRoom(underway: RunUnderway, slot: string): Promise<void> {
  const before = turns.get(underway) ?? Promise.resolve();
  const turn = before.then(() => givenBackFor(underway, slot));
  turns.set(
    underway,
    turn.catch(() => undefined),
  );
  return turn;
}

async function givenBackFor(underway: RunUnderway, wanted: string): Promise<void> {
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
  /** The least rank goes first, and of these what was used longest ago. */
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

/** Branches have no slash in their ids' place: the subtask is what stands before the first. */
const partsOf = (holder: string): { readonly subtask: string; readonly branch: string } => {
  const at = holder.indexOf("/");
  return { subtask: holder.slice(0, at), branch: holder.slice(at + 1) };
};

function isFree(underway: RunUnderway, holder: string): boolean {
  const { phase, running, stages } = stateOf(underway, partsOf(holder).subtask);
  return DONE.has(phase) && running.length + stages.length === 0;
}

function heldIn(underway: RunUnderway): Map<string, string> {
  const { subtasks, plan } = underway.state();
  const found = new Map<string, string>();
  for (const [index, { slots }] of vectorItems(subtasks).entries())
    for (const [branch, slot] of Object.entries(slots)) {
      const holder = `${plan.subtasks[index]?.id ?? ""}/${branch}`;
      const other = found.get(slot);
      if (other === undefined || isFree(underway, other)) found.set(slot, holder);
    }
  return found;
}
