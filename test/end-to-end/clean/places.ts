/** What the tests of `clean`, `status` and finding runs share: quick runs, a second repository of the same home, refs and folders. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unstuck, type Ran } from "../../cli/command.ts";
import type { Repository } from "../run/repository.ts";

/** The agent's words as a shell would run them. */
export const shell = (script: string): string => `sh -c '${script}'`;

export const WORK: string = shell("echo 2 > value.txt; echo done");

const GOAL = ["run", "--goal", "make the value 2", "--check", "sh check.sh", "--no-grounding"];

/** Runs a goal to its end and gives the run's id. */
export function runGoal(here: Repository, agent: string = WORK, ...more: string[]): string {
  const ran = here.unstuck(...GOAL, "--agent", agent, ...more);
  assert.equal(ran.code, 0, ran.err + ran.out);
  return /run (\S+)/.exec(ran.err)?.[1] ?? assert.fail(ran.err);
}

export const goalArgs = (agent: string, ...more: string[]): string[] => [
  ...GOAL,
  "--agent",
  agent,
  ...more,
];

/** One more folder beside the repository, with the same home. */
export interface Beside {
  readonly path: string;
  git(...args: string[]): string;
  unstuck(...args: string[]): Ran;
}

export function beside(here: Repository, name: string, isRepository: boolean): Beside {
  const path = join(here.path, "..", name);
  mkdirSync(path, { recursive: true });
  const env = { ...process.env, ...here.env };
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: path, encoding: "utf8", env });
  if (isRepository) {
    git("init", "-q", "-b", "main");
    writeFileSync(join(path, "value.txt"), "1\n");
    git("add", ".");
    git("commit", "-qm", "start");
  }
  return { path, git, unstuck: (...args) => unstuck(args, { cwd: path, env: here.env }) };
}

export const refsOf = (here: Pick<Repository, "git">): string[] =>
  here
    .git("for-each-ref", "--format=%(refname)", "refs/heads/unstuck", "refs/unstuck")
    .split("\n")
    .filter((line) => line !== "");

export const foldersOf = (here: Repository): string[] => {
  const folder = join(here.home, "runs");
  return existsSync(folder) ? readdirSync(folder) : [];
};
