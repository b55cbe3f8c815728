// proves: U17, P1, P10, U11, U14
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Ran } from "../../cli/command.ts";
import { unstuck } from "../../cli/command.ts";
import { prepareGoal } from "../../../src/operations/goal/prepare-goal.ts";
import type { PreparedGoal } from "../../../src/operations/goal/schemas.ts";
import { configFile, repository } from "../run/repository.ts";
import { branchOf, eventsOf, failuresOf, inputsOf, untilSo } from "../run/runs.ts";

/** One test is red and is what the goal is about; lint is red and is not; one script is not there. */
const FILES = {
  "package.json": JSON.stringify({
    scripts: {
      test: "node --test",
      lint: "cat findings.txt; exit 1",
      build: "sh build.sh",
      types: "nosuchtool --check",
    },
  }),
  "value.txt": "1\n",
  "build.sh": 'cat value.txt >> "$BUILT"\n',
  "findings.txt": "src/a.js\n  3:7  error  'x' is never used  no-unused-vars\n",
  "value.test.js":
    'const { test } = require("node:test");\n' +
    'test("is two", () => { if (require("fs").readFileSync("value.txt", "utf8") !== "2\\n") throw new Error("no"); });\n',
};
const here = repository(FILES, "default");
after(() => here.remove());

const bin = join(here.path, "..", "bin");
const KEYS = Object.fromEntries(
  ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"]
    .concat(["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "OPENAI_API_KEY"])
    .concat(["CODEX_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"])
    .map((name) => [name, ""]),
);
/** What the build found each time it ran. */
const built = join(here.path, "..", "built.txt");
const env = { ...KEYS, BUILT: built, PATH: `${bin}:${process.env["PATH"] ?? ""}` };

function program(name: string, script: string): void {
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}
program("claude", 'echo "2.1.42 (Claude Code)"');
program("codex", 'echo "codex-cli 0.121.0"');

const goal = (...args: readonly string[]): Ran => here.unstuckWith(env, ...args);
const FINDING = "src/a.js\n  3:7  error  'x' is never used  no-unused-vars\n";

/** Mends the test and gives the linter something new to say; then takes that back. */
const mendsAndBreaks = here.agent({
  goal: [
    {
      write: { "value.txt": "2\n", "findings.txt": FINDING.replace("x", "y") },
      print: "The value is two now, and the linter has one finding less.",
    },
    { write: { "findings.txt": FINDING }, expectPrompt: "'y' is never used" },
  ],
});
const GOAL = "make the tests pass";

interface Refusal {
  readonly args: readonly string[];
  readonly says: RegExp;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Without a terminal. */
const REFUSED: Readonly<Record<string, Refusal>> = {
  "one word that is near a command": {
    args: ["stauts"],
    says: /^unstuck: unknown command 'stauts'\. Did you mean status\?\nFor a goal of one word: unstuck -p stauts\n$/,
  },
  "words without quotes": {
    args: ["make", "the", "tests", "pass"],
    says: /^unstuck: unknown command 'make'\nFor a goal, put it in quotes: unstuck "make the tests pass"\n$/,
  },
  "an empty goal": { args: [" ", "--agent", "x {prompt}"], says: /^unstuck: the goal is empty\./ },
  "no goal at all": {
    args: ["--yes"],
    says: /^unstuck: give a goal: unstuck "make the tests pass"\n$/,
  },
  "two goals": { args: [GOAL, "-p", "more"], says: /^unstuck: give the goal once/ },
  "a budget that is no number": {
    args: [GOAL, "--agent", "x {prompt}", "--budget", "ten"],
    says: /^unstuck: --budget: expected a number from 0\.01 to 1000000, got ten\n$/,
  },
  "nobody to say yes": {
    args: [GOAL, "--agent", "x {prompt}", "--check", "echo $HOME"],
    says: /^unstuck: the first start in a repository needs your yes:\n {2}unstuck "make the tests pass" --agent "x \{prompt\}" --check 'echo \$HOME' --yes\n$/,
  },
  "several agents": {
    args: [GOAL],
    env: { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" },
    says: /^unstuck: several agents are ready here: name one:\n {2}unstuck "make the tests pass" --agent claude --yes\n {2}unstuck "make the tests pass" --agent codex --yes\n$/,
  },
  "an agent without a login": {
    args: [GOAL],
    says: /^unstuck: Claude Code is installed, but it does not seem to be logged in\.\nLog in first: claude auth login\nOr use it as it is: --agent claude\n$/,
  },
  "an agent that is not installed": {
    args: [GOAL, "--agent", "gemini"],
    says: /^unstuck: Gemini CLI is not installed here\. Install it: npm install -g/,
  },
  "a goal from an empty pipe": {
    args: ["-p", "-", "--agent", "x {prompt}", "--yes"],
    says: /^unstuck: the goal is empty\./,
  },
};

for (const [name, { args, says, env: more = {}, input }] of Object.entries(REFUSED))
  test(`refused before anything starts: ${name}`, () => {
    const { code, out, err } = unstuck(args, {
      ...{ cwd: here.path, env: { ...here.env, ...env, ...more } },
      ...(input === undefined ? {} : { input }),
    });
    assert.match(err, says);
    assert.deepEqual([code, out], [2, ""]);
    assert.ok(!existsSync(join(here.home, "unstuck.db")), "nothing was begun");
  });

test("one line: the red test the goal names must pass, the red linter must not get worse, what cannot run is left out", async () => {
  program("systemd-inhibit", 'while [ "${1#--}" != "$1" ]; do shift; done; exec "$@"');
  writeFileSync(configFile(here.home), "answers: unattended\nbudget: { minutes: 30 }\n");
  const { code, out, err } = goal(GOAL, "--agent", mendsAndBreaks, "--yes", "--json");
  assert.equal(code, 0, out + err);
  const [first = "", ...events] = out.trim().split("\n");
  const prepared = JSON.parse(first) as PreparedGoal;
  (await prepareGoal.schemas()).output.parse(prepared);
  const asked = prepared.checks.map(({ run, state, expect }) => `${run}: ${state} ${expect}`);
  assert.deepEqual(asked.sort(), [
    "npm run build: green pass",
    "npm run lint: red no-worse",
    "npm test: red pass",
  ]);
  const [said = ""] = /^About to run [^]*?\n(?= )/m.exec(err) ?? [];
  assert.match(
    said.replaceAll("\n", " "),
    /commands once, in a copy of your last commit, to see what already fails: npm run types; npm run lint; npm test; npm run build $/,
  );
  const leftOut = prepared.leftOut.map(({ run, why }) => `${run}: ${why}`).join();
  assert.match(leftOut, /^npm run types: .*nosuchtool/);
  assert.deepEqual(prepared.budget, { minutes: 30 });
  assert.ok(events.length > 5 && events.every((line) => line.startsWith("{")));
  const { kind, end } = JSON.parse(events.at(-1) ?? "") as Record<"kind" | "end", string>;
  assert.deepEqual([kind, end], ["result", "verified"]);
  if (process.platform === "linux")
    assert.match(err, /^keeping this machine awake while it runs$/m);
  assert.deepEqual(failuresOf(here.events()), ["goal verification_failed"]);
  assert.equal(inputsOf(here.events(), "attempt-started").length, 2);
  assert.equal(here.git("show", `${branchOf(here)}:value.txt`), "2\n");
  const onBase = readFileSync(built, "utf8").match(/^1$/gm) ?? [];
  assert.equal(onBase.length, 1, "the run takes what the card measured");
  assert.equal(readFileSync(join(here.path, "value.txt"), "utf8"), "1\n");
});

test("--yes is for once: the next start without a terminal needs it again", () => {
  assert.equal(goal(GOAL, "--agent", mendsAndBreaks).code, 2);
});

test("nothing to verify is refused with --yes, and starts with --no-checks, in the background too, from standard input", async () => {
  const bare = repository({ "value.txt": "1\n" });
  try {
    const agent = bare.agent({
      goal: [{ write: { "value.txt": "2\n" }, expectPrompt: "from a pipe" }],
    });
    const { code, err } = bare.unstuckWith(env, GOAL, "--agent", agent, "--yes");
    assert.equal(code, 2);
    assert.match(err, /^unstuck: found no checks here, so nothing could be verified\. /);
    assert.match(err, /^ {2}unstuck "make the tests pass" .* --yes --check 'make test'$/m);
    assert.deepEqual(bare.runs(), []);
    const args = ["-p", "-", "--agent", agent, "--yes", "--no-checks", "--detach", "--json"];
    const left = unstuck(args, {
      ...{ cwd: bare.path, env: { ...bare.env, ...env } },
      input: "make it two, from a pipe\n",
    });
    assert.equal(left.code, 0, left.err);
    const [, started = ""] = left.out.trim().split("\n");
    const { kind, run, log } = JSON.parse(started) as Record<"kind" | "run" | "log", string>;
    assert.equal(kind, "result");
    assert.deepEqual(bare.runs(), [run]);
    await untilSo(
      () => bare.events().some(({ event }) => event.kind === "run-ended"),
      () => readFileSync(log, "utf8"),
    );
    assert.equal(eventsOf(bare.events(), "run-ended")[0]?.["outcome"], "unverified");
    assert.deepEqual(failuresOf(bare.events()), []);
  } finally {
    bare.remove();
  }
});
