/**
 * What the plan carries: copied once from the user's checkout into the run's folder, and laid from there into every
 * working tree. Copied aside, renamed in, and the record written last, so a call that was cut off is finished by the
 * next; a path is laid whole or not at all, and only where nothing is yet; paths stay inside the checkout and go
 * through no link; what named the checkout names the tree; what is in the record is never copied again.
 */
import { createHash } from "node:crypto";
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  symlink,
  unlink,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, isAbsolute, join, normalize } from "node:path";
import { exists, forceRemove, moveIn, readOrNull, writeDurably } from "../base/files.ts";
import { copyWhole } from "../base/copy.ts";
import { type ActiveRun, operation, pass, refuse } from "../base/operation.ts";
import { layout, type Run } from "../base/run-folder.ts";
import { cloneGit } from "../git/git-dir.ts";
import { bytes } from "../git/git.ts";
import { isWithin, pathRewriter, rootsOf } from "./checkout-paths.ts";
import { type Copy, linkTarget, surveyCopy } from "./survey-copy.ts";

export interface Carried {
  readonly kept: readonly string[];
  /** Asked for but not there, tracked by git, or not to be read. */
  readonly left: readonly string[];
  /** What pointed back at the checkout and is re-pointed in each tree, as `file: what`. */
  readonly repointed: readonly string[];
  /** Changes when the carried content does: paths, sizes, times, modes of what was copied. */
  readonly mark: string;
}

/** One path that was asked for. */
interface CarriedItem {
  readonly kept: boolean;
  /** Where it really lay. */
  readonly real: string;
  readonly roots: readonly string[];
  readonly left: readonly string[];
  readonly pointing: readonly string[];
  readonly said: readonly string[];
  readonly mark: string;
}
type CarriedRecord = Readonly<Record<string, CarriedItem>>;

export const keepCarried = operation(copyCarried);

/** Copies what the plan carries into the run's folder; repeating goes on from what is there. */
export function copyCarried(run: ActiveRun, paths: readonly string[]): Promise<Carried> {
  const before = keeping.get(run.runDir) ?? sweep(run);
  const result = before.then(() => kept(run, paths));
  const done = (): void => undefined;
  keeping.set(run.runDir, result.then(done, done));
  return result;
}

/** One at a time: slots that are leased together ask for the same. */
const keeping = new Map<string, Promise<void>>();

/** What a process that died had begun; a `cp` of its may still be writing there. */
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
  const items = asked.map((path) => ({ path, item: record[path] ?? LEFT }));
  const hash = createHash("sha256");
  for (const { path, item } of items) hash.update(`${path}\0${item.mark}\0`);
  return {
    kept: items.filter(({ item }) => item.kept).map(({ path }) => path),
    left: items.flatMap(({ path, item }) => (item.kept ? item.left : [path])),
    repointed: items.flatMap(({ item }) => item.said),
    mark: hash.digest("hex"),
  };
}

const LEFT: CarriedItem = {
  ...{ kept: false, real: "", roots: [], mark: "" },
  ...{ left: [], pointing: [], said: [] },
};

async function keepOne(run: ActiveRun, path: string): Promise<CarriedItem> {
  const from = join(run.root, path);
  await requireNoLink(run.root, path, "the checkout");
  const real = await realpath(from).catch(() => null);
  if (real === null || (await isTracked(run, path))) return LEFT;
  const found = await lstat(real);
  if (!found.isFile() && !found.isDirectory()) return LEFT;
  if (isWithin(real, run.runDir) || isWithin(real, run.root))
    refuse("unsafe-path", `${path} holds the run's own folder or the checkout`);
  const [to, aside] = [copyOf(run, path), asideOf(run, "new")];
  await forceRemove(to);
  await mkdir(dirname(to), { recursive: true });
  try {
    const left = await copyWhole(real, aside, run.control);
    if (!(await exists(aside))) return { ...LEFT, left: [path] };
    const roots = rootsOf(run.root, process.env);
    const of = { copy: aside, path, real, root: run.root };
    const survey = await surveyCopy(of, pathRewriter(roots));
    if (survey.problem !== undefined) refuse("unsafe-path", survey.problem);
    await moveIn(aside, to);
    await pass(run.control, "carry:kept");
    const { pointing, said, mark } = survey;
    const below = left.map((inner) => join(path, inner));
    return { kept: true, real, roots, left: below, pointing, said, mark };
  } finally {
    await forceRemove(aside);
  }
}

async function carriedRecord(run: Run): Promise<CarriedRecord> {
  const content = await readOrNull(recordFile(run));
  return content === null ? {} : (JSON.parse(content.toString("utf8")) as CarriedRecord);
}

const recordFile = (run: Run): string => join(layout(run.runDir).carried, "record.json");

/** By its hash: no path can lie inside another's copy. */
const copyOf = (run: Run, path: string): string =>
  join(layout(run.runDir).carried, createHash("sha256").update(path).digest("hex").slice(0, 32));

let asides = 0;
/** A name nobody else uses: a `cp` that outlived its owner may still be writing to an older one. */
function asideOf(run: Run, what: "new" | "laying"): string {
  asides += 1;
  return join(layout(run.runDir).carried, `${what}-${process.pid}-${Date.now()}-${asides}`);
}

function requireInside(path: string): void {
  const parts = normalize(path).split("/");
  const outside = parts.some((part) => [".", "..", ".git"].includes(part.toLowerCase()));
  if (isAbsolute(path) || path === "" || path.includes("\0") || outside)
    refuse("unsafe-path", `${path} is not a path below the repository`);
}

/** Refuses a path whose folders are links: nothing is read or written through one. */
async function requireNoLink(root: string, path: string, where: string): Promise<void> {
  const parts = normalize(path).split("/").slice(0, -1);
  for (let count = 1; count <= parts.length; count += 1) {
    const found = await lstat(join(root, ...parts.slice(0, count))).catch(() => null);
    if (found?.isSymbolicLink() === true)
      refuse("unsafe-path", `${path} leads out of ${where} through a link`);
  }
}

/** Whether the base holds it or anything below it. */
async function isTracked(run: ActiveRun, path: string): Promise<boolean> {
  const name = normalize(path).replace(/\/$/, "");
  const args = ["ls-tree", "-z", "--name-only", run.base, "--", name];
  return (await cloneGit(run, args)).stdout !== "";
}

/** Gives the paths it placed; those that stood there already are left as they are. */
export async function placeCarried(
  run: ActiveRun,
  carried: Carried,
  worktree: { readonly path: string },
): Promise<readonly string[]> {
  const record = await carriedRecord(run);
  const placed: string[] = [];
  for (const path of [...carried.kept].sort((a, b) => a.length - b.length)) {
    const item = record[path];
    if (item === undefined) refuse("damaged-run", `${path} is not in the run's record`);
    await requireNoLink(worktree.path, path, "the working tree");
    const to = join(worktree.path, path);
    if (await exists(to)) continue;
    const aside = asideOf(run, "laying");
    try {
      await copyWhole(copyOf(run, path), aside, run.control);
      const of = { copy: aside, path, real: item.real, root: run.root };
      await rewritePaths(of, item, worktree.path);
      await pass(run.control, "carry:copied");
      await mkdir(dirname(to), { recursive: true });
      await moveIn(aside, to);
    } finally {
      await forceRemove(aside);
    }
    placed.push(path);
  }
  return placed;
}

async function rewritePaths(of: Copy, item: CarriedItem, tree: string): Promise<void> {
  const rewriter = pathRewriter(item.roots);
  for (const inner of item.pointing) {
    const file = inner === "" ? of.copy : join(of.copy, inner);
    const found = await lstat(file);
    if (found.isSymbolicLink()) {
      const old = bytes(linkTarget(of, inner, await readlink(file)));
      await unlink(file);
      await symlink(Buffer.from(rewriter.to(old, tree), "latin1"), file);
      continue;
    }
    const text = await readFile(file, "latin1");
    const to = (one: string): string => rewriter.to(one, tree);
    const script = text.startsWith("#!") ? scriptTo(text, to) : to(text);
    const changed = ACTIVATE.test(basename(inner)) ? withQuotes(script, tree) : script;
    await unlink(file); // a hard link in the copy is not written through
    await writeFile(file, changed, { encoding: "latin1" });
    await chmod(file, found.mode & 0o7777);
  }
}

const ACTIVATE = /^activate(?:\.fish|\.csh)?$/;

/** Python writes a path without quotes where it needs none; the tree's own may need them. */
function withQuotes(script: string, tree: string): string {
  const path = bytes(tree);
  if (/^[\w./-]*$/.test(path)) return script;
  const bare = new RegExp(
    `(^|[=\\s(])(${path.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}[\\w./-]{0,200})(?=[\\s);]|$)`,
    "gm",
  );
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  return script.replace(bare, (_, before: string, whole: string) => before + quoted(whole));
}

/** The longest first line that every kernel takes. */
const FIRST_LINE_MOST = 127;

/** A script; where the path in its first line no longer fits there, in the way of Python's own installers. */
function scriptTo(text: string, rewriter: (text: string) => string): string {
  const [line = "", interpreter = "", more = ""] =
    /^#![ \t]{0,20}(\S{0,4000})(.{0,4000})/.exec(text) ?? [];
  const to = rewriter(interpreter);
  const rest = rewriter(text.slice(line.length));
  if (to === interpreter) return rewriter(line) + rest;
  const fits = !/\s/.test(to) && to.length + more.length + 2 <= FIRST_LINE_MOST;
  if (fits || !/python|pypy/.test(interpreter)) return `#!${to}${more}${rest}`;
  return `#!/bin/sh\n'''exec' "${to}"${more} "$0" "$@"\n' '''${rest}`;
}
