/**
 * Which working tree a subtask gets: the lowest number that no unfinished subtask holds. Imports state.
 * A subtask keeps its slot as long as it is not done, so that an agent's session can be resumed at the same path. What is held is
 * read from the state once and then kept, so that a start costs by the trees in use, not by the size of the plan.
 */
import { vectorItems } from "../core/persistent-vector.ts";
import { stateOf } from "./supervised.ts";
import type { Supervised } from "./supervised.ts";

const DONE: ReadonlySet<string> = new Set(["verified", "unverified", "answered", "skipped"]);

/** Who holds each slot, as `subtask/branch`, for each run under the care of this process. */
const held = new WeakMap<Supervised, Map<string, string>>();

/** `key` is `subtask/branch`. */
export function freeSlot(supervised: Supervised, key: string): string {
  const holders = held.get(supervised) ?? heldIn(supervised);
  held.set(supervised, holders);
  for (const [slot, holder] of holders) {
    if (holder === key) return slot;
    if (isFree(supervised, holder)) holders.delete(slot);
  }
  let number = 1;
  while (holders.has(String(number))) number += 1;
  holders.set(String(number), key);
  return String(number);
}

function isFree(supervised: Supervised, holder: string): boolean {
  const { phase, running, stages } = stateOf(supervised, holder.slice(0, holder.indexOf("/")));
  return DONE.has(phase) && running.length + stages.length === 0;
}

function heldIn(supervised: Supervised): Map<string, string> {
  const { subtasks, plan } = supervised.state();
  const found = new Map<string, string>();
  for (const [index, { slots }] of vectorItems(subtasks).entries())
    for (const [branch, slot] of Object.entries(slots)) {
      const holder = `${plan.subtasks[index]?.id ?? ""}/${branch}`;
      const other = found.get(slot);
      if (other === undefined || isFree(supervised, other)) found.set(slot, holder);
    }
  return found;
}
