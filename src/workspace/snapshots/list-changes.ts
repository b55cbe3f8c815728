/** Lists the files of a tree that differ from its index, with folders too deep to store reported separately. */
import type { Control } from "../base/operation.ts";
import { git, type GitEnv, records, text } from "../git/git.ts";
import { anchored } from "../git/ignore-rules.ts";
import type { Changes } from "./storable.ts";

interface Rules {
  /** `live` also applies the current `.gitignore` files. */
  readonly live: boolean;
  readonly file: string;
  readonly carry: readonly string[];
}

/** New, changed and deleted paths; a repository inside the tree is one entry in `nested`. */
export async function listChanges(
  env: GitEnv,
  rules: Rules,
  control: Control,
  limit: { readonly filterLimitMs?: number } = {},
): Promise<Changes> {
  const args = ["ls-files", "-t", "-z", "-o", "-m", "-d", `--exclude-from=${rules.file}`];
  if (rules.live) args.push("--exclude-per-directory=.gitignore");
  args.push(...rules.carry.map((path) => `--exclude=${text(anchored(path))}`));
  const others: string[] = [];
  const nested: string[] = [];
  const tracked = new Set<string>();
  const { stdout, stderr } = await git({ args, env, ...limit }, control);
  for (const record of records(stdout)) {
    const path = record.slice(2);
    if (!record.startsWith("?")) tracked.add(path);
    else if (path.endsWith("/")) nested.push(path.slice(0, -1));
    else others.push(path);
  }
  return { others, nested, tracked: [...tracked], tooDeep: tooDeepIn(stderr) };
}

/**
 * Folders deeper than the system's longest path (PATH_MAX), which can be created step by step: git prints a warning and
 * continues. Git truncates the warning at 4096 characters, which loses the reason, but the length of the path is reason
 * enough.
 */
const WARNING = /could not (?:open directory '|lstat )([^\n]{3800,})/g;

/**
 * Each is identified by a part of its path that can still be moved or removed, even below another folder (latin1
 * bytes).
 */
export const tooDeepIn = (stderr: string): readonly string[] => [
  ...new Set(
    [...stderr.matchAll(WARNING)].map(([, path = ""]) =>
      path.slice(0, path.lastIndexOf("/", 1000)),
    ),
  ),
];
