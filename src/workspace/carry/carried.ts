/**
 * What the plan carries: copied once from the user's checkout into the run's folder, and from there into every working
 * tree. Invariants: a path is copied aside and renamed into place, and the record is written last, so the next call
 * finishes an interrupted one; a path is placed whole or not at all, and only where nothing exists yet; paths stay
 * inside the checkout and never go through a link; references to the checkout are rewritten to the tree; a recorded
 * path is never copied again.
 */
import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize } from "node:path";
import { exists, moveIn, writeDurably } from "../base/files.ts";
import { forceRemove } from "../base/remove.ts";
import { copyWhole } from "../base/copy.ts";
import { type ActiveRun, operation, reachPoint } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
import { layout, type Run } from "../base/run-folder.ts";
import { cloneGit } from "../git/git-dir.ts";
import { isWithin, pathRewriter, rootsOf } from "./checkout-paths.ts";
import { surveyCopy } from "./survey-copy.ts";
import {
  copyOf,
  temporaryPath,
  requireNoLink,
  carriedRecord,
  recordFile,
} from "./place-carried.ts";
import type { CarriedItem, Carried } from "./place-carried.ts";

export const keepCarried = operation(copyCarried);

/** Copies what the plan carries into the run's folder; a repeated call continues from what exists. */
export function copyCarried(run: ActiveRun, paths: readonly string[]): Promise<Carried> {
  const before = keeping.get(run.runDir) ?? sweep(run);
  const result = before.then(() => kept(run, paths));
  const done = (): void => undefined;
  keeping.set(run.runDir, result.then(done, done));
  return result;
}

/** One at a time: slots leased at the same time ask for the same paths. */
const keeping = new Map<string, Promise<void>>();

/** Removes what a dead process had started to copy. Its `cp` may still be writing there. */
async function sweep(run: Run): Promise<void> {
  const folder = layout(run.runDir).carried;
  const own = `-${process.pid}-`;
  for (const name of await readdir(folder).catch(() => []))
    if (/^(?:new|laying)-/.test(name) && !name.includes(own))
      await forceRemove(join(folder, name)).catch(() => undefined);
}

async function kept(run: ActiveRun, paths: readonly string[]): Promise<Carried> {
  const asked = [...new Set(paths)];
  for (const path of asked) requireInside(path);
  let record = await carriedRecord(run);
  const missing = asked.filter((path) => !Object.hasOwn(record, path));
  for (const path of missing) record = { ...record, [path]: await keepOne(run, path) };
  if (missing.length > 0) await writeDurably(recordFile(run), `${JSON.stringify(record)}\n`);
  const items = asked.map((path) => ({ path, item: record[path] ?? NOT_CARRIED }));
  const hash = createHash("sha256");
  for (const { path, item } of items) hash.update(`${path}\0${item.mark}\0`);
  return {
    kept: items.filter(({ item }) => item.kept).map(({ path }) => path),
    left: items.flatMap(({ path, item }) => (item.kept ? item.left : [path])),
    repointed: items.flatMap(({ item }) => item.said),
    mark: hash.digest("hex"),
  };
}

const NOT_CARRIED: CarriedItem = {
  ...{ kept: false, real: "", roots: [], mark: "" },
  ...{ left: [], pointing: [], said: [] },
};

async function keepOne(run: ActiveRun, path: string): Promise<CarriedItem> {
  const from = join(run.root, path);
  await requireNoLink(run.root, path, "the checkout");
  const real = await realpath(from).catch(() => null);
  if (real === null || (await isTracked(run, path))) return NOT_CARRIED;
  const found = await lstat(real);
  if (!found.isFile() && !found.isDirectory()) return NOT_CARRIED;
  if (isWithin(real, run.runDir) || isWithin(real, run.root))
    refuse("unsafe-path", `${path} holds the run's own folder or the checkout`);
  const [to, aside] = [copyOf(run, path), temporaryPath(run, "new")];
  await forceRemove(to);
  await mkdir(dirname(to), { recursive: true });
  try {
    const left = await copyWhole(real, aside, run.control);
    if (!(await exists(aside))) return { ...NOT_CARRIED, left: [path] };
    const roots = rootsOf(run.root, process.env);
    const of = { copy: aside, path, real, root: run.root };
    const survey = await surveyCopy(of, pathRewriter(roots));
    if (survey.problem !== undefined) refuse("unsafe-path", survey.problem);
    await moveIn(aside, to);
    await reachPoint(run.control, "carry:kept");
    const { pointing, said, mark } = survey;
    const below = left.map((inner) => join(path, inner));
    return { kept: true, real, roots, left: below, pointing, said, mark };
  } finally {
    await forceRemove(aside);
  }
}

function requireInside(path: string): void {
  const parts = normalize(path).split("/");
  const outside = parts.some((part) => [".", "..", ".git"].includes(part.toLowerCase()));
  if (isAbsolute(path) || path === "" || path.includes("\0") || outside)
    refuse("unsafe-path", `${path} is not a path below the repository`);
}

/** Whether the base contains it or anything below it. */
async function isTracked(run: ActiveRun, path: string): Promise<boolean> {
  const name = normalize(path).replace(/\/$/, "");
  const args = ["ls-tree", "-z", "--name-only", run.base, "--", name];
  return (await cloneGit(run, args)).stdout !== "";
}
