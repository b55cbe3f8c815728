/**
 * What the agent changes: a version of the world that grows with each change, edits that are undone and redone, and
 * trees that come back. Invariants: once a tree has been observed, only trees change the version; memory is bounded.
 */
import type { CallEvent, Origin } from "./event.ts";
import { RecentMap } from "./recent.ts";
import { hashNumber, hashPair } from "../hash.ts";

interface Swing {
  after: number;
  count: number;
  readonly origin: Origin;
}

export class Edits {
  version = 0;
  /** The last changed file; zero if unknown. */
  lastPath = 0;
  /** The content of each file after a whole-file write. */
  readonly contents = new RecentMap<number>(128);
  /** Each pair of states of a file, and how often edits swung between them. */
  readonly swings = new RecentMap<Swing>(128);
  swing: Swing | undefined;
  tree = 0;
  readonly trees = new RecentMap<Origin>(128);
  /** Consecutive changes that led to a tree seen before. */
  returns = 0;
  returnOrigin: Origin | undefined;
}

/** True if the call probably changed the world: a new command or edit, or different content for a file. */
export function noteEdit(edits: Edits, event: CallEvent, isNew: boolean): boolean {
  const { call, outcome } = event;
  if (outcome === "failed" || !mayChange(event)) return false;
  if (call.kind === "write" ? !noteWrite(edits, event, isNew) : !isNew) return false;
  edits.lastPath = call.path;
  if (edits.tree === 0) edits.version += 1;
  return true;
}

/** The call alone does not show what a tool of unknown kind does. */
function mayChange({ call, outcome }: CallEvent): boolean {
  if (call.kind === "write") return true;
  if (call.kind === "shell") return !call.checks;
  return (call.kind === "other" || call.kind === "delegate") && !call.checks && outcome === "ok";
}

function noteWrite(edits: Edits, event: CallEvent, isNew: boolean): boolean {
  const { path, before, after } = event.call;
  const last = edits.contents.get(path);
  noteSwing(edits, event, before !== 0 ? before : (last ?? 0));
  if (path === 0 || after === 0) return isNew;
  if (before === 0) edits.contents.set(path, after);
  else edits.contents.delete(path);
  return before !== 0 || last !== after;
}

function noteSwing(edits: Edits, { call, origin }: CallEvent, before: number): void {
  const { path, after } = call;
  edits.swing = undefined;
  if (path === 0 || before === 0 || after === 0 || before === after) return;
  const pair = hashPair(path, hashPair(Math.min(before, after), Math.max(before, after)));
  const swing = edits.swings.get(pair);
  if (swing === undefined) edits.swings.set(pair, { after, count: 0, origin });
  else {
    if (swing.after !== after) swing.count += 1;
    swing.after = after;
    edits.swing = swing;
  }
}

/** The version by which repeats are judged; zero without trees, where the calls in between are evidence enough. */
export const treeVersion = ({ tree, version }: Edits): number => (tree === 0 ? 0 : version);

/** True if this tree was never seen before. */
export function noteTree(edits: Edits, tree: string, origin: Origin): boolean {
  const hash = hashNumber(tree);
  if (hash === edits.tree) return false;
  const first = edits.tree === 0;
  edits.tree = hash;
  const known = edits.trees.get(hash) !== undefined;
  if (!known) edits.trees.set(hash, origin);
  if (first) return false;
  if (known) {
    if (edits.returns === 0) edits.returnOrigin = origin;
    edits.returns += 1;
    return false;
  }
  edits.returns = 0;
  edits.version += 1;
  return true;
}
