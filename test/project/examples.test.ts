import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { test } from "node:test";

const examples = globSync("examples/*.ts").sort();

test("three loops of one's own, and an example for each other entry", () => {
  const names = examples.map((file) => file.replaceAll("\\", "/").replace("examples/", ""));
  assert.deepEqual(names, [
    ...["ai-sdk.ts", "classify.ts", "decide.ts", "openai-compatible.ts"],
    ...["policy.ts", "stuck-steps.ts", "validate.ts"],
  ]);
});

for (const example of examples)
  test(`${example} runs and its assertions hold`, () => {
    const { status, stderr } = spawnSync(process.execPath, [example], {
      encoding: "utf8",
      timeout: 60_000,
    });
    assert.equal(status, 0, stderr);
  });
