/**
 * The files that judge the work, on git: which of them a commit changes, and the same commit with those it started
 * from (U13). Invariants: the tree with old judging files is made of git objects alone, no file is checked out for
 * it; dependencies of a shared manifest stay as the work has them.
 */
import { join } from "node:path";
import type { Judgement } from "../../core/checks/judging/contract.ts";
import { judgeChanges } from "../../core/checks/judging/judge-changes.ts";
import type { CheckPlan } from "../../core/plan/run-plan.ts";
import type { AttemptCommit, Commit, JudgingFiles } from "../../runtime/ports-workspace.ts";
import type { Control, Run } from "../base/types.ts";
import { changedEntries } from "../git/diff.ts";
import { cloneView, layout } from "../git/git-dir.ts";
import { bytes, git, text } from "../git/git.ts";
import { keepObjects, writeCommit } from "../git/object-store.ts";
import { treeEntries, type TreeEntries, withBlobs, withLines } from "../git/read-objects.ts";
import type { GitTrees } from "../port-context.ts";

const NAMED = 50;

export async function judgingFiles(
  { run, control = {}, isProtected, now: clock }: GitTrees,
  commit: AttemptCommit,
  checks: readonly CheckPlan[],
): Promise<JudgingFiles> {
  const entries = await changedEntries(run, { from: commit.start, to: commit.tree }, control);
  if (entries.length === 0) return { changed: [] };
  const changed = entries.map(({ path, before, after }) => ({
    path: text(path),
    how:
      before === ""
        ? ("added" as const)
        : after === ""
          ? ("deleted" as const)
          : ("edited" as const),
  }));
  const base = await treeEntries(run, commit.start, control);
  const now = await treeEntries(run, commit.tree, control);
  const judgement = await withBlobs(run, control, (read) => {
    const filesOf = (of: TreeEntries) => ({
      paths: [...of.keys()],
      read: (path: string): string | undefined => {
        const entry = of.get(path);
        return entry === undefined || entry.mode === "160000" ? undefined : read(entry.blob);
      },
    });
    const commands = checks.map((check) => check.run);
    return judgeChanges({
      checks: commands,
      isProtected,
      base: filesOf(base),
      now: filesOf(now),
      changed,
    });
  });
  const named = judgement.changes.filter(({ how }) => how !== "added" || judgement.again);
  const files = named.map(({ path }) => path).slice(0, NAMED);
  if (!judgement.again) return { changed: files };
  return {
    changed: files,
    restored: await restoredCommit(run, commit, base, judgement, clock(), control),
  };
}

/** The commit's tree with the base's judging files, as a commit of its own that is never published. */
async function restoredCommit(
  run: Run,
  commit: AttemptCommit,
  base: TreeEntries,
  { restore }: Judgement,
  at: number,
  control: Control,
): Promise<Commit> {
  const none = `0 ${"0".repeat(commit.tree.length)}`;
  const lines: string[] = [];
  for (const { path, to } of restore) {
    const before = base.get(path);
    if (to === "remove") lines.push(`${none}\t${bytes(path)}\0`);
    else if (to === "base") {
      if (before !== undefined) lines.push(`${before.mode} ${before.blob}\t${bytes(path)}\0`);
    } else {
      const args = ["hash-object", "-w", "--stdin"];
      const { stdout } = await git({ args, env: cloneView(run), input: to.text }, control);
      lines.push(`${before?.mode ?? "100644"} ${stdout.trim()}\t${bytes(path)}\0`);
    }
  }
  const index = join(layout(run.runDir).clone, `index-judged-${commit.tree}`);
  const tree = await withLines(run, index, commit.tree, lines, control);
  const message = "The work with the judging files it started from";
  const made = await writeCommit(run, { tree, parents: [commit.start], message, at });
  await keepObjects(run, made, [commit.start, commit.commit], control);
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
  run: Run,
  commit: Commit,
  control: Control,
): Promise<readonly string[]> {
  const entries = await changedEntries(run, { from: run.base, to: commit.tree }, control);
  const about = entries.filter(({ path, after }) => after !== "" && asksForMore(path));
  return withBlobs(run, control, (read) =>
    about
      .filter(({ path, before, after }) => {
        if (nameOf(path) !== "package.json") return true;
        const [old, now] = [before, after].map((entry) => wanted(read(entry.split(" ")[1] ?? "")));
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
