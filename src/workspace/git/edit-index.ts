/**
 * Lists of paths into and out of an index. Paths are latin1 bytes and reach git through its input, so no name and
 * no number of names is too much.
 */
import type { Control } from "../base/types.ts";
import { git } from "./git.ts";

type Env = Readonly<Record<string, string>>;

export const listed = (paths: readonly string[]): Buffer =>
  Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");

export async function stagePaths(
  env: Env,
  paths: readonly string[],
  control: Control,
  limit: { readonly filterLimitMs?: number } = {},
): Promise<void> {
  if (paths.length === 0) return;
  const args = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
  await git({ args, env, input: listed(paths), flush: "later", ...limit }, control);
}

/** Takes paths out of the index and leaves the files. */
export async function forget(env: Env, paths: readonly string[], control: Control): Promise<void> {
  if (paths.length === 0) return;
  const args = ["update-index", "-z", "--force-remove", "--stdin"];
  await git({ args, env, input: listed(paths) }, control);
}

/** Also where the entry looks up to date because it was staged in another form. */
export async function stageAnew(
  env: Env,
  paths: readonly string[],
  control: Control,
): Promise<void> {
  await forget(env, paths, control);
  await stagePaths(env, paths, control);
}
