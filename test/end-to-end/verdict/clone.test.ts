// proves: U5
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { branchOf } from "../run/runs.ts";
import { assertCloneHolds } from "./clone.ts";
import { assertVerified, inProject, judged } from "./judged.ts";

const FILES = {
  ".gitignore": "tools/\nmade.txt\n",
  "value.txt": "1\n",
  "check.sh": "test -f made.txt && sh tools/is-two.sh\n",
};
const PLAN = [
  'checks: ["sh check.sh"]',
  'workspace: { setup: ["echo made > made.txt"], carry: [tools] }',
];
const TOOL = "grep -q ^2$ value.txt\n";

test("U5: a verified result is cloned, set up and checked before its repository goes", () =>
  inProject(FILES, (here) => {
    writeTool(here.path);
    const script = { a: [{ write: { "value.txt": "2\n" }, print: "done" }] };
    assertVerified(judged(here, { script, plan: PLAN }));
    assert.equal(assertCloneHolds(here), 1);
    const branch = branchOf(here);
    const good = here.git("rev-parse", branch).trim();
    here.git("branch", "-q", "-f", branch, "main");
    assert.throws(() => assertCloneHolds(here), /"verified", but sh check\.sh ends with 1/);
    here.git("branch", "-q", "-f", branch, good);
  }));

test("U5: what was not called verified is not held to it", () =>
  inProject(FILES, (here) => {
    writeTool(here.path);
    const script = { a: [{ write: { "value.txt": "3\n" }, print: "done" }] };
    const subtasks = ["id: a, prompt: mend it, limits: { max_retries: 0 }"];
    const ended = judged(here, { script, subtasks, plan: [...PLAN, "policy: tier-ladder"] });
    assert.notEqual(ended.code, 0);
    assert.equal(assertCloneHolds(here), 0);
  }));

function writeTool(path: string): void {
  const file = join(path, "tools", "is-two.sh");
  mkdirSync(dirname(file));
  writeFileSync(file, TOOL);
}
