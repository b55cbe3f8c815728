import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { test } from "node:test";

const examples = globSync("examples/*.ts").sort();

test("there is an example for each part of the library", () => {
  assert.ok(examples.length >= 8, examples.join(", "));
});

for (const example of examples)
  test(`${example} runs and its assertions hold`, () => {
    const { status, stderr } = spawnSync(process.execPath, [example], {
      encoding: "utf8",
      timeout: 60_000,
    });
    assert.equal(status, 0, stderr);
  });
