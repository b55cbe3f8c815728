// proves: U14
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { run } from "../../../src/cli/commands/run.ts";
import { startLine } from "../../../src/operations/serve/background.ts";

/** What the process that works on the run takes from its command line. */
function parsed(line: readonly string[]): { plan: string | undefined; flags: object } {
  let found: { plan: string | undefined; flags: object } | undefined;
  const command = run().exitOverride();
  command.action((plan: string | undefined, flags: object) => void (found = { plan, flags }));
  command.parse(line.slice(1), { from: "user" });
  return found ?? assert.fail();
}

const words = fc.oneof(
  fc.string(),
  fc.constantFrom("--trust", "--", "-x", "--full-permissions", "=", "--goal=x", "", "a\nb"),
);
const lists = fc.array(words, { minLength: 1, maxLength: 3 });

test("whatever is given from afar is the value of its flag, and never a flag", () => {
  const input = fc.record(
    {
      goal: words,
      agent: words,
      policy: words,
      checks: lists,
      carry: lists,
      setup: fc.oneof(lists, fc.constant([])),
      grounding: fc.boolean(),
      withChanges: fc.constant(true),
      concurrency: fc.integer({ min: 1, max: 64 }),
      plan: fc.oneof(words, fc.constant("-plan.yaml")).filter((plan) => plan !== ""),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(input, (given) => {
      const line = startLine(given);
      assert.equal(line[0], "run");
      const { plan, flags } = parsed(line);
      const { plan: asked, checks, setup, concurrency, ...same } = given;
      assert.equal(plan, asked);
      assert.deepEqual(
        { ...flags },
        {
          ...same,
          ...(checks === undefined ? {} : { check: checks }),
          ...(setup === undefined ? {} : { setup: setup.length === 0 ? false : setup }),
          ...(concurrency === undefined ? {} : { concurrency: String(concurrency) }),
        },
      );
    }),
  );
});

test("a plan as text is trusted by whoever sent it, a file only when they say so", () => {
  assert.deepEqual(startLine({ planText: "{}" }), ["run", "--trust"]);
  assert.deepEqual(startLine({ plan: "p.yaml" }), ["run", "--", "p.yaml"]);
  assert.deepEqual(startLine({ plan: "p.yaml", trust: true }), ["run", "--trust", "--", "p.yaml"]);
});
