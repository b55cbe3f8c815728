/**
 * Lays what a run carries into a working tree, from the copy in the run's folder. Invariants: a path is laid whole
 * or not at all, and only where nothing is yet; never through a link; what named the checkout names this tree.
 */
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
import { basename, dirname, join } from "node:path";
import { asideOf, carriedRecord, copyOf, requireNoLink } from "./carried.ts";
import type { Carried, CarriedItem } from "./carried.ts";
import { copyWhole, moveIn } from "./copy.ts";
import { exists, forceRemove } from "./files.ts";
import { linkTarget } from "./pointing.ts";
import { pass, refuse, settled } from "./refusal.ts";
import { repointing } from "./repoint.ts";
import type { Control, Result, Run } from "./types.ts";

/** Gives the paths it laid; those that stood there already are left as they are. */
export const layCarried = (
  run: Run,
  carried: Carried,
  worktree: { readonly path: string },
  control: Control = {},
): Promise<Result<readonly string[]>> =>
  settled(async () => {
    const record = await carriedRecord(run);
    const laid: string[] = [];
    for (const path of [...carried.kept].sort((a, b) => a.length - b.length)) {
      const item = record[path];
      if (item === undefined) refuse("damaged-run", `${path} is not in the run's record`);
      await requireNoLink(worktree.path, path, "the working tree");
      const to = join(worktree.path, path);
      if (await exists(to)) continue;
      const aside = asideOf(run, "laying");
      try {
        await copyWhole(copyOf(run, path), aside, control);
        await repointAll(run, { path, item, aside }, worktree.path);
        await pass(control, "carry:copied");
        await mkdir(dirname(to), { recursive: true });
        await moveIn(aside, to);
      } finally {
        await forceRemove(aside);
      }
      laid.push(path);
    }
    return laid;
  });

interface Laying {
  readonly path: string;
  readonly item: CarriedItem;
  readonly aside: string;
}

async function repointAll(run: Run, { path, item, aside }: Laying, tree: string): Promise<void> {
  const repoint = repointing(item.roots);
  const of = { copy: aside, path, real: item.real, root: run.root };
  for (const inner of item.pointing) {
    const file = inner === "" ? aside : join(aside, inner);
    const found = await lstat(file);
    if (found.isSymbolicLink()) {
      const old = Buffer.from(linkTarget(of, inner, await readlink(file))).toString("latin1");
      await unlink(file);
      await symlink(Buffer.from(repoint.to(old, tree), "latin1"), file);
      continue;
    }
    const text = await readFile(file, "latin1");
    const to = (one: string): string => repoint.to(one, tree);
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
  const path = Buffer.from(tree).toString("latin1");
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
function scriptTo(text: string, repoint: (text: string) => string): string {
  const [line = "", interpreter = "", more = ""] =
    /^#![ \t]{0,20}(\S{0,4000})(.{0,4000})/.exec(text) ?? [];
  const to = repoint(interpreter);
  const rest = repoint(text.slice(line.length));
  if (to === interpreter) return repoint(line) + rest;
  const fits = !/\s/.test(to) && to.length + more.length + 2 <= FIRST_LINE_MOST;
  if (fits || !/python|pypy/.test(interpreter)) return `#!${to}${more}${rest}`;
  return `#!/bin/sh\n'''exec' "${to}"${more} "$0" "$@"\n' '''${rest}`;
}
