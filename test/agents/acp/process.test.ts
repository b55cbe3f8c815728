// proves: D8, U14, J20
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { agentNamed, typedAgent } from "../../../src/agents/start-agent.ts";
import { acp } from "../../../src/agents/acp/agent.ts";
import type { Driver } from "../../../src/agents/agent.ts";
import { classifyByStandardRules as classify } from "../../../src/core/rules/standard.ts";
import type { Step } from "../../../src/core/stuck/step.ts";
import type { AgentRequest } from "../../../src/runtime/ports-agent.ts";
import type { AgentReport, AgentResult } from "../../../src/runtime/agent-result.ts";
import { agentRequest, assertNothingLeft, newFolder, until } from "../process/processes.ts";
import type { Turn } from "./acp-agent.ts";
import type { Deed } from "../fake-cli.ts";

const programOf = (file: string): string =>
  `acp:${process.execPath} ${join(import.meta.dirname, file)}`;

interface Attempted {
  readonly result: AgentResult;
  readonly report: AgentReport;
  readonly kind: string | undefined;
  readonly steps: readonly Step[];
}

interface Running {
  readonly steer: (words: string) => boolean;
  readonly steps: () => readonly Step[];
}

async function attempt(
  name: string,
  request: AgentRequest,
  meanwhile: (running: Running) => Promise<void> = () => Promise.resolve(),
): Promise<Attempted> {
  const steps: Step[] = [];
  const onStep = (step: Step): void => void steps.push(step);
  const start = await agentNamed(name)?.start({ ...request, onStep });
  assert.ok(start?.ok, start?.ok === false ? start.problem : "no such agent");
  start.attempt.release();
  await meanwhile({
    steer: (words) => start.attempt.steer?.(words) ?? false,
    steps: () => steps,
  });
  const result = await start.attempt.result;
  assertNothingLeft(request.place.attemptId);
  const { report } = result;
  assert.ok(report !== undefined);
  const kind = report.error === undefined ? undefined : classify(report.error).kind;
  return { result, report, kind, steps };
}

/** The agent that is made with the SDK. */
function made(
  turn: Turn,
  more: Partial<AgentRequest> = {},
  meanwhile?: (running: Running) => Promise<void>,
): Promise<Attempted & { readonly cwd: string }> {
  const request = agentRequest(more);
  const env = { ...request.env, FAKE_TURN: turn };
  return attempt(programOf("acp-agent.ts"), { ...request, env }, meanwhile).then((attempted) => ({
    ...attempted,
    cwd: request.cwd,
  }));
}

/** The one that says what it is told to, line for line. */
function raw(deeds: readonly Deed[]): Promise<Attempted> {
  const request = agentRequest();
  const env = { ...request.env, FAKE_DEEDS: JSON.stringify(deeds) };
  return attempt(programOf("../fake-cli.ts"), { ...request, env });
}

test("an agent made with the SDK does a task: permission, steps, words, and a clean end", async () => {
  const { result, report, steps, cwd } = await made("edit");
  assert.deepEqual(result.end, { kind: "exited", code: 0 }, result.stderr);
  assert.deepEqual([report.completed, report.error], [true, undefined]);
  assert.equal(report.answer, "Done: wrote hello.txt.");
  assert.equal(report.session, "new-session");
  assert.equal(readFileSync(join(cwd, "hello.txt"), "utf8"), "hello\n");
  assert.deepEqual(
    steps.map(({ kind }) => kind),
    ["tool_call", "tool_result", "message", "turn_end"],
  );
});

test("an agent behind the protocol retries at most twice unseen, unless its user says otherwise", async () => {
  const shown = async (env: Readonly<Record<string, string>>): Promise<string> => {
    const request = agentRequest();
    const show = `acp:sh -c 'echo "$CLAUDE_CODE_MAX_RETRIES" >&2; cat "$GEMINI_CLI_SYSTEM_DEFAULTS_PATH" >&2'`;
    const { result } = await attempt(show, { ...request, env: { ...request.env, ...env } });
    return result.stderr;
  };
  assert.match(await shown({}), /^2\n.*"maxAttempts":1\b/);
  assert.match(await shown({ CLAUDE_CODE_MAX_RETRIES: "5" }), /^5\n/);
});

test("with edit, what lies outside the worktree is not permitted; with full it is", async () => {
  const place = newFolder();
  const cwd = join(place, "tree");
  mkdirSync(cwd);
  const refused = await made("edit-outside", { cwd });
  assert.equal(refused.report.answer, "I was not allowed to.");
  assert.ok(!existsSync(join(place, "outside.txt")));
  await made("edit-outside", { cwd, permissions: "full" });
  assert.ok(existsSync(join(place, "outside.txt")));
});

test("mode and model reach the agent as it names them", async () => {
  const edit = await made("words", { model: "Large" });
  assert.equal(edit.report.answer, "do it in new-session with acceptEdits and large");
  const full = await made("words", { permissions: "full" });
  assert.equal(full.report.answer, "do it in new-session with bypassPermissions and small");
});

test("words to a working agent end its turn and begin the next one", async () => {
  const { report, steps } = await made("wait", {}, async ({ steer, steps: soFar }) => {
    await until("it works", () =>
      soFar().some((step) => step.kind === "message" && step.text.includes("I begin.")),
    );
    assert.equal(steer("look at the log"), true);
  });
  assert.equal(report.completed, true);
  assert.match(report.answer, /^look at the log in new-session/);
  assert.equal(steps.filter(({ kind }) => kind === "turn_end").length, 2);
});

test("a session goes on where the agent has it, and is told as lost where it has not", async () => {
  const resumed = await made("words", { session: "old-session" });
  assert.match(resumed.report.answer, /^do it in old-session/);
  assert.notEqual(resumed.report.sessionLost, true);
  const lost = await made("words", { session: "gone-session" });
  assert.deepEqual([lost.report.completed, lost.report.sessionLost], [false, true]);
});

test("errors of the agent are told as what they are", async () => {
  const limited = await made("limited");
  assert.deepEqual([limited.report.completed, limited.kind], [false, "rate_limited"]);
  assert.equal(limited.report.error?.providerError?.type, "rate_limit");
  assert.equal((await made("wrong-key")).kind, "auth_required");
});

test("an agent that dies in the middle is told as that", async () => {
  const { result, report } = await made("dies");
  assert.deepEqual(result.end, { kind: "exited", code: 3 });
  assert.equal(report.completed, false);
  assert.equal(report.error?.exitCode, 3);
});

test("an agent that sends junk between its messages still does its task", async () => {
  const { report, cwd } = await made("junk");
  assert.deepEqual([report.completed, report.error], [true, undefined]);
  assert.equal(readFileSync(join(cwd, "hello.txt"), "utf8"), "hello\n");
});

const result = (id: number, value: unknown): Deed => ({
  print: { jsonrpc: "2.0", id, result: value },
});
const chunk = (text: string): Deed => ({
  print: {
    jsonrpc: "2.0",
    method: "session/update",
    params: {
      sessionId: "s",
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
    },
  },
});

test("an agent that is not made with the SDK is understood line for line", async () => {
  const { result: ended, report } = await raw([
    { hear: "only" },
    result(0, {}),
    { hear: "only" },
    result(1, { sessionId: "s" }),
    { hear: "only" },
    chunk("There."),
    result(2, { stopReason: "end_turn" }),
    { untilClosed: true },
  ]);
  assert.deepEqual(ended.end, { kind: "exited", code: 0 });
  assert.deepEqual([report.completed, report.answer, report.session], [true, "There.", "s"]);
});

test("a talk is closed when its agent is gone, and what it says then is waited for by nobody", async () => {
  let closed = 0;
  const { output } = acp;
  assert.ok(output !== undefined);
  const driver: Driver = {
    commandLine: () => ({ args: [] }),
    converse: (_, reply) => ({
      opening: [],
      onLine: () => ({}),
      steer: () => ["heard?"],
      warnings: () => [`closed ${closed} times`],
      close() {
        closed += 1;
        reply({ send: ["more"], hangUp: true });
      },
    }),
  };
  const agent = typedAgent({ output }, driver, "true");
  const timers = (): number =>
    process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  const start = await agent.start(agentRequest());
  assert.ok(start.ok);
  start.attempt.release();
  const { report } = await start.attempt.result;
  assert.deepEqual(report?.warnings, ["closed 1 times"]);
  assert.ok(timers() <= before, `${timers()} timers`);
  assert.equal(start.attempt.steer?.("anyone?"), false);
});

test("a program that is no such agent is told by its words and its exit code", async () => {
  const { report } = await raw([{ note: "error: unknown option --acp" }, { exit: 2 }]);
  assert.equal(report.completed, false);
  assert.equal(report.error?.exitCode, 2);
  assert.match(report.error.stderr ?? "", /unknown option/);
});

test("an agent that answers with nothing is not waited for, and nothing of it is left", async () => {
  const request = agentRequest();
  const env = { ...request.env, FAKE_DEEDS: JSON.stringify([{ stay: true }]) };
  const limits = { idleMs: 600 };
  const { result: ended } = await attempt(programOf("../fake-cli.ts"), { ...request, env, limits });
  assert.equal(ended.end.kind === "killed" && ended.end.reason, "idle");
});
