// proves: U3, U9
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { agentNamed } from "../../../src/agents/start-agent.ts";
import type { AgentRequest } from "../../../src/runtime/ports-agent.ts";
import type { AgentResult, RunningAttempt } from "../../../src/runtime/agent-result.ts";
import { agentRequest, assertNothingLeft } from "../process/processes.ts";

const FAKE = `${process.execPath} ${join(import.meta.dirname, "fake-opencode.ts")}`;

/** `onWork`: when its first tool result was seen. */
async function run(
  more: Partial<AgentRequest>,
  onWork?: (attempt: RunningAttempt) => void,
): Promise<AgentResult> {
  const running: RunningAttempt[] = [];
  let worked = false;
  const request = agentRequest({
    ...more,
    onStep: ({ kind }) => {
      if (worked || kind !== "tool_result") return;
      worked = true;
      for (const attempt of running) onWork?.(attempt);
    },
  });
  const start = await agentNamed("opencode", { command: FAKE })?.start(request);
  assert.ok(start?.ok, start?.ok === false ? start.problem : "no such agent");
  running.push(start.attempt);
  start.attempt.release();
  const result = await start.attempt.result;
  assertNothingLeft(request.place.attemptId);
  return result;
}

test("what a server tells over HTTP is read, recorded and ends the attempt like printed lines", async () => {
  const { end, report, transcript, stdout, stderr } = await run({ prompt: "the secret task" });
  assert.equal(end.kind === "killed" && end.reason, "settled", stderr);
  assert.deepEqual([report?.completed, report?.error], [true, undefined]);
  assert.equal(report?.answer, "I was told: the secret task");
  assert.deepEqual([report.session, report.usage], ["ses_fake", { tokens: 40, usd: 0.25 }]);
  assert.match(stderr, /started as: serve --hostname 127\.0\.0\.1 --port 0$/m);
  for (const text of [stdout, readFileSync(transcript.path, "utf8")])
    assert.match(text, /"step_start"[^]*"tool_use"[^]*"text"[^]*"step_finish"/);
});

test("words to a working server arrive in its session; once its turn is over nobody hears them", async () => {
  let attempt: RunningAttempt | undefined;
  const { report } = await run({ prompt: "wait for more" }, (running) => {
    attempt = running;
    assert.equal(running.steer?.("look at the log"), true);
  });
  assert.equal(report?.answer, "I was told: look at the log");
  assert.equal(attempt?.steer?.("too late"), false);
});

test("a server that is stopped in the middle ends without a word of failure and leaves nothing", async () => {
  const { end, report, stderr } = await run({ prompt: "wait for ever" }, (attempt) =>
    attempt.stop("enough"),
  );
  assert.equal(end.kind === "killed" && end.reason, "stop");
  assert.deepEqual([report?.completed, report?.error], [false, undefined], stderr);
});
