/** Runs the checks of an attempt on its tree and answers with what they say. Imports ports and core. */
import type { Command } from "../core/run/command.ts";
import type { CheckResult } from "../core/run/input.ts";
import { OWN_TREE } from "../core/run/state.ts";
import { untilDead, withRoom } from "./patience.ts";
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
  const id = `${supervised.run}/${subtask}/${attempt}`;
  if (again && !(await untilDead(supervised, id, undefined))) return undefined;
  const ended = { kind: "checks-ended", subtask, attempt, round } as const;
  const place = treeOf(supervised, subtask, attempt);
  if (place === undefined)
    return { ...ended, result: couldNotRun("the subtask has no working tree yet") };
  // What a person did by hand has no agent's end, where trees are snapshotted otherwise.
  const kept = byHand(supervised, place)
    ? await withRoom(supervised, () => ports.workspace.finish(place))
    : undefined;
  if (kept?.ok === false) return { ...ended, result: couldNotRun(kept.failure.because[0]) };
  const tree = await ports.workspace.open(place);
  const result = tree.ok
    ? await checkTree(supervised, place, tree.value)
    : couldNotRun(tree.failure.because[0]);
  return { ...ended, result };
}

const couldNotRun = (message = ""): CheckResult => ({
  kind: "could-not-run",
  evidence: { origin: "workspace", message },
});

const byHand = (supervised: Supervised, { subtask, attempt }: TreePlace): boolean =>
  !stateOf(supervised, subtask).attempts.some((record) => record.attempt === attempt);

export async function checkTree(
  supervised: Supervised,
  place: TreePlace,
  tree: OpenTree,
): Promise<CheckResult> {
  const checks = supervised.plan.subtasks[place.subtask]?.checks ?? [];
  return supervised.ports.checker.check({ place, tree, checks, stop: supervised.stop });
}

/** Where the tree of an ended attempt stands: its branch's slot, or the subtask's own; nothing if it never got one. */
export function treeOf(
  supervised: Supervised,
  subtask: string,
  attempt: number,
): TreePlace | undefined {
  const own = stateOf(supervised, subtask);
  const branch = own.attempts.findLast((record) => record.attempt === attempt)?.branch;
  const slot = own.slots[branch ?? OWN_TREE] ?? own.slots[OWN_TREE];
  if (slot === undefined) return undefined;
  return { subtask, attempt, slot, ...(branch === undefined ? {} : { branch }) };
}
