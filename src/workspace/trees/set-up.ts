/**
 * Whether set-up has to run again: a mark of what it amounts to for a commit (its commands, the carried content, and
 * the files it reads), and the globs that say which files those are. Equal marks mean that set-up would make the same.
 */
import { createHash } from "node:crypto";
import { matchesGlob } from "node:path";
import type { ActiveRun, Control } from "../base/operation.ts";
import type { Run } from "../base/run-folder.ts";
import { treeEntries } from "../git/read-objects.ts";

interface ReadyPlan {
  readonly setup: readonly string[];
  /** Changes when the carried content does. */
  readonly carried: string;
  /** Whether set-up reads this path. */
  readonly isInput: (path: string) => boolean;
}

/** By commit or tree; what a tree's mark is never changes. */
export function readyMarks(
  run: Run,
  plan: ReadyPlan,
  control: Control = {},
): (commit: string) => Promise<string> {
  const known = new Map<string, Promise<string>>();
  return (commit) => {
    const mark = known.get(commit) ?? markOf({ ...run, control }, plan, commit);
    known.set(commit, mark);
    mark.catch(() => known.delete(commit));
    return mark;
  };
}

async function markOf(
  run: ActiveRun,
  { setup, carried, isInput }: ReadyPlan,
  commit: string,
): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify([setup, carried]));
  if (setup.length === 0) return hash.digest("hex");
  for (const [path, { mode, blob }] of await treeEntries(run, commit))
    if (isInput(path)) hash.update(`\0${path} ${mode} ${blob}`);
  return hash.digest("hex");
}

/**
 * `*` and `**` match names that begin with a dot too: a change that is missed would be worse than one too many. Names that stand
 * for themselves (`**\/package.json`) are looked up, because every file of a commit is asked about.
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

/** Dots at the start of a name made an ordinary letter, in path and glob alike. */
const undotted = (text: string): string => text.replace(/(^|\/)(?=\.[^./])/g, "$1\u0001");
