// proves: E12
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkPlan } from "../../../src/operations/planning/check-plan.ts";
import { inRepository } from "../../end-to-end/run/repository.ts";

const PLAN = `goal: make it right
agent: sh agent.sh {prompt}
budget: { usd: 3 }
subtasks:
  - id: one
    prompt: make it right
    checks: [sh check.sh]
`;

const CASES: readonly [string, string, number | undefined, RegExp][] = [
  ["a wrong type, at its value", PLAN.replace("usd: 3", "usd: much"), 3, /budget\.usd/],
  ["a key that is misspelt, at its line", PLAN.replace("prompt:", "promt:"), 6, /promt/],
  ["what is no YAML", `${PLAN}  - [`, 8, /./],
  ["an agent that is not there", PLAN.replace("sh agent", "nobody-has-this agent"), 2, /PATH/],
  ["a check whose program is missing", PLAN.replace("sh check", "no-such-program check"), 7, /./],
];

test("a plan that is being written is read without a start: problems at their lines", () =>
  inRepository(async (here) => {
    const context = { cwd: here.path };
    const read = async (planText: string) => {
      const result = await checkPlan.run(context, { planText });
      assert.ok(result.ok);
      return (await checkPlan.schemas()).output.parse(result.value);
    };
    const { problems, plan } = await read(PLAN);
    assert.deepEqual(problems, []);
    assert.equal(plan?.limits.usd, 3);
    assert.deepEqual(
      plan.commands.map(({ what, run }) => `${what} ${run}`),
      ["agent sh agent.sh {prompt}", "check sh check.sh"],
    );
    for (const [name, text, line, message] of CASES) {
      const [first] = (await read(text)).problems;
      assert.equal(first?.line, line, `${name}: ${JSON.stringify(first)}`);
      assert.match(first?.message ?? "", message, name);
    }
    assert.deepEqual(here.runs(), []);
  }));
