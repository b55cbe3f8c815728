/**
 * The working tree of a subtask that a person takes over. Invariant: it is made anew only once whoever owns the
 * run knows that it is taken, and so gives it back no more.
 */
import { OWN_TREE, subtaskAt } from "../core/run/state.ts";
import { givenBackAs } from "../workspace/trees/released-slots.ts";
import { answered } from "../workspace/port-context.ts";
import { readySlot } from "../workspace/port.ts";
import { slotWorktree } from "../workspace/git/worktree.ts";
import type { Question } from "./answering.ts";
import type { Home } from "./home.ts";
import type { Journal } from "../journal/journal.ts";
import { tell, UsageError } from "./io.ts";
import { wholePinOf } from "./pinned.ts";
import { redactionOfRun } from "./redaction.ts";
import { workspaceOf } from "./run-command.ts";
import { recordedState } from "./run-state.ts";
import { treesOf } from "./run-workspace.ts";

/** Its folder, with what stood there; nothing where no attempt has had one. */
export async function takenTree(
  home: Home,
  journal: Journal,
  { row, checkpoint }: Question,
): Promise<string | undefined> {
  const state = await recordedState(journal, row.id);
  const { subtask = "" } = checkpoint;
  const index = state.graph.indexOf.get(subtask);
  const slot = index === undefined ? undefined : subtaskAt(state, index).slots[OWN_TREE];
  const pinned = await wholePinOf(journal, row.id, home.runDir(row.id));
  const run = await workspaceOf({ journal, row });
  if (pinned.inPlace === true) return run.root;
  if (slot === undefined) return undefined;
  if ((await givenBackAs(run, slot)) !== undefined) {
    const trees = treesOf(row.id, run, pinned, redactionOfRun(home.runDir(row.id)), {
      ...{ now: () => Date.now(), untilDead: () => Promise.resolve() },
      tell: (words) => tell(`unstuck: ${words}`),
      stop: new AbortController().signal,
    });
    const made = await answered(run, () => readySlot(trees, { subtask, attempt: 0, slot }));
    if (!made.ok) throw new UsageError(`run ${row.id}: ${made.failure.because[0] ?? ""}`);
  }
  return slotWorktree(run, slot).path;
}
