// proves: U4, V16
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PLAN_AGENTS } from "../../../src/agents/registry.ts";
import { readPlan } from "../../../src/core/plan/read-plan.ts";
import { inFolder, unstuck } from "../../cli/command.ts";

/** The budget that `init` writes where these programs are found. */
function budgetWith(...programs: string[]): { readonly text: string; readonly limits: unknown } {
  let found = { text: "", limits: {} as unknown };
  inFolder((folder) => {
    const bin = join(folder, "bin");
    mkdirSync(bin);
    for (const name of programs)
      writeFileSync(join(bin, name), "#!/bin/sh\necho 1.2.3\n", { mode: 0o755 });
    const env = { PATH: bin, HOME: folder, UNSTUCK_HOME: join(folder, "s") };
    const { out } = unstuck(["init", "--print"], { cwd: folder, env });
    const reading = readPlan(out, {}, PLAN_AGENTS);
    assert.ok(reading.ok, out);
    found = { text: out, limits: reading.value.plan.budget };
  });
  return found;
}

test("V16: init writes a money budget only for agents that tell their cost", () => {
  const minutes = { timeMs: 240 * 60_000 };
  assert.deepEqual(budgetWith("claude").limits, { usd: 10, ...minutes });
  assert.deepEqual(budgetWith().limits, { usd: 10, ...minutes }, "the plan names claude");
  for (const programs of [["codex"], ["gemini"], ["claude", "codex"]]) {
    const { text, limits } = budgetWith(...programs);
    assert.deepEqual(limits, { attempts: 30, ...minutes }, programs.join());
    assert.match(text, /# No money: (?:codex|gemini) /);
  }
});
