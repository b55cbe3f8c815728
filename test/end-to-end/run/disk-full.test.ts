// proves: J15, J30, C9
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import type { ScriptedAttempt } from "../../../src/testing/scripted-agent.ts";
import { recordingAgent } from "./recording-agent.ts";
import { inRepository } from "./repository.ts";
import { eventsOf, inputsOf, phasesOf, planFile, recoveriesOf } from "./runs.ts";

const FULL: ScriptedAttempt = {
  error: "Error: ENOSPC: no space left on device, write",
  exit: 1,
};
const done = (file: string): ScriptedAttempt => ({
  when: "there is room now",
  write: { [file]: "x\n" },
  print: "done",
});
const SUBTASKS = ["a", "b", "c"].map(
  (id) => `id: ${id}, prompt: write ${id}, checks: [test -f ${id}.txt]`,
);

test("J15: a full disk is one incident: one repair, one question, nothing started meanwhile, one answer for all", () =>
  inRepository((here) => {
    const script = Object.fromEntries(
      ["a", "b", "c"].map((id) => [id, [FULL, done(`${id}.txt`)]] as const),
    );
    const agent = recordingAgent(here, { ...script, b: [{ write: { "b.txt": "x\n" } }] });
    const settings = ["grounding: false", "permissions: { delete: allow }"];
    const plan = planFile(here, agent.command, SUBTASKS, settings);
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 3, ran.out + ran.err);
    assert.deepEqual(recoveriesOf(here.events()), ["repair", "ask"], ran.out);
    assert.equal(inputsOf(here.events(), "attempt-started").length, 2, "one start and one repair");
    assert.equal(eventsOf(here.events(), "checkpoint-opened").length, 1);
    assert.doesNotMatch(ran.out, /Continuing with/, "nobody goes on while the disk is full");
    assert.match(agent.promptOf("a/2"), /no space left on device/);
    assert.equal(here.unstuck("resolve", "a/c1", "--retry", "there is room now").code, 0);
    const resumed = here.unstuck("resume");
    assert.match(agent.promptOf("a/3"), /there is room now/);
    assert.deepEqual(recoveriesOf(here.events()), ["repair", "ask", "ask"], resumed.out);
    assert.equal(phasesOf(here)["a"], "verified");
    assert.equal(phasesOf(here)["b"], "verified", "it was held, and met no full disk of its own");
    assert.equal(phasesOf(here)["c"], "asking", "it is full again: known by now, asked at once");
  }));

test(
  "J15: a full disk that an agent only tells of in its last words is asked about at once",
  inLargeForm("run"),
  () =>
    inRepository((here) => {
      const said = { print: "I could not write a.txt: ENOSPC: no space left on device." };
      const agent = recordingAgent(here, { a: [said] });
      const [a = ""] = SUBTASKS;
      const ran = here.unstuck("run", planFile(here, agent.command, [a]), "--trust");
      assert.equal(ran.code, 3, ran.out + ran.err);
      assert.deepEqual(recoveriesOf(here.events()), ["ask"], ran.out);
      assert.equal(inputsOf(here.events(), "attempt-started").length, 1);
      assert.match(ran.out, /The disk is full/);
    }),
);

test("J30: where a subtask is given up, the run says how many go on", () =>
  inRepository((here) => {
    const agent = here.agent({
      a: [{ error: "Error: 401 Unauthorized: invalid api key", exit: 1 }],
    });
    const [a = "", b = "", c = ""] = SUBTASKS;
    const subtasks = [a, `${b}, dependsOn: [a]`, c, c.replace("id: c", "id: d")];
    const ran = here.unstuck("run", planFile(here, agent, subtasks), "--trust");
    assert.match(ran.out, /^Continuing with 2 independent subtasks$/m);
  }));
