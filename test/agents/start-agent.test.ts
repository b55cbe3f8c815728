// proves: U2, U9
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { agentNamed } from "../../src/agents/start-agent.ts";
import { commandAgent } from "../../src/agents/command/command-agent.ts";
import type { AgentRequest } from "../../src/runtime/ports-agent.ts";
import type { AgentResult, RunningAttempt } from "../../src/runtime/agent-result.ts";
import { agentRequest, assertNothingLeft } from "./process/processes.ts";
import { claude, gemini } from "./output/events.ts";
import type { Deed } from "./fake-cli.ts";

const FAKE = `${process.execPath} ${join(import.meta.dirname, "fake-cli.ts")}`;

const requestFor = (deeds: readonly Deed[], more: Partial<AgentRequest> = {}): AgentRequest => {
  const request = agentRequest(more);
  return { ...request, env: { ...request.env, FAKE_DEEDS: JSON.stringify(deeds) } };
};

async function started(name: string, request: AgentRequest): Promise<RunningAttempt> {
  const start = await agentNamed(name, { command: FAKE })?.start(request);
  assert.ok(start?.ok, start?.ok === false ? start.problem : "no such agent");
  start.attempt.release();
  return start.attempt;
}

async function run(name: string, deeds: readonly Deed[]): Promise<AgentResult> {
  const request = requestFor(deeds);
  const result = await (await started(name, request)).result;
  assertNothingLeft(request.place.attemptId);
  return result;
}

test("an agent that listens gets its prompt as a message and is let go after its last word", async () => {
  const result = await run("claude", [
    { print: claude.init },
    { hear: "and-say-it" },
    { print: claude.result() },
    { untilClosed: true },
  ]);
  assert.deepEqual(result.end, { kind: "exited", code: 0 }, result.stderr);
  assert.equal(result.report?.completed, true);
  const heard = JSON.parse(result.report.answer) as { message: { content: unknown } };
  assert.deepEqual(heard.message.content, [{ type: "text", text: "do it" }]);
});

test("an agent that does not listen reads its prompt from standard input", async () => {
  const request = requestFor([
    { hear: "only" },
    { print: gemini.text("Ok.") },
    { print: gemini.result("success") },
  ]);
  const { report, promptBy } = await (await started("gemini", request)).result;
  assert.equal(report?.completed, true);
  assert.equal(promptBy, "stdin");
  assert.equal(readFileSync(join(request.folder, "prompt.txt"), "utf8"), "do it");
});

test("a wrong key ends the attempt at once, not after the agent's own retries", async () => {
  const { end, report, durations } = await run("claude", [
    { print: claude.init },
    { print: claude.retry("authentication_failed", 401) },
    { stay: true },
  ]);
  assert.equal(end.kind === "killed" && end.reason, "settled");
  assert.equal(report?.error?.httpStatus, 401);
  assert.ok(durations.activeMs < 500_000);
});

test("a retry that may help is waited for", async () => {
  const { end, report } = await run("claude", [
    { print: claude.retry("overloaded", 529) },
    { sleepMs: 300 },
    { print: claude.text("There.") },
    { print: claude.result() },
  ]);
  assert.deepEqual(end, { kind: "exited", code: 0 });
  assert.equal(report?.completed, true);
});

test("words to a working agent arrive; after its last word nobody hears them", async () => {
  const attempt = await started(
    "claude",
    requestFor([
      { hear: "only" },
      { print: claude.init },
      { hear: "and-say-it" },
      { print: claude.result() },
      { untilClosed: true },
    ]),
  );
  assert.equal(attempt.steer?.("look at the log"), true);
  const { report } = await attempt.result;
  assert.match(report?.answer ?? "", /look at the log/);
  assert.equal(attempt.steer("too late"), false);
});

test("an agent that cannot be told anything says so by having no steer", async () => {
  const attempt = await started("gemini", requestFor([{ print: gemini.result("success") }]));
  assert.ok(!("steer" in attempt));
  await attempt.result;
});

test("a program that is not there is told as that", async () => {
  const start = await agentNamed("codex", { command: "no-such-program-here" })?.start(
    agentRequest(),
  );
  assert.ok(start?.ok);
  start.attempt.release();
  const { end, report } = await start.attempt.result;
  assert.equal(end.kind === "not-started" && end.errno, "ENOENT");
  assert.equal(report?.completed, false);
});

test("the user's environment wins over an adapter's defaults", async () => {
  const show = `sh -c 'echo "$CLAUDE_CODE_MAX_RETRIES $DISABLE_AUTOUPDATER" >&2'`;
  const request = agentRequest();
  const env = { ...request.env, CLAUDE_CODE_MAX_RETRIES: "4" };
  const start = await agentNamed("claude", { command: show })?.start({ ...request, env });
  assert.ok(start?.ok);
  start.attempt.release();
  assert.equal((await start.attempt.result).stderr, "4 1\n");
});

test("a model or session that would be read as an option is never passed on", async () => {
  const show = `sh -c 'echo "$@" >&2' sh`;
  const agent = agentNamed("gemini", { command: show });
  const refused = await agent?.start(agentRequest({ model: "--full-auto" }));
  assert.equal(refused?.ok, false);
  const start = await agent?.start(agentRequest({ session: "--last", model: "vendor/m-1:x" }));
  assert.ok(start?.ok);
  start.attempt.release();
  const { stderr } = await start.attempt.result;
  assert.match(stderr, /^--output-format .* -m vendor\/m-1:x\n$/);
});

test("names that are no agent give none", () => {
  for (const name of ["", "toString", "Claude", "acp", "command"])
    assert.equal(agentNamed(name), undefined, name);
});

test("a plain command whose output is typed gets a report, one that prints words none", async () => {
  const deeds: readonly Deed[] = [
    { print: { type: "agent.begin", session_id: "x-1" } },
    { print: { type: "agent.error", data: { message: "busy", statusCode: 503 } } },
    { exit: 0 },
  ];
  const runCommand = async (template: string): Promise<AgentResult> => {
    const start = await commandAgent(template).start(requestFor(deeds));
    assert.ok(start.ok, start.ok ? "" : start.problem);
    start.attempt.release();
    return start.attempt.result;
  };
  const { report } = await runCommand(FAKE);
  assert.equal(report?.completed, false);
  assert.equal(report.error?.httpStatus, 503);
  assert.equal((await runCommand("echo an error: 503")).report, undefined);
});
