/** Puts carried files into a working tree, rewriting the paths in them to the new location. */
import { createHash } from "node:crypto";
import {
  chmod,
  lstat,
  mkdir,
  readFile,
  readlink,
  symlink,
  unlink,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join, normalize } from "node:path";
import { exists, moveIn, readOrNull } from "../base/files.ts";
import { forceRemove } from "../base/remove.ts";
import { copyWhole } from "../base/copy.ts";
import { type ActiveRun, reachPoint } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
import { layout, type Run } from "../base/run-folder.ts";
import { bytes } from "../git/git.ts";
import { pathRewriter } from "./checkout-paths.ts";
import { type Copy, linkTarget } from "./survey-copy.ts";

export interface Carried {
  readonly kept: readonly string[];
  /** Requested but missing, tracked by git, or unreadable. */
  readonly left: readonly string[];
  /** What pointed at the checkout and is re-pointed in each tree, as `file: what`. */
  readonly repointed: readonly string[];
  /** Changes with the carried content: the paths, sizes, times and modes of what was copied. */
  readonly mark: string;
}

/** One requested path. */
export interface CarriedItem {
  readonly kept: boolean;
  /** Its real location. */
  readonly real: string;
  readonly roots: readonly string[];
  readonly left: readonly string[];
  readonly pointing: readonly string[];
  readonly said: readonly string[];
  readonly mark: string;
}

type CarriedRecord = Readonly<Record<string, CarriedItem>>;

export async function carriedRecord(run: Run): Promise<CarriedRecord> {
  const content = await readOrNull(recordFile(run));
  return content === null ? {} : (JSON.parse(content.toString("utf8")) as CarriedRecord);
}

export const recordFile = (run: Run): string => join(layout(run.runDir).carried, "record.json");

/** Named by a hash, so that no path can lie inside another's copy. */
export const copyOf = (run: Run, path: string): string =>
  join(layout(run.runDir).carried, createHash("sha256").update(path).digest("hex").slice(0, 32));

let asides = 0;

/** A unique name: a `cp` that outlived its owner may still be writing to an older one. */
export function temporaryPath(run: Run, what: "new" | "laying"): string {
  asides += 1;
  return join(layout(run.runDir).carried, `${what}-${process.pid}-${Date.now()}-${asides}`);
}

/** Refuses a path with a link among its folders: nothing is read or written through one. */
export async function requireNoLink(root: string, path: string, where: string): Promise<void> {
  const parts = normalize(path).split("/").slice(0, -1);
  for (let count = 1; count <= parts.length; count += 1) {
    const found = await lstat(join(root, ...parts.slice(0, count))).catch(() => null);
    if (found?.isSymbolicLink() === true)
      refuse("unsafe-path", `${path} leads out of ${where} through a link`);
  }
}

/** Returns the paths it placed; existing ones are left unchanged. */
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
    const aside = temporaryPath(run, "laying");
    try {
      await copyWhole(copyOf(run, path), aside, run.control);
      const of = { copy: aside, path, real: item.real, root: run.root };
      await rewritePaths(of, item, worktree.path);
      await reachPoint(run.control, "carry:copied");
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
    await unlink(file); // do not write through a hard link in the copy
    await writeFile(file, changed, { encoding: "latin1" });
    await chmod(file, found.mode & 0o7777);
  }
}

const ACTIVATE = /^activate(?:\.fish|\.csh)?$/;

/** Python leaves a path unquoted if it needs no quotes; the tree's path may need them. */
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

/** The longest first line that every kernel accepts. */
const FIRST_LINE_MOST = 127;

/**
 * Rewrites a script. If the new path no longer fits in its first line, uses the same workaround as Python's own
 * installers.
 */
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
