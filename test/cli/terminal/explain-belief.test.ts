// proves: U8, E11
// One run under `--policy adaptive`, and what `unstuck explain` shows of it on terminals of all kinds: what was believed,
// as bars where bars help, and how the options stood.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { ScriptedAttempt } from "../../../src/testing/scripted-agent.ts";
import { repository } from "../../end-to-end/run/repository.ts";
import { eventsOf, planFile } from "../../end-to-end/run/runs.ts";
import { onTerminal, WITHOUT_TERMINAL as skip } from "./pseudo-terminal.ts";

const here = repository();
after(() => here.remove());

const wrote = (value: string): ScriptedAttempt => ({
  write: { "value.txt": `${value}\n` },
  print: `<approach>the ${value} way</approach>`,
});
const plan = planFile(
  here,
  here.agent({ fix: ["apple", "pear", "2"].map(wrote) }),
  ["id: fix, prompt: make it 2, checks: [sh check.sh]"],
  ["grounding: false", "policy: { extends: adaptive, personPrice: 20 }"],
);
const ran = here.unstuck("run", plan, "--trust");

const explained = async (
  columns: number,
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<{ readonly text: string; readonly raw: string }> => {
  const terminal = onTerminal(["explain", ...args], {
    ...{ cwd: here.path, columns, rows: 24, env: { ...here.env, PAGER: "cat", ...env } },
  });
  assert.equal(await terminal.ended(), 0);
  assert.deepEqual(terminal.wrapped(), []);
  return { text: terminal.text(), raw: terminal.raw() };
};

test("a run under the adaptive policy says why at each step, and records what it believed", () => {
  assert.equal(ran.code, 0, ran.err);
  assert.match(ran.out + ran.err, /next: .*: it (?:probably|may) .* \(\d+ %\)/);
  const chosen = eventsOf(here.events(), "recovery-chosen");
  assert.equal(chosen.length, 2);
  for (const { belief, considered } of chosen) {
    const shares = Object.values(belief as Record<string, number>);
    assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 0.005);
    const weighed = (considered as { success?: number; cost?: number }[]).filter(
      ({ success, cost }) => success !== undefined && cost !== undefined,
    );
    assert.ok(weighed.length >= 4);
  }
});

test("explain --json has the belief and the odds as data", () => {
  const lines = here.unstuck("explain", "--json").out.trim().split("\n");
  const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const beliefs = told.flatMap(({ belief }) => (belief === undefined ? [] : [belief]));
  assert.equal(beliefs.length, 2);
  const [first] = beliefs[0] as { cause: string; share: number }[];
  assert.equal(first?.cause, "simple mistake");
  assert.ok((first?.share ?? 0) > 0.3);
});

test("on a terminal: bars, the runner-up, no private words", { skip }, async () => {
  for (const columns of [80, 40, 200]) {
    const { text } = await explained(columns, {});
    const flat = text.replace(/\s+/g, " ");
    assert.match(text, /What probably went wrong:\n {4}\S.* █+░* \d+ %/);
    assert.match(flat, /It (?:probably|may) .* \(\d+ %\), so it /);
    assert.match(flat, /second best, \d+ % likely to help, at the price of \S+ attempts?/);
    assert.doesNotMatch(flat, /capability|pollution|personPrice|rung|mutation/);
    assert.doesNotMatch(text, /^ *%/m);
  }
});

test("without colours, on a dumb terminal and for a screen reader", { skip }, async () => {
  const colourless = await explained(80, { NO_COLOR: "1" });
  assert.match(colourless.text, /█/);
  assert.doesNotMatch(colourless.raw, /\x1b\[\d/);
  for (const env of [{ TERM: "dumb" }, { UNSTUCK_SCREEN_READER: "1" }]) {
    const { text } = await explained(40, env);
    assert.match(text, /\n {4}[a-z ]+: \d+ %/);
    assert.doesNotMatch(text, /[█░]/);
  }
});

test("every decision in full: bars and the odds of each option", { skip }, async () => {
  const { text } = await explained(80, {}, "--verbose");
  assert.match(text, / {2}believed {4}simple mistake +█+░+ \d+ %/);
  assert.match(text, /feedback \(feedback\): chosen, \d+ % at the price of 1/);
});
