// A runtime of your own: the core decides about plans of many subtasks, you carry its commands out and keep its events.
// For a single loop `createRecovery` is simpler.
import assert from "node:assert/strict";
import { decide, ladder, NEW_RUN, type Plan, type RunInput, type RunState } from "../src/core.ts";
import { PRESETS } from "../src/index.ts";
import { standardRules } from "../src/rules.ts";

const plan: Plan = {
  goal: "a login page",
  subtasks: [{ id: "login", prompt: "add a login page", dependsOn: [], checks: 1 }],
  ladder: [{ agent: "my-agent", tier: 1 }],
  concurrency: 1,
  budget: { usd: 5 },
  attemptCap: { usd: 1 },
};
const policy = ladder(PRESETS.standard);

let state: RunState = NEW_RUN;
const give = (input: RunInput) => {
  const decided = decide(state, input, policy, standardRules());
  state = decided.state;
  return decided;
};

const now = { at: 1_800_000_000_000, chance: 0.5 };
const started = give({ ...now, kind: "run-started", run: "r1", plan });
assert.deepEqual(
  started.commands.map(({ kind }) => kind),
  ["start"],
);

const ended = give({
  ...now,
  kind: "attempt-ended",
  subtask: "login",
  attempt: 1,
  outcome: "failed",
  evidence: { tool: "llm", httpStatus: 429, message: "Too Many Requests", retryAfter: "30" },
  remains: {
    treeBefore: "a",
    treeAfter: "a",
    approach: "",
    signals: { outputNovelty: 0, change: 0, markers: 0, checklist: 0 },
    used: { usd: 0 },
  },
});
const [command] = ended.commands;
assert.equal(command?.kind, "timer");
assert.equal(command.dueAt - now.at, 30_000, "the server's own time");
for (const decision of ended.decisions)
  if (decision.kind === "recovery-chosen") console.log(decision.because);
