/**
 * The files that judge the work, on git: which of them a commit changes, and the same commit with those it started
 * from (U13). The tree with old judging files is made of git objects alone, no file is checked out for it;
 * dependencies of a shared manifest stay as the work has them.
 */
import { join } from "node:path";
import type { Judgement } from "../../core/checks/judging/contract.ts";
import { judgeChanges } from "../../core/checks/judging/judge-changes.ts";
import type { CheckPlan } from "../../core/plan/run-plan.ts";
import type { AttemptCommit, Commit, JudgingFiles } from "../../runtime/ports-workspace.ts";
import type { ActiveRun } from "../base/operation.ts";
import { layout } from "../base/run-folder.ts";
import {
  GITLINK_MODE,
  changedEntries,
  idIn,
  treeEntries,
  type TreeEntries,
  withBlobs,
} from "../git/read-objects.ts";
import { treeWith } from "../git/edit-index.ts";
import { cloneGit } from "../git/git-dir.ts";
import { bytes, text } from "../git/git.ts";
import { keepObjects, writeCommit } from "../git/commits.ts";

const NAMED = 50;

export async function judgingFiles(
  run: ActiveRun,
  commit: AttemptCommit,
  checks: readonly CheckPlan[],
  { isProtected, at }: { readonly isProtected: (path: string) => boolean; readonly at: number },
): Promise<JudgingFiles> {
  const entries = await changedEntries(run, { from: commit.start, to: commit.tree });
  if (entries.length === 0) return { changed: [] };
  const changed = entries.map(({ path, before, after }) => {
    const how = before === "" ? "added" : after === "" ? "deleted" : "edited";
    return { path: text(path), how } as const;
  });
  const base = await treeEntries(run, commit.start);
  const now = await treeEntries(run, commit.tree);
  const judgement = await withBlobs(run, (read) => {
    const filesOf = (of: TreeEntries) => ({
      paths: [...of.keys()],
      read: (path: string): string | undefined => {
        const entry = of.get(path);
        return entry === undefined || entry.mode === GITLINK_MODE ? undefined : read(entry.blob);
      },
    });
    return judgeChanges({
      ...{ checks: checks.map((check) => check.run), isProtected, changed },
      ...{ base: filesOf(base), now: filesOf(now) },
    });
  });
  const named = judgement.changes.filter(({ how }) => how !== "added" || judgement.again);
  const files = named.map(({ path }) => path).slice(0, NAMED);
  if (!judgement.again) return { changed: files };
  const restored = await restoredCommit(run, commit, base, judgement, at);
  return { changed: files, restored };
}

/** The commit's tree with the base's judging files, as a commit of its own that is never published. */
async function restoredCommit(
  run: ActiveRun,
  commit: AttemptCommit,
  base: TreeEntries,
  { restore }: Judgement,
  at: number,
): Promise<Commit> {
  const entries = new Map<string, string>();
  for (const { path, to } of restore) {
    const before = base.get(path);
    if (to === "remove") entries.set(bytes(path), "");
    else if (to === "base") {
      if (before !== undefined) entries.set(bytes(path), `${before.mode} ${before.blob}`);
    } else {
      const args = ["hash-object", "-w", "--stdin"];
      const { stdout } = await cloneGit(run, args, { input: to.text });
      entries.set(bytes(path), `${before?.mode ?? "100644"} ${stdout.trim()}`);
    }
  }
  const index = join(layout(run.runDir).clone, `index-judged-${commit.tree}`);
  const tree = await treeWith(run, index, commit.tree, entries);
  const message = "The work with the judging files it started from";
  const made = await writeCommit(run, { tree, parents: [commit.start], message, at });
  await keepObjects(run, made, [commit.start, commit.commit]);
  return { commit: made, tree };
}

/** What only an install brings; ecosystems that fetch while they build are left out. */
const LOCK_FILES: ReadonlySet<string> = new Set([
  ...[
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "bun.lock",
    "bun.lockb",
  ],
  ...["uv.lock", "poetry.lock", "Pipfile.lock", "requirements.txt"],
  ...["Gemfile.lock", "composer.lock", "mix.lock"],
]);
const DEPENDENCIES = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
];

/** Lock files and manifests that ask for other dependencies than the run's base did. */
export async function unmetDependencies(
  run: ActiveRun,
  commit: Commit,
): Promise<readonly string[]> {
  const entries = await changedEntries(run, { from: run.base, to: commit.tree });
  const about = entries.filter(({ path, after }) => after !== "" && asksForMore(path));
  return withBlobs(run, (read) =>
    about
      .filter(({ path, before, after }) => {
        if (nameOf(path) !== "package.json") return true;
        const [old, now] = [before, after].map((entry) => wanted(read(idIn(entry))));
        return old !== now;
      })
      .map(({ path }) => text(path)),
  );
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const asksForMore = (path: string): boolean =>
  LOCK_FILES.has(nameOf(path)) || nameOf(path) === "package.json";

function wanted(manifest: string | undefined): string {
  try {
    const parsed = JSON.parse(manifest ?? "{}") as Readonly<Record<string, unknown>>;
    return JSON.stringify(DEPENDENCIES.map((name) => parsed[name] ?? {}));
  } catch {
    return "";
  }
}
