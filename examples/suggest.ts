// From a failure to what to do about it: classify the evidence, make the repair plan, walk through its steps.
import assert from "node:assert/strict";
import { classify, nextRepairStep, repairPlan } from "../src/index.ts";
import type { StepOutcome } from "../src/index.ts";

const evidence = {
  tool: "Bash",
  command: "git clone https://github.com/ada/engine",
  exitCode: 127,
  stderr: "bash: line 1: git: command not found",
};
const plan = repairPlan({
  failure: classify(evidence),
  evidence,
  tools: ["Bash", "Read", "LS"],
  sandboxRoot: "/srv/project",
  mode: "suggest",
});
assert.equal(plan.kind, "command_not_found");
assert.equal(plan.strategy, "alternative_command_curl_tar");
assert.deepEqual(plan.fallbackChain, ["manual_installation", "ask_user"]);
for (const { action, tool, args } of plan.steps)
  console.log(`${action}: ${tool} ${JSON.stringify(args)}`);

// A runner asks for one step after the other; a failing step moves on to the next strategy, and at the end to a person.
const history: StepOutcome[] = [];
const first = nextRepairStep(plan, history);
assert.ok(first.kind === "run" && first.index === 0);
history.push({ strategy: first.strategy, index: first.index, ok: false });
const second = nextRepairStep(plan, history);
assert.ok(second.kind === "run" && second.strategy === "manual_installation");
assert.equal(second.step.needsPermission, "install");
history.push({ strategy: second.strategy, index: second.index, ok: false });
const last = nextRepairStep(plan, history);
assert.equal(last.kind, "ask");
