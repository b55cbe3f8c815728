// proves: P2
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { appendRun } from "./recorded-run.ts";
import { LAUNCHER, QUICK, unstuck } from "../command.ts";
import { WITHOUT_TERMINAL } from "../terminal/pseudo-terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "unstuck-completion-"));
const home = join(folder, "home");
const programs = join(folder, "bin");
const work = join(folder, "work");
after(() => rmSync(folder, { recursive: true, force: true }));
const env = {
  ...process.env,
  UNSTUCK_HOME: home,
  PATH: `${programs}:${process.env["PATH"] ?? ""}`,
};

before(async () => {
  for (const made of [programs, work]) mkdirSync(made);
  writeFileSync(join(work, "plan-file.yaml"), "");
  const program = join(programs, "unstuck");
  const words = [process.execPath, ...QUICK, LAUNCHER].map((word) => `"${word}"`).join(" ");
  writeFileSync(program, `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(program, 0o755);
  await appendRun(home, { id: "20260101-0101-aaaaaa", repo: work, title: "fix the login" });
  await appendRun(home, { id: "20260101-0202-bbbbbb", repo: "/elsewhere", title: "other" });
});

const isThere = (shell: string): boolean => spawnSync(shell, ["-c", "true"]).status === 0;
const without = (shell: string): string | false =>
  isThere(shell) ? false : `there is no ${shell} here`;

/** What bash would offer for these words, the last of them being completed. */
function inBash(...words: readonly string[]): readonly string[] {
  const script = `
    eval "$(unstuck completion bash)"
    COMP_WORDS=("$@") COMP_CWORD=$(( $# - 1 ))
    _unstuck
    (( \${#COMPREPLY[@]} == 0 )) || printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync(
    "bash",
    ["--norc", "--noprofile", "-c", script, "bash", "unstuck", ...words],
    { env, cwd: work, encoding: "utf8" },
  );
  assert.equal(stderr, "");
  return stdout.split("\n").filter((line) => line !== "");
}

test(
  "bash: commands, flags, runs with their titles, subtasks and attempts",
  { skip: without("bash") },
  () => {
    assert.deepEqual(inBash("compl"), ["completion"]);
    assert.deepEqual(inBash("logs", "--fo"), ["--follow"]);
    assert.deepEqual(inBash("logs", ""), [
      "20260101-0101-aaaaaa  (fix the login)",
      "20260101-0202-bbbbbb  (other)",
    ]);
    assert.deepEqual(inBash("logs", "20260101-01"), ["20260101-0101-aaaaaa"]);
    assert.deepEqual(inBash("logs", "aaaaaa", ""), [
      ...["login  (subtask)", "logout  (subtask)", "login/2  (attempt)", "login/1  (attempt)"],
    ]);
    assert.deepEqual(inBash("explain", "--subtask", "logo"), ["logout"]);
    assert.deepEqual(inBash("run", ""), [], "files are left to the shell");
  },
);

/** How each is started at a terminal with none of its user's own settings, and what makes it list what there is. */
const AT_TERMINAL = [
  ["bash", "bash --norc --noprofile -i", "\t\t\t"],
  ["zsh", "zsh -f -i", "\t\t"],
] as const;

for (const [name, command, list] of AT_TERMINAL)
  test(
    `${name} at a terminal: Tab completes the line, files included`,
    { skip: WITHOUT_TERMINAL || without(name) },
    async () => {
      const shell = spawn("script", ["-qfec", command, "/dev/null"], {
        ...{
          cwd: work,
          env: { ...env, PS1: "$ ", TERM: "dumb", SHELL: "/bin/sh", ZDOTDIR: folder },
        },
        stdio: ["pipe", "pipe", "inherit"],
      });
      let shown = "";
      shell.stdout.setEncoding("utf8").on("data", (chunk: string) => (shown += chunk));
      const shows = async (words: RegExp): Promise<void> => {
        for (const end = Date.now() + 300_000; !words.test(shown);)
          if (Date.now() > end) assert.fail(shown);
          else await new Promise((resolve) => setTimeout(resolve, 25));
        shown = "";
      };
      try {
        shell.stdin.write(`eval "$(unstuck completion ${name})"; echo rea""dy\n`);
        await shows(/ready/);
        shell.stdin.write("unstuck compl\t");
        await shows(/unstuck completion /);
        shell.stdin.write("\x15unstuck logs 20260101-01\t");
        await shows(/unstuck logs 20260101-0101-aaaaaa /);
        shell.stdin.write(`\x15unstuck logs ${list}`);
        await shows(/20260101-0101-aaaaaa +\W+fix the login/);
        shell.stdin.write("\x15unstuck run pl\t");
        await shows(/unstuck run plan-file\.yaml /);
        shell.stdin.write("\x15exit\n");
      } finally {
        shell.stdin.end();
        await new Promise((resolve) => shell.once("close", resolve));
      }
    },
  );

test("fish: commands, flags, runs with their titles, and files", { skip: without("fish") }, () => {
  const asked = ["unstuck compl", "unstuck logs --fo", "unstuck logs ", "unstuck run pl"];
  const lines = asked.map((line) => `complete -C '${line}'`).join("; echo ==; ");
  const script = `unstuck completion fish | source; ${lines}`;
  const { stdout, stderr } = spawnSync("fish", ["--no-config", "-c", script], {
    ...{ env, cwd: work, encoding: "utf8" },
  });
  assert.equal(stderr, "");
  const [command, flags, runs, files] = stdout.split("==\n");
  assert.match(command ?? "", /^completion\t[^\n]+\n$/);
  assert.match(flags ?? "", /^--follow\t[^\n]+\n$/);
  assert.equal(runs, "20260101-0101-aaaaaa\tfix the login\n20260101-0202-bbbbbb\tother\n");
  assert.match(files ?? "", /^plan-file\.yaml\b/);
});

for (const shell of ["zsh", "fish"] as const)
  test(`${shell}: its script has no mistake in it`, { skip: without(shell) }, () => {
    const { out, code } = unstuck(["completion", shell]);
    assert.equal(code, 0);
    const file = join(folder, `script.${shell}`);
    writeFileSync(file, out);
    const { status, stderr } = spawnSync(shell, ["-n", file], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
  });

test("names that a shell would run, and a home that is not there, bring nothing and no words", async () => {
  const odd = join(folder, "odd");
  await appendRun(odd, {
    ...{ id: "20260101-0303-cccccc", repo: work, title: "a\u001b[2J title\n`id`" },
    subtasks: ["$(id)", "a b", "fine", "x;y"],
  });
  const at = (home: string, ...words: readonly string[]) =>
    unstuck(["__complete", "--", ...words], { cwd: work, env: { UNSTUCK_HOME: home } });
  assert.equal(
    at(odd, "logs", "cccccc", "").out,
    "fine\tsubtask\nlogin/2\tattempt\nlogin/1\tattempt\n",
  );
  assert.equal(at(odd, "logs", "").out, "20260101-0303-cccccc\ta title `id`\n");
  for (const words of [["logs", ""], ["logs", "x", ""], ["nothing", "x"], ["--", "--help"], []]) {
    const { code, err } = at(join(folder, "none"), ...words);
    assert.deepEqual([code, err], [0, ""], words.join());
  }
  assert.match(unstuck(["completion", "--help"]).out, /~\/\.bashrc[^]*~\/\.zshrc[^]*unstuck\.fish/);
  assert.doesNotMatch(unstuck(["--help"]).out, /__complete/);
});
