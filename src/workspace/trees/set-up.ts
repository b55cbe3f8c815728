/**
 * What a working tree needs besides its files. Set-up runs again if its mark differs: the mark of a commit is a hash
 * over the set-up commands, the carried content, and the files that set-up reads (given by globs); equal marks mean an
 * equal result. Without a set-up, dependencies that a commit adds stay unmet.
 */
import { createHash } from "node:crypto";
import { basename, matchesGlob } from "node:path";
import type { Commit } from "../../runtime/ports-workspace.ts";
import type { ActiveRun } from "../base/operation.ts";
import type { Run } from "../base/run-folder.ts";
import { text } from "../git/git.ts";
import { idIn, treeFiles } from "../git/read-objects.ts";
import { withBlobs } from "../git/blobs.ts";
import { changedEntries } from "../git/changed-entries.ts";

interface SetUpPlan {
  readonly setup: readonly string[];
  /** Changes with the carried content. */
  readonly carried: string;
  /** Whether set-up reads this path. */
  readonly isInput: (path: string) => boolean;
}

/** Caches by commit or tree, because a tree's mark never changes. */
export function setupMarks(run: Run, plan: SetUpPlan): (commit: string) => Promise<string> {
  const known = new Map<string, Promise<string>>();
  return (commit) => {
    const mark = known.get(commit) ?? markOf({ ...run, control: {} }, plan, commit);
    known.set(commit, mark);
    mark.catch(() => known.delete(commit));
    return mark;
  };
}

async function markOf(
  run: ActiveRun,
  { setup, carried, isInput }: SetUpPlan,
  commit: string,
): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify([setup, carried]));
  if (setup.length === 0) return hash.digest("hex");
  for (const [path, entry] of await treeFiles(run, commit))
    if (isInput(path)) hash.update(`\0${path} ${entry}`);
  return hash.digest("hex");
}

/**
 * `*` and `**` also match names that start with a dot: a missed change would be worse than one too many. Globs for a
 * plain name (`**\/package.json`) use a set, because every file of a commit is tested.
 */
export function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const plain = globs.filter((glob) => /^\*\*\/[\w.-]+$/.test(glob));
  const names = new Set(plain.map((glob) => glob.slice("**/".length)));
  const others = globs.filter((glob) => !plain.includes(glob));
  const wanted = others.filter((glob) => !/^\*\*\/\*?[\w.-]+\*?[\w.-]*$/.test(glob));
  const byName = others.filter((glob) => !wanted.includes(glob)).map((glob) => glob.slice(3));
  return (path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return (
      names.has(name) ||
      byName.some((glob) => fits(name, glob)) ||
      wanted.some((glob) => fits(path, glob))
    );
  };
}

const fits = (path: string, glob: string): boolean =>
  matchesGlob(path, glob) || matchesGlob(undotted(path), undotted(glob));

/** Replaces a leading dot by an ordinary character, in path and glob alike. */
const undotted = (text: string): string => text.replace(/(^|\/)(?=\.[^./])/g, "$1\u0001");

/** Lock files of dependencies that need an install; ecosystems that fetch while they build are not listed. */
const LOCK_FILES =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|(?:uv|poetry|Pipfile)\.lock|requirements\.txt|(?:Gemfile|composer|mix)\.lock)$/;
const DEPENDENCIES = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
];

/** Lock files and manifests that require other dependencies than the run's base did. */
export async function unmetDependencies(
  run: ActiveRun,
  commit: Commit,
): Promise<readonly string[]> {
  const entries = await changedEntries(run, { from: run.base, to: commit.tree });
  return withBlobs(run, (read) =>
    entries
      .filter(({ path, before, after }) => {
        if (after === "" || basename(path) !== "package.json")
          return after !== "" && LOCK_FILES.test(basename(path));
        return wanted(read(idIn(before))) !== wanted(read(idIn(after)));
      })
      .map(({ path }) => text(path)),
  );
}

function wanted(manifest: string | undefined): string {
  try {
    const parsed = JSON.parse(manifest ?? "{}") as Readonly<Record<string, unknown>>;
    return JSON.stringify(DEPENDENCIES.map((name) => parsed[name] ?? {}));
  } catch {
    return "";
  }
}
