/**
 * Good commits, made from a snapshot on the subtask's ref once the caller says that the checks passed; and the commit
 * messages of a run. Invariants: the same input gives the same commit; line endings and filters follow the repository's
 * attributes, but files that the snapshot holds cleaned are not cleaned again; a required filter that fails is a
 * refusal, so nothing is committed raw instead; files hidden by the snapshot's own ignore rules are left out; a
 * submodule keeps its recorded commit; the ref moves only from the parent; a subject is never empty, at most 72
 * characters, and safe to print.
 */
import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { cleanLine } from "../../core/foreign-text.ts";
import { forceRemove } from "../base/remove.ts";
import { type ActiveRun, type Control, operation, reachPoint } from "../base/operation.ts";
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

/** `changed` is false if the snapshot adds nothing: then the commit is the parent. */
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
  await reachPoint(run.control, "good:commit");
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

/** The tree to commit, or null if it equals the parent's. */
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

/** Gitlinks of the parent where the snapshot has files: they keep their commit, whatever is inside. */
function gitlinksWithFiles(all: readonly Entry[]): string[] {
  const files = all.filter(({ after }) => after !== "").map(({ path }) => path);
  return all
    .filter(({ before }) => before.startsWith(GITLINK_MODE))
    .map(({ path }) => path)
    .filter((folder) => files.some((path) => path.startsWith(`${folder}/`)));
}

const KEY = "_commits";

/** Adds the snapshot's changed files to the parent as git would; files that it holds cleaned are taken as they are. */
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
    // Files with a filter that the snapshot holds in cleaned form.
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

/** New files that the tree's own rules ignore. The `./` keeps a name from being read as a pattern. */
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

/** The message of the commit that brings a result into a branch that has moved on. */
export const applyMessage = (run: string, verb: "Merge" | "Bring back"): string =>
  [`${verb} the result of Unstuck run ${run}`, "", `Unstuck-Run: ${run}`].join("\n");

/** Drops heading and list marks, which git or a reader would misinterpret. */
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
