// What failed, and why we think so: evidence in, failure out.
import assert from "node:assert/strict";
import { classify } from "../src/index.ts";
import { standardRules } from "../src/rules.ts";

const rules = standardRules();

const missing = classify(
  {
    tool: "run_bash",
    command: "cartctl total",
    exitCode: 127,
    stderr: "bash: line 1: cartctl: command not found",
  },
  rules,
);
assert.equal(missing.kind, "command_not_found");
assert.equal(missing.origin, "tool");
assert.ok(missing.confidence > 0.9);
console.log(missing.kind, missing.confidence, missing.because);

const limited = classify(
  {
    tool: "agent_cli",
    message: "You have hit your session limit · resets 4pm (Europe/Rome)",
    observedAt: Date.UTC(2026, 10, 15, 12, 0),
  },
  rules,
);
assert.equal(limited.kind, "rate_limited");
assert.equal(limited.category, "transient");
assert.equal(limited.resetAt, "2026-11-15T15:00:00.000Z");
console.log(limited.kind, limited.resetAt);

// A test that prints "429" is a failed test, not a rate limit.
const test = classify(
  {
    tool: "run_bash",
    exitCode: 1,
    stdout: "✕ answers 429 when the rate limit is exceeded\n\nTests:  1 failed, 8 passed, 9 total",
  },
  rules,
);
assert.equal(test.kind, "verification_failed");
console.log(test.kind, test.because);
