// proves: U16
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { after, test } from "node:test";
import { FULL, inLargeForm } from "../../large-form.ts";
import { LAUNCHER, QUICK } from "../command.ts";
import { repository } from "../../end-to-end/run/repository.ts";
import { isStarted, owner, planFile, until, type Owner } from "../../end-to-end/run/runs.ts";
import { onTerminal, WITHOUT_TERMINAL } from "./pseudo-terminal.ts";
import type { PseudoTerminal, TerminalOptions } from "./pseudo-terminal.ts";

const here = repository();
after(() => here.remove());
const skip = WITHOUT_TERMINAL;

const LONG = "b-subtask-with-a-name-that-is-longer-than-any-column-of-a-tree";
const CHECK = "checks: [sh check.sh]";
/** Does something that can be watched, for a while. */
const busy = (seconds: number) => ({
  run: [
    ["echo", "reading the tests of a module with a rather long path, src/very/long/path/module.ts"],
    ["sleep", String(seconds)],
  ],
  write: { "value.txt": "2\n" },
  print: "done",
});
const wrong = { ...busy(3), write: { "value.txt": "3\n" } };

const plan = (seconds: number): string =>
  planFile(
    here,
    here.agent({ a: [wrong, busy(seconds)], [LONG]: [{ print: "fine" }] }),
    [`id: a, prompt: make it two, ${CHECK}`, `id: ${LONG}, prompt: look`],
    ["goal: two small things", "grounding: false", "concurrency: 2", "budget: { attempts: 9 }"],
  );

const terminal = (args: readonly string[], more: Partial<TerminalOptions> = {}): PseudoTerminal =>
  onTerminal(args, { cwd: here.path, ...more, env: { ...here.env, NO_COLOR: "1", ...more.env } });

/** A run in another process, its first agent at work. */
async function elsewhere(seconds: number): Promise<Owner> {
  const [before] = here.runs();
  const running = owner(here.start("run", plan(seconds), "--trust"));
  await until(here, (events) => here.runs()[0] !== before && isStarted(events));
  return running;
}

const COLOURS = /\x1b\[[\d;]*m/;

test(
  "run on a terminal: a live tree, what happens above it, the summary at the end; no colours with NO_COLOR",
  { skip },
  async () => {
    const run = terminal(["run", plan(2), "--trust"]);
    await run.shows(/^ ▸ a +running +attempt 1 +\d+s\n {3}└ reading the tests of a module/m);
    await run.shows(/^run \S+ {2}two small things\n {2}.*1 running.* of 9 attempts$/m);
    await run.shows(/^ ▸ a +running +attempt 2 +\d+s {2}checks failed/m);
    assert.equal(await run.ended(), 6, run.text());
    const text = run.text();
    assert.match(text, /^\[a\] checks failed: /m);
    assert.match(text, /^\[a\] next: send the failing output back/m);
    assert.match(text, /^── run \S+: unverified ─+$/m);
    assert.match(text, /^subtasks +✓ a +verified, 2 attempts, \S+: sent the/m);
    assert.doesNotMatch(text, /^ ▸/m, "nothing of the tree is left");
    assert.deepEqual(run.wrapped(), []);
    assert.doesNotMatch(run.raw(), COLOURS, "NO_COLOR");
    assert.match(run.raw(), /\x1b\[\d+A/, "it is a live tree nevertheless");
    const coloured = terminal(["attach"], { env: { NO_COLOR: "" } });
    assert.equal(await coloured.ended(), 0);
    assert.match(coloured.raw(), COLOURS);
  },
);

test(
  "40 columns, 10 rows, a resize: no line is too wide, and nothing is left behind",
  { skip },
  async () => {
    const run = terminal(["run", plan(4), "--trust"], { columns: 40, rows: 10 });
    await run.shows(/^ ▸ a +running/m);
    await run.shows(/└ reading the tests of a modul.*…$/m);
    await run.shows(/^ ▸ a +running +attempt 2/m);
    run.resize(100, 30);
    await run.shows(/^ {3}└ reading the tests of a module with a rather long path.*module\.ts$/m);
    assert.equal(await run.ended(), 6, run.text());
    assert.match(run.text(), /^── run \S+: unverified ─+$/m);
    assert.deepEqual(run.wrapped(), []);
  },
);

test(
  "attach: the tree of a run in another process, Ctrl-C leaves the run alone, the end is shown",
  { skip },
  async () => {
    const running = await elsewhere(6);
    const first = terminal(["attach"]);
    await first.shows(/^ ▸ a +running/m);
    const second = terminal(["attach"], { columns: 40, rows: 10 });
    await second.shows(/^ ▸ a +running/m);
    first.type("\x03");
    assert.equal(await first.ended(), 0, first.text());
    assert.match(
      first.text(),
      /^ ▸ a +running[^]*^detached; the run continues: unstuck attach \S+$/m,
    );
    assert.doesNotMatch(first.text(), /unstuck resume/);
    assert.equal(running.child.exitCode, null, "the run goes on");
    assert.equal(await second.ended(), 0, second.text());
    assert.match(second.text(), /^── run \S+: unverified/m);
    assert.deepEqual([...first.wrapped(), ...second.wrapped()], []);
    assert.equal(await running.ended, 6);
    const late = terminal(["attach"]);
    assert.equal(await late.ended(), 0);
    assert.match(
      late.text(),
      /^── run \S+: unverified/m,
      "a run that has ended is shown as it ended",
    );
  },
);

test(
  "attach survives the death of the owner, and says how to go on",
  inLargeForm("cli", skip),
  async () => {
    const running = await elsewhere(20);
    const watching = terminal(["attach"]);
    await watching.shows(/^ ▸ a +running/m);
    await running.kill();
    assert.equal(await watching.ended(), 0, watching.text());
    assert.match(watching.text(), /run \S+: interrupted[^]*its process died[^]*unstuck resume \S+/);
    const [run = ""] = here.runs();
    assert.equal(here.unstuck("cancel", run).code, 0);
  },
);

test("with TERM=dumb there is no escape code at all; without a terminal plain lines, to the end", async () => {
  const running = await elsewhere(2);
  const dumb = { env: { TERM: "dumb", NO_COLOR: "" } };
  const watching = skip === false ? terminal(["attach"], dumb) : undefined;
  const { status, stdout } = spawnSync(process.execPath, [...QUICK, LAUNCHER, "attach"], {
    ...{ cwd: here.path, encoding: "utf8", timeout: 600_000 },
    env: { ...process.env, ...here.env },
  });
  assert.equal(status, 0);
  assert.doesNotMatch(stdout, /\x1b/);
  assert.match(stdout, /^\[a\] attempt 1 started[^]*^\[a\] verified$[^]*^── run \S+: unverified/m);
  assert.equal(await running.ended, 6);
  if (watching === undefined) return;
  const others = FULL ? [["inbox"], ["status"], ["report"], ["metrics"]] : [];
  for (const shown of [watching, ...[["explain"], ...others].map((args) => terminal(args, dumb))]) {
    assert.equal(await shown.ended(), 0, shown.text());
    assert.doesNotMatch(shown.raw(), /\x1b/);
  }
});
