/**
 * Which changes touch the files that judge the work, whether the checks have to run once more with the base's
 * versions, and what brings those back (U13). A test that only got another name, which the same runner finds as
 * surely, is no loss. Invariants: pure, bounded, never throws; once restored, the same judgement asks for nothing
 * more.
 */
import type { ChangedPath, JudgeInput, JudgedChange, Judgement, Restored } from "./contract.ts";
import { fileJudge } from "./judged-file.ts";
import type { Scene } from "./judged-file.ts";
import { reachOf } from "./walk.ts";
import { sourceFiles } from "./source-files.ts";
import type { SourceFiles } from "./source-files.ts";
import { folderOf, foldersUp, nameOf } from "./tree-paths.ts";
import { knownTree, mixedTree } from "./trees.ts";
import type { KnownTree } from "./trees.ts";
import { testConvention } from "./test-conventions.ts";

export function judgeChanges(input: JudgeInput): Judgement {
  if (input.changed.length === 0) return { changes: [], again: false, restore: [] };
  const [base, now] = [knownTree(input.base), knownTree(input.now)];
  const source = sourceOf(base, now);
  const scene: Scene = {
    base,
    now,
    source,
    mixed: reachOf(input.checks, mixedTree(base, now), source),
    reachedNow: reachOf(input.checks, now, source),
    isProtected: input.isProtected,
  };
  const judge = fileJudge(scene);
  const renamed = renamedTests(input.changed, scene);
  const changes: JudgedChange[] = [];
  const restore: Restored[] = [];
  let again = false;
  for (const change of input.changed.toSorted(byPath)) {
    const file = judge(change);
    if (file === undefined) continue;
    const { path, how } = change;
    changes.push({ path, how, role: file.role, source: file.source });
    if (file.to !== undefined) restore.push({ path, to: file.to });
    again ||= file.again && !(file.role === "test" && renamed.has(path));
  }
  return { changes, again, restore: ordered(restore, now) };
}

/** A file of the base by what the base says, a new one by what is there now. */
function sourceOf(base: KnownTree, now: KnownTree): SourceFiles {
  const [before, after] = [sourceFiles(base), sourceFiles(now)];
  const by = (path: string): SourceFiles => (base.has(path) ? before : after);
  return {
    inFolder: (path) => by(path).inFolder(path),
    isSource: (path) => by(path).isSource(path),
  };
}

const byPath = (one: { path: string }, other: { path: string }): number =>
  one.path < other.path ? -1 : one.path > other.path ? 1 : 0;

/** What goes first, then what comes back; a file that stands where a folder was, or the other way round, goes too. */
function ordered(restore: readonly Restored[], now: KnownTree): readonly Restored[] {
  const removed = new Set(restore.filter(({ to }) => to === "remove").map(({ path }) => path));
  for (const { path, to } of restore) {
    if (to === "remove") continue;
    for (const above of foldersUp(path).slice(1)) if (now.has(above)) removed.add(above);
    if (now.isFolder(path))
      for (const below of now.paths) if (below.startsWith(`${path}/`)) removed.add(below);
  }
  return [
    ...[...removed].sort().map((path): Restored => ({ path, to: "remove" })),
    ...restore.filter(({ to }) => to !== "remove"),
  ];
}

function renamedTests(changed: readonly ChangedPath[], scene: Scene): ReadonlySet<string> {
  const { base, now, source, mixed, reachedNow } = scene;
  if (mixed.selects || reachedNow.selects) return new Set();
  const mark = (path: string): string | undefined => {
    const convention = testConvention(path, source.inFolder(path));
    if (convention === undefined || mixed.files.has(path)) return undefined;
    const picked = mixed.tests.map((matches) => Number(matches(path))).join("");
    const ending = nameOf(path).replace(/^[^.]*/, "");
    return JSON.stringify([folderOf(path), convention, ending, picked]);
  };
  const added = new Map<string, Set<string>>();
  for (const { path, how } of changed) {
    const [place, text] = how === "added" ? [mark(path), now.read(path)] : [];
    if (place === undefined || text === undefined) continue;
    added.set(place, (added.get(place) ?? new Set()).add(text));
  }
  const isRenamed = ({ path, how }: ChangedPath): boolean => {
    if (how !== "deleted") return false;
    const text = base.read(path);
    return text !== undefined && added.get(mark(path) ?? "")?.has(text) === true;
  };
  return new Set(changed.filter(isRenamed).map(({ path }) => path));
}
