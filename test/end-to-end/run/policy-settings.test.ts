// proves: J18, E9
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { recordingAgent } from "./recording-agent.ts";
import { inRepository } from "./repository.ts";
import { eventsOf, planFile } from "./runs.ts";

test("prompt_mutations: 5 means five, the last two among them", inLargeForm("run"), async () => {
  await inRepository((here) => {
    const agent = recordingAgent(here, { fix: [{ print: "I am still looking into it" }] });
    const plan = planFile(
      here,
      agent.command,
      ["id: fix, prompt: make the value 2, checks: [sh check.sh]"],
      [
        ...["grounding: false", "policy: stuck-recovery"],
        "loop: { stuck_after: 1, recovery: { prompt_mutations: 5, branch_exploration: false } }",
      ],
    );
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 3, ran.err + ran.out);
    const mutations = eventsOf(here.events(), "recovery-chosen")
      .flatMap((event) => event["recoveries"] as { kind: string; mutation?: string }[])
      .flatMap(({ mutation }) => mutation ?? []);
    assert.deepEqual(mutations, ["rephrase", "decompose", "constrain", "examples", "negative"]);
  });
});

test("tier-ladder asks again for an answer it cannot read, twice, before it counts as an attempt", async () => {
  await inRepository((here) => {
    const agent = recordingAgent(here, {
      count: [{ print: "two" }, { print: "it is two" }, { print: '{"value": 2}' }],
    });
    const output = "output: { type: object, required: [value] }";
    const plan = planFile(
      here,
      agent.command,
      [`id: count, prompt: count it, ${output}`],
      ["grounding: false", "policy: tier-ladder"],
    );
    here.unstuck("run", plan, "--trust");
    const chosen = eventsOf(here.events(), "recovery-chosen").map((event) => event["recoveries"]);
    const reAsk = [{ kind: "retry", remind: "format" }];
    assert.deepEqual(chosen, [reAsk, reAsk]);
    assert.match(agent.promptOf("count/2"), /FORMAT: answer with ONLY one valid JSON value/);
    assert.equal(agent.prompts().length, 3);
  });
});
