/**
 * A clone of HEAD outside any run, in which code may be read, run and modified freely. It borrows the user's objects
 * and has no remote, branch or hook. Invariant: the user's repository is only read.
 */
import { join } from "node:path";
import { type Control, withResult } from "../base/operation.ts";
import { git } from "../git/git.ts";
import type { Inspection } from "./inspect.ts";

/** `to` must not exist; if there is no commit, it becomes an empty repository. */
export const throwAwayClone = withResult(
  async ({ root, head }: Inspection, to: string, control: Control = {}): Promise<void> => {
    if (head.commit === null) {
      await git({ args: ["init", "-q", "--", to], env: {}, cwd: root }, control);
      return;
    }
    const clone = ["clone", "-q", "--shared", "--no-checkout", "--template=", "--", root, to];
    await git({ args: clone, env: {}, cwd: root, config: "user" }, control);
    const env = { GIT_DIR: join(to, ".git"), GIT_WORK_TREE: to };
    await git({ args: ["remote", "remove", "origin"], env }, control);
    await git({ args: ["checkout", "-q", "--detach", head.commit], env }, control);
  },
);
