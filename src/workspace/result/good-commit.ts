/**
 * Good commits: made by the caller's word that checks passed, from a snapshot, on the subtask's ref; and what the commits
 * of a run say. The same input gives the same commit; line endings and filters are as the repository's attributes say,
 * but a file the snapshot holds cleaned is never cleaned again, and a required filter that fails is a refusal, so nothing
 * is committed raw in its stead; files that the snapshot's own ignore rules hide are left out; a submodule keeps its
 * recorded commit; the ref moves only from the parent. A subject is never empty, never longer than 72 characters and
 * nothing a terminal would obey.
 */
import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { cleanLine } from "../../core/foreign-text.ts";
import { forceRemove } from "../base/remove.ts";
import { type ActiveRun, type Control, operation, pass } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
import { layout, refs, type Run } from "../base/run-folder.ts";
import { createRef, readRef, requireAncestor } from "../git/commits.ts";
import { type CommitPlan, keepObjects, writeCommit } from "../git/objects.ts";
import { pathList, putEntries, stagePaths } from "../git/edit-index.ts";
import { driversOf, filterLimit } from "../git/filters.ts";
import { cleanView, cloneGit, rawView } from "../git/git-dir.ts";
import { git, type GitEnv, records } from "../git/git.ts";
import { isAttributeFile, isIgnoreFile } from "../git/ignore-rules.ts";
import { GITLINK_MODE } from "../git/read-objects.ts";
import { changedEntries, type Entry } from "../git/changed-entries.ts";
import { ensureRawGit } from "../git/worktree.ts";
import { convertsByRule } from "../snapshots/scan.ts";
import { loadSnapshot, type Snapshot } from "../snapshots/read-snapshot.ts";
import { splitStorable } from "../snapshots/storable.ts";

interface GoodCommitPlan extends Pick<CommitPlan, "message" | "at"> {
  readonly subtask: string;
  /** Label of the snapshot whose tree passed its checks. */
  readonly snapshot: string;
  readonly parent: string;
}

export const goodCommit = operation(commitSnapshot);

/** `changed` is false when the snapshot brings nothing new: then the commit is the parent. */
export async function commitSnapshot(
  run: ActiveRun,
  plan: GoodCommitPlan,
): Promise<{ readonly commit: string; readonly changed: boolean }> {
  const { message, at, parent } = plan;
  const taken = await loadSnapshot(run, plan.snapshot);
  await requireAncestor(run, run.base, parent);
  const tree = await committable(run, taken, parent);
  let commit = parent;
  if (tree !== null) {
    commit = await writeCommit(run, { tree, parents: [parent], message, at });
    if (tree !== taken.tree) await keepObjects(run, commit, [parent]);
  }
  await pass(run.control, "good:commit");
  await advanceSubtask(run, plan, commit);
  return { commit, changed: tree !== null };
}

/** The subtask's last good commit, or null. */
export const lastGood = (run: Run, subtask: string): Promise<string | null> =>
  readRef(run, refs.subtask(subtask));

async function advanceSubtask(run: ActiveRun, plan: GoodCommitPlan, commit: string): Promise<void> {
  const ref = refs.subtask(plan.subtask);
  const present = await readRef(run, ref);
  if (present === commit) return;
  if (present !== null && present !== plan.parent)
    refuse("ref-moved", `subtask ${plan.subtask} stands on ${present}, not on ${plan.parent}`);
  if (present !== null) await cloneGit(run, ["update-ref", ref, commit, present]);
  else if (!(await createRef(run, ref, commit)))
    refuse("ref-moved", `another process took the ref of subtask ${plan.subtask}`);
}

/** The tree to commit, or null when it is the parent's. */
async function committable(
  run: ActiveRun,
  taken: Snapshot,
  parent: string,
): Promise<string | null> {
  const range = { from: parent, to: taken.tree };
  const all = await changedEntries(run, range);
  const submodules = gitlinksWithFiles(all);
  const changes = all.filter(
    ({ path }) => !submodules.some((inner) => path === inner || path.startsWith(`${inner}/`)),
  );
  if (changes.length === 0) return null;
  const plain =
    submodules.length === 0 &&
    !taken.attributes &&
    !convertsByRule(run) &&
    !changes.some(({ path }) => isIgnoreFile(path));
  if (plain) return taken.tree;
  const tree = await cleanTree(run, taken, parent, changes);
  const same = await changedEntries(run, { from: parent, to: tree });
  return same.length === 0 ? null : tree;
}

/** Gitlinks of the parent where the snapshot has files: these keep their commit, whatever is inside. */
function gitlinksWithFiles(all: readonly Entry[]): string[] {
  const files = all.filter(({ after }) => after !== "").map(({ path }) => path);
  return all
    .filter(({ before }) => before.startsWith(GITLINK_MODE))
    .map(({ path }) => path)
    .filter((folder) => files.some((path) => path.startsWith(`${folder}/`)));
}

const KEY = "_commits";

/** Adds the snapshot's changed files as git would on the parent; those that it holds cleaned are taken as they are. */
async function cleanTree(
  run: ActiveRun,
  taken: Snapshot,
  parent: string,
  changes: readonly Entry[],
): Promise<string> {
  await ensureRawGit(run, KEY);
  const folder = await mkdtemp(join(layout(run.runDir).private(KEY), "tree-"));
  try {
    const path = join(folder, "files");
    await mkdir(path);
    const index = { GIT_INDEX_FILE: join(folder, "raw-index") };
    const raw = { ...rawView(run, { key: KEY, path }, "all"), ...index };
    await git({ args: ["read-tree", taken.tree], env: raw }, run.control);
    const names = records((await git({ args: ["ls-files", "-z"], env: raw }, run.control)).stdout);
    const rules = names.filter((name) => isIgnoreFile(name) || isAttributeFile(name));
    const there = changes.filter(({ after }) => after !== "" && !after.startsWith(GITLINK_MODE));
    const input = pathList([...new Set([...rules, ...there.map((entry) => entry.path)])]);
    const args = ["checkout-index", "-z", "-f", "-q", "--stdin"];
    await git({ args, env: raw, input }, run.control);
    const env = cleanView(run, path, join(folder, "index"));
    const regular = there.filter(({ after }) => after.startsWith("100")).map((entry) => entry.path);
    // Files that have a filter and are in the snapshot as it cleaned them.
    const cleaned = await driversOf(run, { ...env, ...index }, regular, taken.raw);
    await git({ args: ["read-tree", parent], env }, run.control);
    const ignored = await ignoredOf(env, changes, run.control);
    const wanted = changes.filter((entry) => !ignored.has(entry.path));
    const toAdd = wanted.filter((entry) => !cleaned.has(entry.path));
    const others = toAdd.filter(({ before }) => before === "").map((entry) => entry.path);
    const tracked = toAdd.filter(({ before }) => before !== "").map((entry) => entry.path);
    const { paths } = await splitStorable(path, { others, tracked }, Infinity);
    await stagePaths(env, paths, run.control, filterLimit(run));
    const asTaken = wanted.filter((entry) => cleaned.has(entry.path));
    await putEntries(run, env, new Map(asTaken.map((entry) => [entry.path, entry.after])));
    return (await git({ args: ["write-tree"], env }, run.control)).stdout.trim();
  } finally {
    await forceRemove(folder);
  }
}

/** New files the tree's own rules ignore. The `./` keeps a name from being read as a pattern. */
async function ignoredOf(
  view: GitEnv,
  changes: readonly Entry[],
  control: Control,
): Promise<Set<string>> {
  const added = changes.filter(({ before }) => before === "").map(({ path }) => `./${path}\0`);
  const input = Buffer.from(added.join(""), "latin1");
  const env = { ...view, GIT_LITERAL_PATHSPECS: "0" };
  const call = { args: ["check-ignore", "-z", "--stdin"], env, input, okCodes: [0, 1] };
  return new Set(records((await git(call, control)).stdout).map((path) => path.slice(2)));
}

const SUBJECT_CHARS = 72;

interface CommitOf {
  readonly run: string;
  readonly subtask: string;
  readonly attempt: number;
  readonly prompt: string;
}

export function commitMessage({ run, subtask, attempt, prompt }: CommitOf, merge = false): string {
  const subject = subjectFrom(merge ? `Merge: ${firstSentence(prompt)}` : firstSentence(prompt));
  const name = cleanLine(subtask, 200);
  return [
    subject === "" || subject === "Merge:" ? subjectFrom(`Subtask ${name}`) : subject,
    "",
    `Attempt ${attempt} of subtask ${name}.`,
    "",
    `Unstuck-Run: ${run}`,
    `Unstuck-Subtask: ${name}/${attempt}`,
  ].join("\n");
}

/** Of the commit with which a result comes into a branch that went on. */
export const applyMessage = (run: string, verb: "Merge" | "Bring back"): string =>
  [`${verb} the result of Unstuck run ${run}`, "", `Unstuck-Run: ${run}`].join("\n");

/** Without marks of headings and lists, which git or a reader would take for something else. */
function firstSentence(prompt: string): string {
  const line = prompt
    .slice(0, 4000)
    .split("\n")
    .map((each) =>
      cleanLine(each, 1000)
        .replace(/^[\s#>*-]+/, "")
        .trim(),
    )
    .find((each) => each !== "");
  const end = /[.!?](?=\s)/.exec(line ?? "");
  return (line ?? "").slice(0, end === null ? undefined : end.index + 1);
}

function subjectFrom(words: string): string {
  if (words.length <= SUBJECT_CHARS) return words;
  const cut = words.slice(0, SUBJECT_CHARS - 1);
  const space = cut.lastIndexOf(" ");
  const whole = space > SUBJECT_CHARS / 2 ? cut.slice(0, space) : cut;
  return `${whole.replace(/[\ud800-\udbff]$/, "").trimEnd()}…`;
}
