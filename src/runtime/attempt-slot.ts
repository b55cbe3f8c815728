/** Which working tree belongs to an attempt: a free one for a new attempt, its own for one that has ended. */
import { vectorItems } from "../core/persistent-collections.ts";
import { OWN_TREE, indexOf } from "../core/run/state.ts";
import { defined } from "../core/defined.ts";
import type { Command } from "../core/run/command.ts";
import type { AttemptTree } from "./ports-workspace.ts";
import { perRun, stateOf, type RunUnderway } from "./ports.ts";

const DONE: ReadonlySet<string> = new Set(["verified", "unverified", "answered", "skipped"]);

/** Slot numbers of check trees: a port derived from one is never used by an agent. */
export const CHECK_SLOTS = { first: 101, last: 199 } as const;

const isForAgents = (number: number): boolean =>
  number < CHECK_SLOTS.first || number > CHECK_SLOTS.last;

/** The holder of each slot, as `subtask/branch`. */
export const holdersOf = perRun(heldIn);

/** A slot as the state has it. On a fleet another worker may have chosen it after the holders were read here. */
function heldSlot(underway: RunUnderway, subtask: string, branch = OWN_TREE): string | undefined {
  const slot = stateOf(underway, subtask).slots[branch];
  if (slot !== undefined) holdersOf(underway).set(slot, `${subtask}/${branch}`);
  return slot;
}

/** Where an attempt works: in the tree of its subtask or branch, otherwise in a free one. */
export function treeFor(
  underway: RunUnderway,
  { subtask, attempt, spec }: Extract<Command, { readonly kind: "start" }>,
): AttemptTree {
  const branch = spec.prompt.branch?.id;
  const { plan } = underway.state();
  const index = indexOf(underway.state(), subtask) ?? -1;
  return {
    subtask,
    attempt,
    slot:
      heldSlot(underway, subtask, branch) ?? freeSlot(underway, `${subtask}/${branch ?? OWN_TREE}`),
    ...defined({ branch }),
    ...(plan.subtasks[index]?.readOnly === true ? { discard: true } : {}),
  };
}

/** The tree of an ended attempt: its branch's slot or the subtask's own; undefined if it never got one. */
export function endedIn(
  underway: RunUnderway,
  subtask: string,
  attempt: number,
): AttemptTree | undefined {
  const { attempts } = stateOf(underway, subtask);
  const branch = attempts.findLast((record) => record.attempt === attempt)?.branch;
  const slot = heldSlot(underway, subtask, branch) ?? heldSlot(underway, subtask);
  if (slot === undefined) return undefined;
  return { subtask, attempt, slot, ...defined({ branch }) };
}

/** `key` is `subtask/branch`. */
function freeSlot(underway: RunUnderway, key: string): string {
  const holders = holdersOf(underway);
  for (const [slot, holder] of holders) {
    if (holder === key) return slot;
    if (isFree(underway, holder)) holders.delete(slot);
  }
  let number = underway.firstSlot ?? 1;
  while (holders.has(String(number)) || !isForAgents(number)) number += 1;
  holders.set(String(number), key);
  return String(number);
}

/** Subtask ids contain no slash, so the subtask is the part before the first one. */
export const partsOf = (holder: string): { readonly subtask: string; readonly branch: string } => {
  const at = holder.indexOf("/");
  return { subtask: holder.slice(0, at), branch: holder.slice(at + 1) };
};

export function isFree(underway: RunUnderway, holder: string): boolean {
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
