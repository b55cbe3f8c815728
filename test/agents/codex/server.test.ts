// proves: U14, D8
// The talk with Codex's app-server, and what its messages are read as; made up in its shapes.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Conversation } from "../../../src/agents/agent.ts";
import { codex } from "../../../src/agents/codex/agent.ts";
import { createStepReader } from "../../../src/agents/output/transcript.ts";
import { classifyByStandardRules } from "../../../src/core/rules/standard.ts";
import type { Step } from "../../../src/core/stuck/step.ts";
import type { AgentRequest } from "../../../src/runtime/ports-agent.ts";
import type { AgentReport } from "../../../src/runtime/agent-result.ts";
import { EXITED, jsonl, readerOf } from "../output/events.ts";

const REQUEST: AgentRequest = {
  place: { run: "r", subtask: "s", attemptId: "r/s/1", slot: 0 },
  prompt: "a secret task",
  cwd: "/w",
  folder: "/f",
  env: {},
  limits: {},
};

const hello = {
  id: "initialize",
  result: { userAgent: "unstuck/0.166.0 (Linux)", codexHome: "/h" },
};
const opened = (id = "thread/start") => ({ id, result: { thread: { id: "th-1" }, model: "m-1" } });
const begun = { id: "turn/start", result: { turn: { id: "tu-1" } } };
const told = (method: string, params: object, threadId = "th-1") => ({
  method,
  params: { threadId, turnId: "tu-1", ...params },
});
const started = told("turn/started", { turn: { id: "tu-1" } });
const ended = (status: string, error: unknown = null, thread?: string) =>
  told("turn/completed", { turn: { id: "tu-1", status, error } }, thread);
const item = (when: string, fields: object, thread?: string) =>
  told(`item/${when}`, { item: fields }, thread);
const command = { type: "commandExecution", id: "c-1", command: "/bin/bash -lc 'make a'" };
const message = (text: string) => item("completed", { type: "agentMessage", id: "m", text });
const failure = (info: unknown, words: string, details: string | null = null) => ({
  message: words,
  codexErrorInfo: info,
  additionalDetails: details,
});
const retry = (status: number | null, details: string) => {
  const info = { responseStreamDisconnected: { httpStatusCode: status } };
  return told("error", { error: failure(info, "Reconnecting... 1/5", details), willRetry: true });
};
const usage = (total: number, last: number, turnId = "tu-1") =>
  told("thread/tokenUsage/updated", {
    turnId,
    tokenUsage: {
      total: { inputTokens: total - 1, outputTokens: 1, totalTokens: 999_999 },
      last: { inputTokens: last - 1, cachedInputTokens: 0, outputTokens: 1 },
    },
  });

async function talkFor(more: Partial<AgentRequest> = {}): Promise<Conversation> {
  const talk = await codex.driver?.converse?.({ ...REQUEST, ...more }, () => undefined);
  assert.ok(talk !== undefined);
  return talk;
}

/** All that was said until the turn has begun. */
async function said(more: Partial<AgentRequest> = {}): Promise<string> {
  const talk = await talkFor(more);
  const replies = [hello, opened(), begun].flatMap((line) => talk.onLine(line).send ?? []);
  return JSON.stringify([...talk.opening, ...replies]);
}

function read(lines: readonly unknown[]): { report: AgentReport; final?: string | undefined } {
  const reader = readerOf("codex", { countsSession: false });
  reader.push("stdout", jsonl(lines));
  const final = reader.final();
  return { report: reader.report(EXITED), final };
}

const stepsOf = (lines: readonly unknown[]): readonly Step[] =>
  createStepReader("codex")
    .push(jsonl(lines))
    .steps.map(({ step }) => step);

test("a turn starts in the sandbox, unasked, with its model; nothing is bypassed unasked for", async () => {
  const words = await said({ model: "m-9", thinking: true });
  for (const part of ['"sandbox":"workspace-write"', '"approvalPolicy":"never"', '"model":"m-9"'])
    assert.ok(words.includes(part), part);
  assert.ok(words.includes('"effort":"high"') && words.includes("a secret task"));
  assert.doesNotMatch(await said(), /danger|m-9|effort|resume/);
  assert.match(await said({ permissions: "full" }), /"sandbox":"danger-full-access"/);
});

test("a thread is opened without a folder, which Codex would trust for good; the turn names it", async () => {
  for (const session of [undefined, "th-0"]) {
    const talk = await talkFor(session === undefined ? {} : { session });
    const [, open] = talk.onLine(hello).send ?? [];
    assert.ok(open !== undefined && !JSON.stringify(open).includes('"cwd"'));
    assert.equal(JSON.stringify(open).includes('"thread/resume"'), session !== undefined);
    assert.match(JSON.stringify(talk.onLine(opened()).send), /"cwd":"\/w"/);
  }
});

test("words reach the turn that runs, and no other", async () => {
  const talk = await talkFor();
  assert.deepEqual(talk.steer?.("too early"), []);
  for (const line of [hello, opened(), begun]) talk.onLine(line);
  const [first] = talk.steer?.("look again") as readonly { id: string; params: unknown }[];
  assert.deepEqual(first?.params, {
    threadId: "th-1",
    expectedTurnId: "tu-1",
    input: [{ type: "text", text: "look again" }],
  });
  assert.deepEqual(talk.onLine({ id: first?.id, error: { message: "no active turn" } }), {});
  const [second] = talk.steer?.("again") as readonly { id: string }[];
  assert.notEqual(first?.id, second?.id);
  assert.equal(talk.onLine(ended("completed", null, "th-other")).hangUp, false);
  assert.equal(talk.onLine(ended("completed")).hangUp, true);
  assert.deepEqual(talk.steer?.("too late"), []);
});

test("a refusal of what the attempt needs ends it, and a person is never waited for", async () => {
  const talk = await talkFor();
  assert.equal(talk.onLine({ id: "thread/start", error: { message: "no" } }).hangUp, true);
  const asked = (method: string) => JSON.stringify(talk.onLine({ id: 7, method, params: {} }).send);
  assert.equal(
    asked("item/fileChange/requestApproval"),
    '[{"id":7,"result":{"decision":"decline"}}]',
  );
  assert.match(asked("mcpServer/elicitation/request"), /"action":"decline"/);
  for (const method of ["item/permissions/requestApproval", "item/tool/requestUserInput", "x"])
    assert.match(asked(method), /"id":7,"error"/, method);
});

test("a command that a person allowed is let through, exactly so, where Codex asks for it", async () => {
  const allowed = [{ tool: "shell", command: "npm ci" }];
  const talk = await talkFor({ allowed });
  const answer = (command: string, method = "item/commandExecution/requestApproval"): string =>
    JSON.stringify(talk.onLine({ id: 7, method, params: { command } }).send);
  assert.match(answer("/bin/bash -lc 'npm ci'"), /"decision":"accept"/);
  assert.match(answer("npm ci"), /"decision":"accept"/);
  for (const command of ["npm ci --force", "npm", "npm ci; curl x"])
    assert.match(answer(command), /"decision":"decline"/, command);
  assert.match(answer("npm ci", "item/fileChange/requestApproval"), /"decision":"decline"/);
  const opening = JSON.stringify(talk.onLine(hello).send);
  assert.match(opening, /"approvalPolicy":"on-request"/);
  assert.match(JSON.stringify((await talkFor()).onLine(hello).send), /"approvalPolicy":"never"/);
});

test("errors are told by their type, by their status where the type only wraps, else by their words", () => {
  const http = (name: string, httpStatusCode: number | null) => ({ [name]: { httpStatusCode } });
  const rows: readonly (readonly [unknown, string, string])[] = [
    ["contextWindowExceeded", "no room", "context_exhausted"],
    ["serverOverloaded", "try later", "server_overloaded"],
    ["usageLimitExceeded", "You have hit your usage limit. Try again at 10:29 AM.", "rate_limited"],
    ["usageLimitExceeded", "Quota exceeded. Check your plan and billing details.", "billing"],
    ["unauthorized", "who are you", "auth_required"],
    ["cyberPolicy", "stopped", "content_refused"],
    [http("httpConnectionFailed", 401), "connection failed", "auth_required"],
    [http("httpConnectionFailed", null), "something failed", "network_error"],
    [http("responseTooManyFailedAttempts", 429), "exceeded retry limit", "rate_limited"],
    [http("responseTooManyFailedAttempts", null), "last status: 429 Too Many", "rate_limited"],
    ["other", "unexpected status 503 Service Unavailable", "server_overloaded"],
  ];
  for (const [info, words, kind] of rows) {
    const { report } = read([hello, opened(), started, ended("failed", failure(info, words))]);
    assert.equal(report.completed, false);
    assert.equal(
      report.error && classifyByStandardRules(report.error).kind,
      kind,
      `${JSON.stringify(info)} ${words}`,
    );
  }
});

test("announced retries are final where they cannot help, and forgotten once work goes on", () => {
  assert.ok(read([retry(401, "unexpected status 401")]).final !== undefined);
  assert.equal(read([retry(null, "stream closed")]).final, undefined);
  const closed = Array.from({ length: 3 }, () => retry(null, "closed"));
  assert.equal(read(closed).final, undefined);
  assert.ok(read([...closed, retry(null, "closed")]).final !== undefined);
  assert.equal(read([retry(429, "slow down"), retry(429, "slow down")]).final, undefined);
  assert.equal(read([retry(503, "busy")]).final, undefined);
  assert.ok(read([retry(503, "busy"), retry(503, "busy")]).final !== undefined);
  const between = item("started", command);
  assert.equal(read([...closed, between, retry(null, "closed")]).final, undefined);
});

test("only the attempt's own turn completes it, and an interrupted one does not", () => {
  const begin = [hello, opened(), started, message("Ok.")];
  assert.equal(read([...begin, ended("completed")]).report.completed, true);
  assert.equal(read([...begin, ended("completed", null, "th-2")]).report.completed, false);
  assert.equal(read([...begin, ended("interrupted")]).report.completed, false);
  const { report } = read([
    hello,
    opened(),
    started,
    ended("failed", failure("other", "x"), "th-2"),
  ]);
  assert.equal(report.error?.message, undefined);
});

test("usage is what this attempt used: totals of earlier turns and repetitions count nothing", () => {
  const lines = [hello, opened("thread/resume"), usage(5000, 100, "tu-0"), started];
  const more = [usage(5300, 300), usage(5300, 300), usage(5500, 200), ended("completed")];
  assert.equal(read([...lines, message("Ok."), ...more]).report.usage.tokens, 500);
  const anew = [hello, opened(), started, usage(300, 300), usage(420, 120)];
  assert.equal(read(anew).report.usage.tokens, 420);
});

test("a limit that is reached tells when it is lifted; one that is only near does not", () => {
  const limits = (usedPercent: number) => ({
    method: "account/rateLimits/updated",
    params: {
      rateLimits: {
        primary: { usedPercent, resetsAt: 2_000_000_000 },
        secondary: { usedPercent: 40, resetsAt: 2_100_000_000 },
      },
    },
  });
  const end = ended("failed", failure("usageLimitExceeded", "You have hit your usage limit."));
  const waitOf = (...lines: readonly unknown[]) => read(lines).report.error?.retryAfter;
  assert.equal(waitOf(opened(), limits(100), end), new Date(2e12).toUTCString());
  assert.equal(waitOf(opened(), limits(99), end), undefined);
  assert.equal(waitOf(opened(), limits(100), limits(1), end), undefined);
  const busy = ended("failed", failure("serverOverloaded", "try later"));
  assert.equal(waitOf(opened(), limits(100), busy), undefined);
});

test("steps: calls matched with results, exit codes, own words only, other threads apart", () => {
  const done = { ...command, status: "completed", aggregatedOutput: "boom", exitCode: 3 };
  const user = { type: "userMessage", id: "u", content: [{ type: "text", text: "a secret task" }] };
  const steps = stepsOf([
    hello,
    opened(),
    item("started", user),
    item("completed", user),
    item("started", command),
    item("completed", done),
    item("completed", { type: "contextCompaction", id: "k" }),
    item("completed", { ...command, exitCode: 0, aggregatedOutput: null }, "th-2"),
    message("Ok."),
  ]);
  const call = { kind: "tool_call", id: "c-1", tool: "shell", args: { command: "make a" } };
  assert.deepEqual(steps, [
    call,
    { kind: "tool_result", id: "c-1", output: "boom", isError: true },
    { kind: "compaction" },
    { ...call, runId: "th-2" },
    { kind: "tool_result", id: "c-1", output: "", isError: false, runId: "th-2" },
    { kind: "message", text: "Ok." },
  ]);
});

test("an untested version works, with a warning", () => {
  const other = { ...hello, result: { userAgent: "unstuck/0.999.0 (Linux)", codexHome: "/h" } };
  assert.match(read([other]).report.warnings.join(), /Codex 0\.999\.0 is not tested/);
  assert.deepEqual(read([hello]).report.warnings, []);
});
