/**
 * Opens a run on a repository: pins the base, creates the run's own store and clone, and records the result.
 * Invariants: the pin ref is written before anything depends on it and is the only change to the user's repository;
 * `workspace.json` is written last, so a run that has it is complete; repeating is safe.
 */
import { count } from "../../core/amounts.ts";
import { copyFile, mkdir, realpath, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { assert } from "../../core/assert.ts";
import { readOrNull, writeDurably } from "../base/files.ts";
import { type ActiveRun, type Control, withResult, reachPoint } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
import { layout, refs, type Run } from "../base/run-folder.ts";
import { readRef } from "../git/commits.ts";
import { keepObjects, writeCommit } from "../git/objects.ts";
import { filterLines } from "../git/filter-settings.ts";
import { cloneGit, userView } from "../git/git-dir.ts";
import { makeGitDir } from "../git/make-git-dir.ts";
import { bytes, git, idOf } from "../git/git.ts";
import { emptyTree } from "../git/read-objects.ts";
import { cleanTreeOfCheckout } from "./checkout.ts";
import { inspected, type Inspection } from "./inspect.ts";
import { branchesAround, refuseBranchInTheWay } from "./user-refs.ts";

export interface OpenPlan {
  readonly id: string;
  readonly repository: string;
  readonly runDir: string;
  readonly base: "head" | "with-changes";
  readonly inPlace?: boolean;
  readonly at: number;
  /** A recent inspection for which `checkStart` found no obstacle. */
  readonly found?: Inspection;
}

export const openRun = withResult(opened);

export const loadRun = withResult(
  async (runDir: string) =>
    (await findRun(runDir)) ?? refuse("damaged-run", `${runDir} holds no whole run`),
);

/** Refuses if anything prevents a start, before anything is created. */
export const checkStart = withResult(refuseStart);

async function refuseStart(
  found: Inspection,
  plan: OpenPlan,
  control: Control = {},
): Promise<void> {
  await refuseOldGit(control);
  refuseUnfit(found, plan, plan.runDir);
  if (plan.inPlace !== true)
    refuseBranchInTheWay(await branchesAround(found, plan.id, control), plan.id);
}

async function opened(plan: OpenPlan, control: Control = {}): Promise<Run> {
  assert(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(plan.id), `run id ${plan.id}`);
  await mkdir(plan.runDir, { recursive: true });
  const runDir = await realpath(plan.runDir);
  const known = await findRun(runDir);
  if (known !== null) return known;
  const found = plan.found ?? (await inspected(plan.repository, control));
  if (plan.found === undefined) await refuseStart(found, { ...plan, runDir }, control);
  const pinned = await pinBase(found, plan.id, control);
  await reachPoint(control, "open:pinned");
  const draft = draftOf(plan, runDir, found, pinned);
  const active = { ...draft, control };
  await makeClone(draft, found);
  await keepTags(active, found);
  await reachPoint(control, "open:cloned");
  if (found.partial) await refuseMissing(active);
  const run = { ...draft, ...(await makeBase(active, plan)) };
  await reachPoint(control, "open:based");
  await writeDurably(layout(runDir).record, `${JSON.stringify(run, null, 1)}\n`);
  return run;
}

async function findRun(runDir: string): Promise<Run | null> {
  const content = await readOrNull(layout(runDir).record);
  if (content === null) return null;
  return { ...(JSON.parse(content.toString("utf8")) as Run), runDir: await realpath(runDir) };
}

/** Merging without a checkout requires git 2.38. */
async function refuseOldGit(control: Control): Promise<void> {
  const { stdout } = await git({ args: ["version"], env: {} }, control);
  const [, major = "0", minor = "0"] = /(\d{1,4})\.(\d{1,4})/.exec(stdout) ?? [];
  if (Number(major) * 100 + Number(minor) < 238)
    refuse("git-too-old", `git 2.38 or newer is needed, this is ${stdout.trim()}`);
}

function refuseUnfit(found: Inspection, plan: OpenPlan, runDir: string): void {
  const inside = relative(found.root, runDir);
  if (!inside.startsWith("..")) refuse("run-inside-repository", `${runDir} is in ${found.root}`);
  if (plan.base === "head" && plan.inPlace !== true) return;
  const asked = plan.inPlace === true ? "--in-place" : "--with-changes";
  if (found.dirty.unmerged.length > 0)
    refuse("unmerged-files", `${asked} with unmerged files`, found.dirty.unmerged);
  if (found.operation !== null) refuse("busy-repository", `${asked} during a ${found.operation}`);
  if (found.sparse) refuse("sparse-checkout", `${asked} needs the whole tree checked out`);
}

/** The pin protects the base from the user's gc; an existing pin takes precedence. */
async function pinBase(found: Inspection, id: string, control: Control): Promise<string | null> {
  const env = userView(found);
  const ref = refs.pin(id);
  const { commit } = found.head;
  if (commit === null) return idOf(env, ref, control);
  const call = { args: ["update-ref", ref, commit, ""], env };
  if ((await git({ ...call, okCodes: [0, 1, 128] }, control)).code === 0) return commit;
  const there = await idOf(env, ref, control);
  if (there === null) await git(call, control); // refuses with git's own message
  return there ?? commit;
}

function draftOf(plan: OpenPlan, runDir: string, found: Inspection, pinned: string | null): Run {
  const { root, gitDir, commonDir, objects, objectFormat } = found;
  const { settings, ignoreLines, attributeLines, filters, identity } = found;
  return {
    ...{ version: 1, id: plan.id, runDir, root, gitDir, commonDir, objects, objectFormat },
    ...{ branch: found.head.branch, pinned, base: pinned ?? "", skipped: [] },
    ...{ settings, ignoreLines, attributeLines, filters },
    withChanges: plan.base === "with-changes",
    ...(identity === null ? {} : { identity }),
  };
}

/** Creates the store, the clone that holds refs, and the git dir that applies the user's conversions to commits. */
async function makeClone(run: Run, found: Inspection): Promise<void> {
  const places = layout(run.runDir);
  await mkdir(join(places.store, "pack"), { recursive: true });
  await mkdir(places.slots, { recursive: true });
  await writeFile(places.outsideRules, run.ignoreLines, "latin1");
  const alternates = bytes(`${places.store}\n${run.objects}\n`);
  await makeGitDir(places.clone, run, {
    bare: true,
    head: `ref: ${refs.result(run.id)}`,
    lines: ["[transfer]", "hideRefs = refs/unstuck", "[receive]", "hideRefs = refs"],
    files: { "objects/info/alternates": alternates },
  });
  if (found.shallow) await copyFile(join(run.commonDir, "shallow"), places.shallow);
  await makeGitDir(places.clean, run, {
    conversions: true,
    lines: filterLines(run.filters, places.lfs),
    files: { "info/exclude": run.ignoreLines, "info/attributes": run.attributeLines },
  });
}

/** Copies the tags that `git describe` needs in a slot or check tree, as in a clone. */
async function keepTags(run: ActiveRun, found: Inspection): Promise<void> {
  const args = ["for-each-ref", "--format=%(objectname) %(refname)", "refs/tags"];
  const { stdout } = await git({ args, env: userView(found) }, run.control);
  await writeFile(layout(run.runDir).tags, stdout, "latin1");
}

/** A partial clone is fine as long as the base is complete: nothing is ever fetched behind the user's back. */
async function refuseMissing(run: ActiveRun): Promise<void> {
  if (run.pinned === null) return;
  const args = ["rev-list", "--objects", "--no-walk", "--missing=print", run.pinned];
  const { stdout } = await cloneGit(run, args);
  const missing = stdout.split("\n").filter((line) => line.startsWith("?")).length;
  if (missing > 0)
    refuse(
      "objects-missing",
      `partial clone: ${count(missing, "object of HEAD was", "objects of HEAD were")} never fetched`,
    );
}

type Base = Pick<Run, "base" | "skipped">;

async function makeBase(run: ActiveRun, plan: OpenPlan): Promise<Base> {
  const known = await readRef(run, refs.base);
  const made = known !== null ? { base: known, skipped: [] } : await newBase(run, plan);
  const input = `update ${refs.base} ${made.base}\nupdate ${refs.result(run.id)} ${made.base}\n`;
  await cloneGit(run, ["update-ref", "--stdin"], { input });
  return made;
}

async function newBase(run: ActiveRun, plan: OpenPlan): Promise<Base> {
  const parents = run.pinned === null ? [] : [run.pinned];
  if (plan.base === "head" && run.pinned !== null) return { base: run.pinned, skipped: [] };
  if (plan.base === "head") {
    const tree = await emptyTree(run);
    const message = "Empty start: the repository had no commit yet";
    return { base: await writeCommit(run, { tree, parents, message, at: plan.at }), skipped: [] };
  }
  const { tree, skipped } = await cleanTreeOfCheckout(run, run.pinned);
  const message =
    "Uncommitted changes of the checkout, as they were when the run started\n\n" +
    "Not part of the result: the run worked on top of them (--with-changes).\n\n" +
    `Unstuck-Run: ${run.id}`;
  const base = await writeCommit(run, { tree, parents, message, at: plan.at });
  await keepObjects(run, base, parents);
  return { base, skipped };
}
