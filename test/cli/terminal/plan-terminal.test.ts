// proves: U19, P10, U16
import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { GOOD, planner, WITHOUT_CHECK } from "../../end-to-end/plan/answers.ts";
import { repository } from "../../end-to-end/run/repository.ts";
import { unstuck } from "../command.ts";
import { onTerminal, WITHOUT_TERMINAL } from "./pseudo-terminal.ts";
import type { PseudoTerminal, TerminalOptions } from "./pseudo-terminal.ts";

const here = repository();
after(() => here.remove());
const skip = WITHOUT_TERMINAL;
const file = join(here.path, "unstuck.yaml");

const COLOURS = /\x1b\[[\d;]*m/;
const agent = here.agent({
  plan: [
    { when: "Say it louder", print: GOOD.replace("Tell of it", "Shout of it") },
    { print: WITHOUT_CHECK },
    { print: GOOD },
  ],
  value: [{ write: { "value.txt": "2\n" }, print: "done" }],
  manual: [{ write: { "MANUAL.md": "two\n" }, print: "done" }],
});

const plan = (args: readonly string[], more: Partial<TerminalOptions> = {}): PseudoTerminal =>
  onTerminal(["plan", ...args], { cwd: here.path, ...more, env: { ...here.env, ...more.env } });

test(
  "80x24: the plan is shown and changed, nothing is written before yes, then it can be run as it is",
  { skip },
  async () => {
    const screen = plan(["make it two", "--agent", agent]);
    await screen.shows(/asking again \(1 of 3\):\n {2}value: it has no check/);
    await screen.shows(/Write unstuck\.yaml\? \[y\/N\]/);
    assert.equal(existsSync(file), false, "nothing is written before yes");
    screen.type("Say it louder\r");
    await screen.shows(/Shout of it[^]*Write unstuck\.yaml\? \[y\/N\]/);
    assert.equal(existsSync(file), false);
    screen.type("y\r");
    assert.equal(await screen.ended(), 0, screen.text());
    const text = screen.text();
    assert.match(
      text,
      /^Plan: make it two\n\nvalue\n {2}Make value.*\n {2}check {2}sh check\.sh$/m,
    );
    assert.match(
      text,
      /^└ manual\n {4}Shout of it in MANUAL\.md\n {4}check {2}test -f check\.sh$/m,
    );
    assert.match(text, /^Limits\n {2}at most 12 attempts for 2 subtasks, each up to 1h 00m$/m);
    assert.match(text, /^Wrote unstuck\.yaml\.$/m);
    assert.match(text, /^ {2}fails +sh check\.sh$/m);
    assert.match(text, /^ {2}passes +test -f check\.sh$/m);
    assert.match(text, /^Next: unstuck run$/m);
    assert.match(screen.raw(), COLOURS);
    assert.deepEqual(screen.wrapped(), []);
    const ran = here.unstuck("run");
    assert.equal(ran.code, 0, ran.out + ran.err);
  },
);

test(
  "40 columns, no colours, a file in the way: asked, and a no changes nothing",
  { skip },
  async () => {
    const screen = plan(["make it three", "--agent", planner(here, GOOD)], {
      ...{ columns: 40, rows: 12, env: { NO_COLOR: "1" } },
    });
    await screen.shows(/Overwrite unstuck\.yaml\? \[y\/N\]/);
    screen.type("n\r");
    assert.equal(await screen.ended(), 3, screen.text());
    assert.match(screen.text(), /^Nothing was written\.$/m);
    assert.doesNotMatch(screen.raw(), COLOURS);
    assert.deepEqual(screen.wrapped(), []);
    rmSync(file);
  },
);

test(
  "200 columns, dumb: only shown, with the file as it would be, no escape code",
  { skip },
  async () => {
    const screen = plan(["make it two", "--dry-run", "--agent", planner(here, GOOD)], {
      ...{ columns: 200, env: { TERM: "dumb" } },
    });
    assert.equal(await screen.ended(), 0, screen.text());
    assert.match(screen.text(), /^unstuck\.yaml would be:\n\n# A plan for Unstuck/m);
    assert.doesNotMatch(screen.raw(), /\x1b/);
    assert.deepEqual(screen.wrapped(), []);
    assert.equal(existsSync(file), false);
  },
);

test("without a terminal: exit 2 before the agent is started, with the command that does it", () => {
  const refused = here.unstuck("plan", "make it two", "--agent", "no-such-agent");
  assert.equal(refused.code, 2);
  assert.equal(
    refused.err,
    "unstuck: there is no terminal to ask you whether the plan is right; nothing was started. To write it anyway:\n" +
      '  unstuck plan "make it two" --agent no-such-agent --yes\n' +
      'Only to see it:\n  unstuck plan "make it two" --agent no-such-agent --dry-run\n',
  );
  const told = unstuck(["plan", "-", "--yes", "--json", "--agent", planner(here, GOOD)], {
    ...{ cwd: here.path, env: here.env, input: "# Wanted\n\nTwo.\n" },
  });
  assert.equal(told.code, 0, told.err);
  const { file: written, tried, subtasks } = JSON.parse(told.out) as Record<string, unknown>;
  assert.deepEqual(
    [written, (tried as unknown[]).length, (subtasks as unknown[]).length],
    [...["unstuck.yaml", 2, 2]],
  );
  assert.equal(existsSync(file), true);
  rmSync(file);
});
