// When an agent is stuck: put the same goal differently, and tell the next attempt what the others came to.
import assert from "node:assert/strict";
import { mutate, nextMutation, recoveryHints, retryContext } from "../src/index.ts";

const input = {
  goal: "Make the login endpoint return 200 for a known user.",
  checks: ["npm test"],
  files: ["src/login.ts"],
  failing: [{ name: "logs in a known user", expected: "200", got: "404" }],
  failedApproaches: [{ approach: "a new route beside the old one", error: "got 404" }],
};
const kind = nextMutation(["rephrase"]);
assert.equal(kind, "decompose");
assert.ok(mutate(kind, input).startsWith(input.goal));
assert.match(
  mutate("negative", input),
  /don't: a new route beside the old one; it ended with: got 404/,
);

const attempts = [
  { attempt: 1, tier: 1, approach: "a new route beside the old one", error: "got 404" },
  { attempt: 2, tier: 2, approach: "the old route, rewritten", feedback: "1 of 12 tests fails" },
];
assert.match(recoveryHints(attempts), /^Previous attempts: 2\n[^]*Try a DIFFERENT approach/);
assert.match(retryContext(attempts, { maxChars: 2000 }), /Attempt 2 \(model tier 2\):/);
console.log(mutate("examples", input));
