// proves: U17, P10
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { configFile, repository } from "../../end-to-end/run/repository.ts";
import { onTerminal, WITHOUT_TERMINAL, type PseudoTerminal } from "./pseudo-terminal.ts";

const here = repository();
after(() => here.remove());
const skip = WITHOUT_TERMINAL;

const bin = join(here.path, "..", "bin");
mkdirSync(bin);
for (const [name, said] of [
  ["claude", "2.1.42 (Claude Code)"],
  ["codex", "codex-cli 0.121.0"],
] as const)
  writeFileSync(join(bin, name), `#!/bin/sh\necho "${said}"\n`, { mode: 0o755 });

const right = here.agent({ goal: [{ write: { "value.txt": "2\n" }, print: "done" }] });
const GOAL = "make the value two, please";
const CHECK = ["--check", "sh check.sh"];

interface Person {
  readonly columns: number;
  readonly env?: Readonly<Record<string, string>>;
}

const person = (args: readonly string[], { columns, env = {} }: Person): PseudoTerminal =>
  onTerminal([GOAL, ...args], {
    ...{ cwd: here.path, columns },
    env: {
      ...here.env,
      ...{ ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" },
      PATH: `${bin}:${process.env["PATH"] ?? ""}`,
      ...env,
    },
  });

test("several agents: asked once, remembered; a no starts nothing", { skip }, async () => {
  const first = person(CHECK, { columns: 80 });
  const asked = await first.shows(/1-2 \[1\]: ?$/);
  assert.match(
    asked,
    /^Which agent should do the work\?\n {2}1 {2}Claude Code 2\.1\.42\n {2}2 {2}Codex/m,
  );
  first.type("3\r");
  await first.shows(/1-2 \[1\]: 3\n1-2 \[1\]: ?$/);
  first.type("2\r");
  const card = await first.shows(/Start\? \[Y\/n\] ?$/);
  assert.match(
    card,
    /^goal {5}make the value two, please\nagent {4}Codex 0\.121\.0, with its own/m,
  );
  assert.match(card, /^checks {3}sh check\.sh {2}must pass$/m);
  assert.match(card, /^budget {3}at most 4h 00m agent time, 30 attempts$/m);
  assert.match(
    card,
    /^result {3}new branch unstuck\/… from main \([0-9a-f]{7}\); your files stay/m,
  );
  first.type("n\r");
  assert.equal(await first.ended(), 3);
  assert.match(first.text(), /^Not started\. Change it with --agent, --check or --budget/m);
  assert.deepEqual(here.runs(), []);
  assert.match(readFileSync(configFile(here.home), "utf8"), /^agent: codex$/m);
});

test("the first start asks one yes, and Enter is one", { skip }, async () => {
  const first = person([...CHECK, "--agent", right], { columns: 80 });
  const card = await first.shows(/Start\? \[Y\/n\] ?$/);
  assert.doesNotMatch(card, /Which agent/);
  assert.match(first.raw(), /\x1b\[2mgoal/, "coloured");
  first.type("\r");
  assert.equal(await first.ended(), 0, first.text());
  assert.match(first.text(), /verified/);
  assert.equal(here.runs().length, 1);
});

test("the next one goes at once: 40 columns, without colours", { skip }, async () => {
  const again = person([...CHECK, "--agent", right], { columns: 40, env: { NO_COLOR: "1" } });
  assert.equal(await again.ended(), 0, again.text());
  assert.doesNotMatch(again.text(), /Start\?/);
  assert.match(again.text(), /^goal {5}make the value two, please\n/m);
  assert.match(
    again.text(),
    /^result {3}new branch unstuck\/… from main\n {9}\([0-9a-f]{7}\); your files stay as\n/m,
  );
  assert.doesNotMatch(again.raw().split("\nrun ")[0] ?? "", /\x1b\[\d*m/);
  assert.deepEqual(again.wrapped(), []);
  assert.equal(here.runs().length, 2);
});

for (const [how, columns, env] of [
  ["a dumb terminal", 80, { TERM: "dumb" }],
  ["200 columns", 200, {}],
] as const)
  test(`another check is asked about again: ${how}`, { skip }, async () => {
    const other = person(["--check", "sh check.sh -x", "--agent", right], { columns, env });
    const card = await other.shows(/Start\? \[Y\/n\] ?$/);
    assert.match(card, /^checks {3}sh check\.sh -x {2}must pass$/m);
    assert.deepEqual(other.wrapped(), []);
    if (how === "a dumb terminal") assert.doesNotMatch(other.raw(), /\x1b\[\d+[A-Dm]/);
    other.type("no\r");
    assert.equal(await other.ended(), 3);
    assert.equal(here.runs().length, 2);
  });

test(
  "what is about to run is said before it runs, and nothing more is asked",
  { skip },
  async () => {
    const found = repository({ "package.json": '{"scripts":{"test":"sh check.sh"}}' });
    const first = onTerminal([GOAL, "--agent", right], {
      ...{ cwd: found.path, columns: 40, env: { ...found.env, NO_COLOR: "1" } },
    });
    try {
      const card = await first.shows(/Start\? \[Y\/n\] ?$/);
      assert.match(
        card,
        /^About to run this repository's own\n[^]*already fails: npm\ntest\n {2}running: npm test\n\ngoal /m,
      );
      assert.equal(card.match(/\[Y\/n\]/g)?.length, 1);
      assert.deepEqual(first.wrapped(), []);
      first.type("n\r");
      assert.equal(await first.ended(), 3);
    } finally {
      found.remove();
    }
  },
);
