/**
 * Decides which changes touch files that judge the work, whether the checks must run again with the base's versions,
 * and how to restore those. A test that was only renamed, and that the same runner still finds, is no loss. Invariants:
 * bounded, never throws; a file of the base is judged by the base's own manifests and configuration; judging the
 * restored tree asks for nothing more.
 */
import type {
  ChangedPath,
  JudgeInput,
  JudgeRole,
  JudgedChange,
  Judgement,
  RestoreTo,
  Restored,
} from "./contract.ts";
import { manifestOf } from "./manifests.ts";
import { PACKAGE_MANIFEST, sourceFiles, type SourceFiles } from "./source-files.ts";
import { isBuildFile, steeringBy } from "./steering-files.ts";
import { isTestData, testConvention } from "./test-conventions.ts";
import {
  folderOf,
  folderAndParents,
  indexedTree,
  mixedTree,
  nameOf,
  type IndexedTree,
} from "./trees.ts";
import { reachOf, type Reach } from "./walk.ts";

export function judgeChanges(input: JudgeInput): Judgement {
  if (input.changed.length === 0) return { changes: [], again: false, restore: [] };
  const [base, now] = [indexedTree(input.base), indexedTree(input.now)];
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

/** Uses the base's manifests for files of the base, and the current ones for new files. */
function sourceOf(base: IndexedTree, now: IndexedTree): SourceFiles {
  const [before, after] = [sourceFiles(base), sourceFiles(now)];
  const by = (path: string): SourceFiles => (base.has(path) ? before : after);
  return {
    inFolder: (path) => by(path).inFolder(path),
    isSource: (path) => by(path).isSource(path),
  };
}

const byPath = (one: { path: string }, other: { path: string }): number =>
  one.path < other.path ? -1 : one.path > other.path ? 1 : 0;

/**
 * Removals first, then files to bring back; a file in place of a folder, or a folder in place of a file, is removed
 * too.
 */
function ordered(restore: readonly Restored[], now: IndexedTree): readonly Restored[] {
  const removed = new Set(restore.filter(({ to }) => to === "remove").map(({ path }) => path));
  for (const { path, to } of restore) {
    if (to === "remove") continue;
    for (const above of folderAndParents(path).slice(1)) if (now.has(above)) removed.add(above);
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

interface JudgedFile extends Pick<JudgedChange, "role" | "source"> {
  /** The change requires another run of the checks with the base's files. */
  readonly again: boolean;
  readonly to: RestoreTo | undefined;
}

interface Scene {
  readonly base: IndexedTree;
  readonly now: IndexedTree;
  readonly source: SourceFiles;
  /** Reach in the mixed tree: the base's versions plus new files. */
  readonly mixed: Reach;
  readonly reachedNow: Reach;
  readonly isProtected: (path: string) => boolean;
}

/** Files that only list installed packages: never judged, in any folder. */
const LOCKS =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|poetry\.lock|uv\.lock|pdm\.lock|Pipfile(?:\.lock)?|requirements[\w.-]{0,40}\.txt|Cargo\.lock|go\.(?:mod|sum)|Gemfile(?:\.lock)?|composer\.lock|mix\.lock|pubspec\.lock|Podfile\.lock)$/;

const INSTALLED = /(?:^|\/)node_modules\//;

function fileJudge(scene: Scene): (change: ChangedPath) => JudgedFile | undefined {
  const { base, now, source, mixed, reachedNow } = scene;
  const used = {
    tools: new Set([...mixed.tools, ...reachedNow.tools]),
    unclear: mixed.unclear || reachedNow.unclear,
  };
  const steers = steeringBy(used);

  const manifest = (path: string, how: ChangedPath["how"]): JudgedFile | undefined | "none" => {
    if (isTestData(path) || INSTALLED.test(path)) return "none";
    const scripts = new Set(
      [mixed, reachedNow].flatMap((reach) => [...(reach.scripts.get(path) ?? [])]),
    );
    const kind = manifestOf(path, { ...used, scripts });
    if (kind === undefined) return "none";
    const [was, is] = [base.read(path) ?? "", now.read(path) ?? ""];
    const [before, after] = [kind.steering(was), kind.steering(is)];
    if (before === undefined || after === undefined)
      return was === is ? undefined : listedOnly("manifest", true);
    if (before === after) return undefined;
    if (how === "deleted") return judged("manifest", how);
    if (how === "added") return addedManifest(path, is, kind.restored("", is));
    const text = kind.restored(was, is);
    return text === undefined
      ? listedOnly("manifest", true)
      : { ...judged("manifest", how), to: text === was ? "base" : { text } };
  };
  const addedManifest = (path: string, is: string, bare: string | undefined): JudgedFile => {
    const own = manifestOf(path, { ...used, scripts: new Set() })?.steering(is) ?? "";
    const shadows = mixed.shadowing.has(path);
    if ((own === "" && !shadows) || isInNewPackage(path)) return listedOnly("manifest", false);
    if (shadows || /^tsconfig/.test(nameOf(path)) || bare?.trim() === "")
      return judged("manifest", "added");
    return { ...judged("manifest", "added"), to: bare === undefined ? undefined : { text: bare } };
  };

  const packages = new Set(
    now.paths.filter((path) => PACKAGE_MANIFEST.test(nameOf(path))).map(folderOf),
  );
  /** Configuration inside an entirely new package affects only that package. */
  const isInNewPackage = (path: string): boolean =>
    !INSTALLED.test(path) &&
    folderAndParents(folderOf(path)).some(
      (folder) => folder !== "" && !base.isFolder(folder) && packages.has(folder),
    );

  return ({ path, how }) => {
    if (scene.isProtected(path)) return judged("protected", how);
    if (LOCKS.test(nameOf(path)) && !isTestData(path)) return undefined;
    const asManifest = manifest(path, how);
    if (asManifest !== "none") return asManifest;
    const isNewPackage = how === "added" && isInNewPackage(path);
    const steering = steers(path);
    if (steering === "global" || (steering === "local" && !isTestData(path)))
      return steering === "local" && isNewPackage
        ? listedOnly("steering", false)
        : judged("steering", how);
    const found = mixed.files.get(path);
    const isTest =
      testConvention(path, source.inFolder(path)) !== undefined ||
      (!source.isSource(path) &&
        [...mixed.tests, ...reachedNow.tests].some((matches) => matches(path)));
    if (found === undefined ? isTest : found.role === "test" && (isTest || !found.source))
      return isNewPackage ? listedOnly("test", false) : judged("test", how);
    if (found !== undefined) {
      const isNamedByBase = found.from !== undefined && base.has(found.from);
      const counts = how !== "added" || isNamedByBase || found.found === "shadow";
      return counts && !found.source
        ? judged(found.role, how)
        : listedOnly(found.role, found.source);
    }
    if (isBuildFile(path, used)) return listedOnly("steering", true);
    const later = reachedNow.files.get(path);
    return later === undefined ? undefined : listedOnly(later.role, later.source);
  };
}

/** The file is restored; a new test alone does not require another run. */
const judged = (role: JudgeRole, how: ChangedPath["how"]): JudgedFile => ({
  role,
  source: false,
  again: how !== "added" || role !== "test",
  to: how === "added" ? "remove" : "base",
});

/** The file is only listed. */
const listedOnly = (role: JudgeRole, source: boolean): JudgedFile => ({
  role,
  source,
  again: false,
  to: undefined,
});
