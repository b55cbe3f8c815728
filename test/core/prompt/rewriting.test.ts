// proves: A4, U15
import assert from "node:assert/strict";
import { test } from "node:test";
import type { MutationInput } from "../../../src/core/prompt/mutation.ts";
import { rewriteRequest, rewrittenGoal } from "../../../src/core/prompt/mutation.ts";
import { MUTATIONS } from "../../../src/core/recovery.ts";

const BARE: MutationInput = {
  goal: "Create login",
  checks: [],
  files: [],
  failing: [],
  failedApproaches: [],
};

test("what a cheap model is asked: its role, the mutation, the task as quoted data", () => {
  assert.equal(
    rewriteRequest("rephrase", BARE),
    `You rewrite tasks for a coding agent that has failed at this one. Do not do the task, use no tools.

Say the same task in other words. Change nothing of what is asked.

Answer with the rewritten task alone, no introduction.

The task:
\`\`\`text
Create login
\`\`\``,
  );
  const asked = MUTATIONS.map((mutation) => rewriteRequest(mutation, BARE).split("\n\n")[1]);
  assert.equal(new Set(asked).size, 5);
});

test("what is known of the failures: checks, failing items, approaches, each as far as it is known", () => {
  const request = rewriteRequest("examples", {
    ...BARE,
    checks: ["npm test"],
    failing: [
      { name: "adds", expected: "2", got: "3" },
      { name: "sums", got: "4" },
      { name: "divides", expected: "5" },
      { name: "waits" },
    ],
    failedApproaches: [{ approach: "by hand", error: "too slow" }, { approach: "by foot" }],
  });
  assert.ok(
    request.endsWith(`\n\nWhat is known of the failures:
\`\`\`text
check: npm test
fails: adds, expected 2, got 3
fails: sums, got 4
fails: divides, expected 5
fails: waits
tried: by hand (too slow)
tried: by foot (failed)
\`\`\``),
  );
});

test("an answer is used with the goal's own words below it", () => {
  const answer = "  Let people sign in with a name.\u001b[2J\n";
  assert.equal(
    rewrittenGoal("Create login", answer),
    `Let people sign in with a name.

The task in its own words, which count where the two differ:
Create login`,
  );
});

test("an answer that is no rewrite is not used", () => {
  const twenty = "Twenty characters ok";
  assert.ok(rewrittenGoal("Create login", twenty)?.startsWith(twenty));
  assert.equal(rewrittenGoal("Create login", twenty.slice(1)), undefined);
  assert.equal(rewrittenGoal("Create login", `${twenty.slice(1)}   \n`), undefined);
  assert.equal(rewrittenGoal("Create login", ""), undefined);
  const goal = "  Create the login page for everybody\n";
  assert.equal(rewrittenGoal(goal, "Create the login page for everybody"), undefined);
  assert.notEqual(rewrittenGoal(goal, "Create the login page for everybody."), undefined);
});

test("task, failures and answer are bounded", () => {
  const long = "word ".repeat(10_000);
  const request = rewriteRequest("negative", { ...BARE, goal: long, checks: [long] });
  assert.ok(request.length > 8_000 && request.length < 8_500, `${request.length}`);
  const used = rewrittenGoal("Create login", long) ?? "";
  assert.ok(used.length > 8_000 && used.length < 8_100, `${used.length}`);
});
