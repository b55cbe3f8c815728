/**
 * Which working tree a subtask gets: the lowest number that no unfinished subtask holds. Imports state.
 * A subtask keeps its slot as long as it is not done, so that an agent's session can be resumed at the same path.
 */
import { vectorItems } from "../core/persistent-vector.ts";
import type { Supervised } from "./supervised.ts";

const DONE: ReadonlySet<string> = new Set(["verified", "unverified", "skipped"]);

/** Slots given out by this process whose attempts are not recorded as started yet. */
const givenOut = new WeakMap<Supervised, Map<string, string>>();

export function freeSlot(supervised: Supervised, key: string): string {
  const pending = givenOut.get(supervised) ?? new Map<string, string>();
  givenOut.set(supervised, pending);
  const known = pending.get(key);
  if (known !== undefined) return known;
  const taken = new Set(pending.values());
  const { subtasks, plan } = supervised.state();
  for (const [index, own] of vectorItems(subtasks).entries()) {
    const finished = DONE.has(own.phase) && own.running.length === 0;
    for (const [branch, slot] of Object.entries(own.slots)) {
      pending.delete(`${plan.subtasks[index]?.id ?? ""}/${branch}`);
      if (!finished) taken.add(slot);
    }
  }
  for (let number = 1; ; number += 1) {
    if (taken.has(String(number))) continue;
    pending.set(key, String(number));
    return String(number);
  }
}
