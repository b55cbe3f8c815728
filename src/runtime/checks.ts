/** Runs the checks of an attempt on its tree and answers with what they say. Imports ports and core. */
import type { Command } from "../core/run/command.ts";
import type { CheckResult } from "../core/run/input.ts";
import { OWN_TREE } from "../core/run/state.ts";
import type { OpenTree, TreePlace } from "./ports-workspace.ts";
import { stateOf } from "./supervised.ts";
import type { Reply, Supervised } from "./supervised.ts";

type Check = Extract<Command, { readonly kind: "check" }>;

export async function checkAttempt(
  supervised: Supervised,
  command: Check,
  again: boolean,
): Promise<Reply | undefined> {
  const { ports } = supervised;
  const { subtask, attempt, round } = command;
  if (again) await ports.proveDead(`${supervised.run}/${subtask}/${attempt}`, undefined);
  const place = treeOf(supervised, subtask, attempt);
  const tree = await ports.workspace.open(place);
  const result: CheckResult = tree.ok
    ? await checkTree(supervised, place, tree.value)
    : {
        kind: "could-not-run",
        evidence: { origin: "workspace", message: tree.failure.because[0] ?? "" },
      };
  return { kind: "checks-ended", subtask, attempt, round, result };
}

export async function checkTree(
  supervised: Supervised,
  place: TreePlace,
  tree: OpenTree,
): Promise<CheckResult> {
  const checks = supervised.plan.subtasks[place.subtask]?.checks ?? [];
  return supervised.ports.checker.check({ place, tree, checks, stop: supervised.stop });
}

/** Where the tree of an ended attempt stands: its branch's slot, or the subtask's own. */
export function treeOf(supervised: Supervised, subtask: string, attempt: number): TreePlace {
  const own = stateOf(supervised, subtask);
  const branch = own.attempts.findLast((record) => record.attempt === attempt)?.branch;
  const slot = own.slots[branch ?? OWN_TREE] ?? own.slots[OWN_TREE];
  if (slot === undefined) throw new Error(`broken invariant: ${subtask} has no working tree`);
  return { subtask, attempt, slot, ...(branch === undefined ? {} : { branch }) };
}
