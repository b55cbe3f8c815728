// Advice without a terminal: values that fit their schemas, and problems as values.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  checkPolicy,
  classifyFailure,
  policySchema,
  showPolicy,
  suggestRepair,
  validateAnswer,
} from "../../../src/operations/advice/advice.ts";
import { detectCase, detectLoops } from "../../../src/operations/advice/detect.ts";
import type { VerdictChanged } from "../../../src/operations/advice/detect.ts";
import type { Operation } from "../../../src/operations/operation.ts";

const CONTEXT = { cwd: "/" };

async function value<Input, Output, Happening>(
  operation: Operation<Input, Output, Happening>,
  input: Input,
  on?: (happening: Happening) => void,
): Promise<Output> {
  const schemas = await operation.schemas();
  const result = await operation.run(CONTEXT, schemas.input.parse(input), on);
  assert.ok(result.ok, JSON.stringify(result));
  schemas.output.parse(result.value);
  return result.value;
}

async function problem<Input, Output, Happening>(
  operation: Operation<Input, Output, Happening>,
  input: Input,
): Promise<string> {
  const result = await operation.run(CONTEXT, input);
  assert.ok(!result.ok && result.problem.code === "bad-input");
  return result.problem.message;
}

test("a failure is told from its text, or from fields that win over it", async () => {
  const text = "bash: frob: command not found";
  assert.equal((await value(classifyFailure, { text })).kind, "command_not_found");
  const fields = { errno: "ENOSPC", message: "no space left on device" };
  assert.equal((await value(classifyFailure, { fields })).kind, "disk_full");
  assert.match(
    await problem(classifyFailure, { fields: { exitCode: [] }, called: "line 3" }),
    /^line 3, field exitCode: /,
  );
});

test("a repair plan names what to try", async () => {
  const plan = await value(suggestRepair, { text: "bash: frob: command not found" });
  assert.equal(plan.kind, "command_not_found");
  assert.ok(plan.steps.length > 0);
});

test("an answer is held against a schema or tools; a bad schema is a problem", async () => {
  const schema = { type: "object", required: ["a"] };
  assert.equal((await value(validateAnswer, { answer: '{"a":1}', schema })).valid, true);
  assert.equal((await value(validateAnswer, { answer: "{}", schema })).valid, false);
  assert.match(await problem(validateAnswer, { answer: "{}", schema: { type: 5 } }), /schema/);
  const tools = { answer: "{}", tools: 5, called: "tools.json" };
  assert.match(await problem(validateAnswer, tools), /^tools\.json/);
});

async function* steps(count: number): AsyncGenerator<Uint8Array> {
  const call = { kind: "tool_call", tool: "t", args: {} };
  for (let n = 0; n < count; n += 1) yield Buffer.from(`${JSON.stringify(call)}\n`);
}

test("a loop is told as it is seen, and at the end", async () => {
  const seen: VerdictChanged[] = [];
  const input = { chunks: steps(6), format: "steps" } as const;
  const output = await value(detectLoops, input, (change) => seen.push(change));
  assert.deepEqual(
    seen.map(({ verdict }) => verdict.level),
    ["nudge", "stuck"],
  );
  assert.deepEqual([output.steps, output.stuck?.pattern], [6, "same_call"]);
  const early = await value(detectLoops, { ...input, chunks: steps(50), untilStuck: true });
  assert.ok(early.steps < 50);
  const one = await value(detectCase, { given: { id: 1, steps: [] }, called: "line 1" });
  assert.equal(one.level, "none");
});

test("policies: a preset is complete, a file is checked with the places of its problems", async () => {
  assert.equal((await value(showPolicy, { preset: "standard" })).name, "standard");
  assert.equal((await value(checkPolicy, { text: "name: [" })).ok, false);
  assert.match(await problem(showPolicy, { text: "name: [", called: "p.yaml" }), /^p\.yaml:1:/);
  assert.ok(Object.keys(await value(policySchema, {})).length > 0);
});
