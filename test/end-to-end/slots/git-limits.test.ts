// proves: V31
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { LAUNCHER } from "../../cli/command.ts";
import { assertSnapshot, type Said } from "../faults/snapshot.ts";
import { repository, type Repository } from "../run/repository.ts";
import { failuresOf, owner, pause, planFile, type Owner } from "../run/runs.ts";
import { hangingGit, type HangingGit } from "./hanging-git.ts";

/**
 * Some seconds, instead of ten minutes: more than any other git takes on a busy machine. A git is said to be slow after a
 * quarter of it.
 */
const SHORT = "0.12";
/** Long enough for a stop from elsewhere to come before the limit. */
const LONGER = "0.8";
const right = { write: { "value.txt": "2\n" }, print: "done" };

interface Started extends Owner {
  readonly said: () => Omit<Said, "code">;
  readonly shown: () => string;
}

interface Place {
  readonly here: Repository;
  readonly git: HangingGit;
  readonly start: (...args: string[]) => Started;
  readonly plan: string;
}

async function withHangingGit(
  body: (place: Place) => Promise<void>,
  minutes = SHORT,
): Promise<void> {
  const here = repository();
  const git = hangingGit(join(here.path, ".."));
  const plan = planFile(here, here.agent({ a: [right] }), [
    "id: a, prompt: a, checks: [sh check.sh]",
  ]);
  const started: Started[] = [];
  const start = (...args: string[]): Started => {
    const env = { ...process.env, ...here.env, PATH: git.path, UNSTUCK_GIT_MINUTES: minutes };
    const child = spawn(process.execPath, [LAUNCHER, ...args], {
      ...{ cwd: here.path, env, stdio: ["ignore", "pipe", "pipe"] },
    });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout?.on("data", (chunk: Buffer) => out.push(chunk.toString("utf8")));
    child.stderr?.on("data", (chunk: Buffer) => err.push(chunk.toString("utf8")));
    const command = args.map((word) => (word === plan ? "plan.yaml" : word)).join(" ");
    const said = () => ({ command: `unstuck ${command}`, out: out.join(""), err: err.join("") });
    const shown = (): string => out.join("") + err.join("");
    const one = { ...owner(child), said, shown };
    started.push(one);
    return one;
  };
  try {
    await body({ here, git, start, plan });
  } finally {
    git.hang(undefined);
    for (const one of started) await one.kill();
    for (const pid of git.living()) process.kill(pid, "SIGKILL");
    here.remove();
  }
}

async function until(isSo: () => boolean, what: string, ms = 300_000): Promise<void> {
  for (let waited = 0; waited < ms; waited += 50) {
    if (isSo()) return;
    await pause(50);
  }
  assert.fail(`it never came: ${what}`);
}

test("V31: a git that hangs is told of, and ended by the first stop; nothing of it is left", () =>
  withHangingGit(async ({ here, git, start, plan }) => {
    git.hang("read-tree", "/slots/");
    const run = start("run", plan, "--trust");
    await until(() => /has taken/.test(run.shown()), "a word about the git that hangs");
    assert.match(run.shown(), /git read-tree has taken \S+ s in .*unstuck stop/);
    const stopped = here.unstuck("stop");
    assert.equal(stopped.code, 0);
    const code = await run.ended;
    assert.deepEqual(failuresOf(here.events()), [], "ended by the stop, not by its limit");
    assert.deepEqual(git.living(), []);
    assert.equal(code, 5, run.shown());
    assertSnapshot("hanging-git", [{ ...run.said(), code }], {
      ...{ [here.path]: "<repository>", [here.home]: "<home>" },
    });
  }, LONGER));

test(
  "V31: a git that hangs is ended at its limit; it costs no attempt, and the subtask goes on once git does",
  inLargeForm("slots"),
  () =>
    withHangingGit(async ({ here, git, start, plan }) => {
      git.hang("read-tree", "/slots/");
      const run = start("run", plan, "--trust");
      await until(git.hasHung, "the git that hangs");
      await until(() => failuresOf(here.events()).length > 0, "its limit");
      assert.deepEqual(git.living(), []);
      git.hang(undefined);
      assert.deepEqual(failuresOf(here.events()), ["a timeout"]);
      const [failure] = here.events().filter(({ event }) => event.kind === "failure-classified");
      assert.equal(failure?.event["counted"], false);
      assert.equal(await run.ended, 0, run.shown());
    }),
);

test(
  "V31: a git that hangs does not outlive an owner that is killed, nor a command that is interrupted",
  inLargeForm("slots"),
  () =>
    withHangingGit(async ({ git, start, plan, here }) => {
      git.hang("read-tree", "/slots/");
      const run = start("run", plan, "--trust");
      await until(git.hasHung, "the git that hangs");
      await run.kill();
      await until(() => git.living().length === 0, "the end of the git");
      git.hang(undefined);
      assert.equal(here.unstuck("resume").code, 0);
      git.hang("diff-tree");
      const diff = start("diff");
      await until(() => /has taken/.test(diff.shown()), "a word about the git that hangs");
      diff.child.kill("SIGINT");
      await until(() => diff.child.signalCode !== null, "the end of the interrupted command");
      await until(() => git.living().length === 0, "the end of the git");
    }),
);
