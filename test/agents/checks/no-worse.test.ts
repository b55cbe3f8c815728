// proves: U11, U17
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { processChecker } from "../../../src/agents/checks/checker.ts";
import type { Baseline } from "../../../src/runtime/ports-workspace.ts";

const folder = mkdtempSync(join(tmpdir(), "unstuck-no-worse-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const CHECK = "cat said.txt; exit 1";

/** What the check says of a tree where it prints this, with the base's outcomes. */
async function ran(said: string, noWorse: boolean, baseline?: Baseline) {
  writeFileSync(join(folder, "said.txt"), said);
  const env = { PATH: process.env["PATH"] ?? "" };
  const ask = {
    ...{ attemptId: "r/s/1", subtask: "s", slot: 0, stop: new AbortController().signal },
    tree: { cwd: folder, env } as never,
    checks: [{ name: "lint", run: CHECK, timeoutMs: 60_000, ...(noWorse ? { noWorse } : {}) }],
  };
  const checker = processChecker("r");
  if (baseline !== undefined) return (await checker.check(ask, baseline)).kind;
  const runs = Object.entries(await checker.baseline(ask));
  return Object.fromEntries(runs.map(([run, { outcome }]) => [run, outcome]));
}

const lint = (...lines: readonly string[]): string =>
  `src/a.js\n${lines.map((line) => `  ${line}\n`).join("")}\n✖ ${lines.length} problems\n`;
const UNUSED = "3:7   error  'x' is assigned but never used  no-unused-vars";
const MOVED = "44:7  error  'x' is assigned but never used  no-unused-vars";
const UNDEFINED = "9:1   error  'y' is not defined  no-undef";

/** What it says on the base, what it says now, and whether that is no worse. */
const TABLE: readonly (readonly [name: string, base: string, now: string, isNoWorse: boolean])[] = [
  ["the same", lint(UNUSED, UNDEFINED), lint(UNUSED, UNDEFINED), true],
  [
    "the same in other lines and another order",
    lint(UNUSED, UNDEFINED),
    lint(UNDEFINED, MOVED),
    true,
  ],
  ["fewer", lint(UNUSED, UNDEFINED), lint(UNDEFINED), true],
  ["one more", lint(UNUSED), lint(UNUSED, UNDEFINED), false],
  ["another one instead", lint(UNUSED), lint(UNDEFINED), false],
  ["the same once more", lint(UNUSED), lint(UNUSED, MOVED), false],
  ["nothing that could be compared", "", "", false],
  ["nothing on the base, something now", "", lint(UNUSED), false],
];

for (const [name, base, now, isNoWorse] of TABLE)
  test(`a linter's findings that nobody names: ${name} is ${isNoWorse ? "no worse" : "a failure"}`, async () => {
    const before = (await ran(base, true)) as Baseline;
    assert.equal(await ran(now, true, before), isNoWorse ? "passed" : "failed");
  });

test("a check that must pass is not let off, and keeps no fingerprints", async () => {
  const before = (await ran(lint(UNUSED), false)) as Baseline;
  assert.equal("marks" in (before[CHECK] ?? {}), false);
  assert.equal(await ran(lint(UNUSED), false, before), "failed");
});
