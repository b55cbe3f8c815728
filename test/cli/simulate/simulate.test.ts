/** What a person sees of `unstuck simulate`, in pipes and on terminals of several sizes. */
// proves: E11
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { barLine } from "../../../src/cli/commands/simulate.ts";
import { comparisonLines } from "../../../src/cli/screen/simulation.ts";
import type { Comparison } from "../../../src/operations/simulate/compare-policies.ts";
import { inFolder, unstuck } from "../command.ts";
import { onTerminal, WITHOUT_TERMINAL } from "../terminal/pseudo-terminal.ts";

const QUICK = ["--worlds", "2", "--tasks", "10", "--policy", "adaptive,standard"];
const none = (_style: string, text: string): string => text;

test("in a pipe: a table and the next command; as JSON the same figures; a world that was printed can be used", () => {
  const told = unstuck(["simulate", ...QUICK]);
  assert.equal(told.code, 0, told.err);
  assert.equal(told.err, "");
  assert.match(
    told.out,
    /^2 random worlds \(seeds 1 to 2\), 10 tasks each, 8 recovery attempts a task, nobody to ask\.\n/,
  );
  assert.match(told.out, /^policy +recovered +cost +vs fresh +its cost +starts/m);
  assert.match(told.out, /^adaptive +\d+\.\d % /m);
  assert.match(told.out, /\n2 worlds say little:\n {2}unstuck simulate --worlds 30\n$/);
  inFolder((folder) => {
    const world = join(folder, "w.json");
    writeFileSync(world, unstuck(["simulate", "--print-world"]).out);
    const json = unstuck(["simulate", ...QUICK, "--world", world, "--json"]);
    const { settings, policies } = JSON.parse(json.out) as Comparison;
    assert.deepEqual([settings.world, settings.tasks, policies.length], ["base", 10, 3]);
    writeFileSync(world, "{ not json");
    const bad = unstuck(["simulate", "--world", world]);
    assert.equal(bad.code, 2);
    assert.match(bad.err, /w\.json is not JSON/);
  });
});

test("a flag that is no number is refused in one line", () => {
  const { code, err } = unstuck(["simulate", "--tasks", "many"]);
  assert.equal(code, 2);
  assert.equal(err, "unstuck: --tasks needs a whole number, such as --tasks 10\n");
});

for (const columns of [40, 80, 200])
  test(
    `on a terminal of ${columns} columns nothing wraps, and the bar is gone at the end`,
    { skip: WITHOUT_TERMINAL },
    async () => {
      const screen = onTerminal(["simulate", ...QUICK], {
        cwd: "/",
        columns,
        env: { NO_COLOR: "1" },
      });
      assert.equal(await screen.ended(), 0, screen.text());
      assert.deepEqual(screen.wrapped(), []);
      assert.match(screen.raw(), /\[#*-+\] \d+ %/);
      assert.doesNotMatch(screen.text(), /\[#/);
      assert.match(screen.text(), /^fresh +\d+\.\d %/m);
    },
  );

test(
  "where lines cannot be drawn again, quarters are told and nothing is redrawn",
  { skip: WITHOUT_TERMINAL },
  async () => {
    for (const env of [{ TERM: "dumb" }, { UNSTUCK_SCREEN_READER: "1" }]) {
      const screen = onTerminal(["simulate", ...QUICK], {
        cwd: "/",
        env: { NO_COLOR: "1", ...env },
      });
      assert.equal(await screen.ended(), 0, screen.text());
      assert.match(screen.text(), /^50 % done$/m);
      assert.doesNotMatch(screen.raw(), /\x1b\[K/);
    }
  },
);

test("the bar says how much is left and fits", () => {
  assert.equal(
    barLine(0.5, "adaptive", 60_000, 79),
    `[${"#".repeat(15)}${"-".repeat(15)}] 50 %, 60 s left  adaptive`,
  );
  assert.match(barLine(0.1, "fresh", 60_000, 79), /10 %, 9 min left/);
  assert.match(barLine(0, "none", 0, 79), /^\[-+\] 0 % {2}none$/);
  for (const columns of [20, 39, 79])
    assert.ok(barLine(0.99, "recovery-strategies", 1e6, columns).length <= columns);
});

test("a difference that may be chance stands in brackets", () => {
  const interval = (mean: number, low: number, high: number) => ({ mean, low, high });
  const row = (
    policy: string,
    recovered: number,
    against: Comparison["policies"][number]["recoveredAgainst"],
  ) => ({
    ...{ policy, words: "", recovered, success: 0.8, costPerSuccess: 4, recoveredAgainst: against },
    ...{
      costAgainst: interval(-0.1, -0.2, 0),
      area: 0.3,
      starts: 2,
      hours: 1,
      wasted: 0.1,
      questionsPer100: 1,
    },
    ...{ falseQuestionsPer100: 1, missedQuestionsPer100: 1, silentlyWrongPer100: 1 },
    blockedPer100: 0,
  });
  const settings = {
    worlds: 30,
    seed: 1,
    tasks: 400,
    skip: 0,
    budget: 8,
    against: "fresh",
    person: true,
    dependent: false,
    world: "random",
  };
  const policies = [
    row("adaptive", 0.59, interval(0.05, 0.04, 0.06)),
    row("luby", 0.55, interval(0.01, -0.01, 0.03)),
    row("fresh", 0.54, interval(0, 0, 0)),
  ];
  const lines = comparisonLines({ settings, policies }, 80, none);
  assert.ok(
    lines.every((line) => line.length <= 80),
    lines.join("\n"),
  );
  const text = lines.join("\n");
  assert.match(text, /somebody to ask/);
  assert.match(text, /^adaptive +59\.0 % +4\.00 +\+5\.0 ±1\.0 +-10 %/m);
  assert.match(text, /^luby +55\.0 % +4\.00 +\(\+1\.0 ±2\.0\)/m);
  assert.match(text, /^fresh +54\.0 % +4\.00 +2\.00/m);
  for (const columns of [40, 80]) {
    const plans = { ...settings, dependent: true };
    const shown = comparisonLines({ settings: plans, policies }, columns, none);
    assert.ok(shown.every((line) => line.length <= columns));
    assert.match(shown.join("\n"), /^adaptive +59\.0 % +80\.0 % +4\.00/m);
    assert.match(shown.join(" "), /one that failed blocks those that depend on it/);
  }
});
