// A call is what an attempt failed of only where its own output says the same as the attempt's failure.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../../../src/core/evidence.ts";
import {
  failedCall,
  attributedToTool,
  type CallSeen,
} from "../../../src/core/repair/failed-call.ts";
import { classifyByStandardRules, standardRules } from "../../../src/core/rules/standard.ts";

const MISSING = "cat: src/confg.json: No such file or directory";
const LIMITED = "429 Too Many Requests: rate limit exceeded";
const read: CallSeen = {
  tool: "shell",
  command: "cat src/confg.json",
  file: "a.ts",
  output: MISSING,
};

const at = (evidence: Evidence, call?: CallSeen) => {
  const failure = classifyByStandardRules(evidence);
  const ending = call === undefined ? { evidence } : { evidence, call };
  return {
    ...failedCall(failure, ending, standardRules()),
    origin: attributedToTool(failure, ending, standardRules()).origin,
    own: failure.origin,
  };
};

test("what the tool said is what the attempt failed of: the call is told, and the tool is to blame", () => {
  const { call, origin } = at({ origin: "agent", message: MISSING }, read);
  assert.deepEqual(call, { tool: "shell", command: "cat src/confg.json", file: "a.ts" });
  assert.equal(origin, "tool");
});

test("what the agent got over on its way is not what it failed of", () => {
  const { call, origin, own } = at({ origin: "agent", message: LIMITED }, read);
  assert.equal(call?.command, undefined);
  assert.equal(origin, own);
});

test("a service's own error is the service's, whatever a tool said before", () => {
  const typed: readonly Evidence[] = [
    { message: MISSING, httpStatus: 404 },
    { message: MISSING, providerError: { type: "not_found_error" } },
    { message: MISSING, origin: "provider" },
  ];
  for (const evidence of typed) {
    const { origin, own } = at(evidence, read);
    assert.equal(origin, own, JSON.stringify(evidence));
  }
});

test("without a call, what the evidence names counts, unless it is no tool of the agent", () => {
  const evidence = { origin: "tool", message: MISSING, command: "cat x", exitCode: 1 } as const;
  assert.deepEqual(at({ ...evidence, tool: "shell" }).call, {
    ...{ tool: "shell", command: "cat x", exitCode: 1 },
  });
  assert.deepEqual(at({ ...evidence, tool: "llm" }).call, { command: "cat x", exitCode: 1 });
  assert.equal(at({ origin: "tool", message: MISSING, tool: "agent_cli" }).call, undefined);
});

test("how long to wait is told with the call", () => {
  const failure = { ...classifyByStandardRules({ message: LIMITED }), retryAfterMs: 1500 };
  assert.deepEqual(failedCall(failure, { evidence: { message: LIMITED } }, standardRules()), {
    call: { retryAfterMs: 1500 },
  });
});
