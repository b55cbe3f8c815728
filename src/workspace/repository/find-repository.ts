/** Finds the user's repository: its top folder, git directory, objects and object format. */
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { type Control, withResult } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
import type { Repository } from "../base/run-folder.ts";
import { git, text } from "../git/git.ts";

export const repositoryAt = withResult(findRepository);

export async function findRepository(path: string, control: Control = {}): Promise<Repository> {
  if (!existsSync(path)) refuse("not-a-repository", `${path} does not exist`);
  const args = ["rev-parse", "--path-format=absolute", "--is-bare-repository", "--git-dir"];
  args.push("--git-common-dir", "--git-path", "objects", "--show-object-format", "--show-toplevel");
  const call = { args, env: {}, cwd: path, config: "user" } as const;
  const { code, stdout } = await git({ ...call, okCodes: [0, 128] }, control);
  const [bare, gitDir = "", commonDir = "", objects = "", format, root = ""] =
    text(stdout).split("\n");
  if (bare === "true") refuse("bare-repository", `${path} has no working tree`);
  if (code !== 0) await git(call, control); // refuses with git's own message
  const paths = [root, gitDir, commonDir, objects];
  if (root === "") refuse("not-a-repository", `${path} is inside a git folder, not a checkout`);
  if (paths.some((name) => /[\n\ufffd]/.test(name)) || format === undefined || format === "")
    refuse("unsafe-path", `the path of ${path} has a line break or is not UTF-8`);
  return {
    root: await realpath(root),
    gitDir: await realpath(gitDir),
    commonDir: await realpath(commonDir),
    objects: await realpath(objects),
    objectFormat: format === "sha256" ? "sha256" : "sha1",
  };
}
