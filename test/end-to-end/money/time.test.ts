// proves: U4, V35
import assert from "node:assert/strict";
import { test } from "node:test";
import { repository } from "../run/repository.ts";
import { inputsOf, isStarted, orphansOf, owner, pause, planFile, until } from "../run/runs.ts";

const STOPPED_MS = 5000;

test("V35: time in which the owner and its agent were stopped counts against no budget of minutes", async () => {
  const here = repository();
  try {
    const plan = planFile(
      here,
      here.agent({ a: [{ sleepMs: 1500, print: "done" }] }),
      ["id: a, prompt: p"],
      ["grounding: false", "budget: { minutes: 10 }"],
    );
    const run = owner(here.start("run", plan, "--trust"));
    try {
      await until(here, isStarted);
      const [name = ""] = here.runs();
      const agents = orphansOf(name).map(Number);
      assert.ok(agents.length > 0);
      const all = [run.child.pid ?? 0, ...agents];
      for (const pid of all) process.kill(pid, "SIGSTOP");
      await pause(STOPPED_MS);
      for (const pid of all.toReversed()) process.kill(pid, "SIGCONT");
      assert.equal(await run.ended, 6, "it was not stopped for its budget");
    } finally {
      await run.kill();
    }
    const [began] = inputsOf(here.events(), "attempt-started");
    const [end] = inputsOf(here.events(), "attempt-ended");
    const { used } = end?.["remains"] as { used: { timeMs: number } };
    const whole = Number(end?.["at"]) - Number(began?.["at"]);
    assert.ok(used.timeMs <= whole - STOPPED_MS + 1000, `${used.timeMs} of ${whole} ms`);
    const [, said] = /\| a \| unverified \| 1 \| (\d+) s \|/.exec(here.unstuck("report").out) ?? [];
    assert.ok(Number(said) <= Math.ceil(used.timeMs / 1000), `it says ${said} s`);
  } finally {
    here.remove();
  }
});
