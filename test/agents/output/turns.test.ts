// proves: U4
// The limit for answers of the model: kept by the agent itself where it can, else counted from its steps.
import assert from "node:assert/strict";
import { test } from "node:test";
import { agentNamed } from "../../../src/agents/start-agent.ts";
import { claude as claudeAgent } from "../../../src/agents/claude/agent.ts";
import { gemini as geminiAgent } from "../../../src/agents/gemini/agent.ts";
import { PLAN_AGENTS } from "../../../src/agents/registry.ts";
import { readPlan } from "../../../src/core/plan/read-plan.ts";
import type { AgentRequest } from "../../../src/runtime/ports-agent.ts";
import type { AgentReport } from "../../../src/runtime/agent-result.ts";
import { runtimeFailure } from "../../../src/runtime/attempt-end.ts";
import { agentRequest } from "../process/processes.ts";
import { claude, EXITED, gemini, jsonl, pi, readerOf } from "./events.ts";

const REQUEST: AgentRequest = {
  place: { run: "r", subtask: "s", attemptId: "r/s/1", slot: 0 },
  prompt: "a task",
  cwd: "/w",
  folder: "/f",
  env: {},
  limits: {},
  turns: 3,
};

function read(
  format: string,
  lines: readonly unknown[],
  turns?: number,
): { readonly report: AgentReport; readonly final: string | undefined } {
  const reader = readerOf(format, turns === undefined ? {} : { turns });
  reader.push("stdout", jsonl(lines));
  const final = reader.final();
  return { report: reader.report(EXITED), final };
}

test("agents with a limit of their own are given it, and only when there is one", () => {
  const { turns: _, ...unlimited } = REQUEST;
  assert.match(claudeAgent.driver?.commandLine(REQUEST).args.join(" ") ?? "", /--max-turns 3\b/);
  assert.doesNotMatch(claudeAgent.driver?.commandLine(unlimited).args.join(" ") ?? "", /turns/);
  const file = geminiAgent.driver?.commandLine(REQUEST).files?.["gemini-defaults.json"] ?? "{}";
  const { general, model } = JSON.parse(file) as { general: object; model: object };
  assert.deepEqual(model, { maxSessionTurns: 3 });
  assert.equal("maxAttempts" in general, true);
});

const call = { type: "tool_execution_start", toolCallId: "c", toolName: "bash", args: {} };
const turn = pi.end("toolUse", { content: [] });

test("the first deed after the last turn it may take is one too many; the turn itself is not", () => {
  const two = [pi.start, call, turn, call, turn];
  assert.equal(read("pi", two, 2).final, undefined);
  assert.match(read("pi", [...two, call], 2).final ?? "", /turns/);
  assert.equal(read("pi", [...two, call], 3).final, undefined);
  assert.equal(read("pi", [...two, call]).final, undefined);
  const ended = read("pi", [...two, pi.end("stop")], 3);
  assert.deepEqual([ended.final, ended.report.completed], [undefined, true]);
});

test("with Codex, an answer of its model is what its usage is told for; those of its helpers are not", () => {
  const told = (method: string, params: object, threadId = "th-1") => ({
    method,
    params: { threadId, turnId: "tu-1", ...params },
  });
  const usage = (inputTokens: number, thread?: string) => {
    const tokenUsage = { total: { inputTokens }, last: { inputTokens } };
    return told("thread/tokenUsage/updated", { tokenUsage }, thread);
  };
  const item = { type: "commandExecution", id: "c", command: "ls" };
  const begin = [
    { id: "thread/start", result: { thread: { id: "th-1" } } },
    told("turn/started", { turn: { id: "tu-1" } }),
    told("item/started", { item }),
    usage(10),
  ];
  const next = told("item/started", { item: { ...item, id: "d" } });
  assert.match(read("codex", [...begin, next], 1).final ?? "", /turns/);
  assert.equal(read("codex", [...begin, next], 2).final, undefined);
  assert.equal(read("codex", [...begin, usage(10), next], 2).final, undefined);
  assert.equal(read("codex", [...begin, usage(50, "th-2"), next], 2).final, undefined);
});

test("an attempt that took its turns was interrupted, whoever counted them", () => {
  const spent = [
    read("claude", [claude.init, claude.result(MAX_TURNS)]),
    read("gemini", [gemini.start, TURN_LIMITED]),
    read("pi", [pi.start, call, turn, call], 1),
  ];
  for (const { report } of spent) {
    assert.equal(report.capped, "turns");
    assert.equal(runtimeFailure({ end: EXITED, report }, undefined)?.kind, "interrupted");
  }
});

const MAX_TURNS = { subtype: "error_max_turns", is_error: true, terminal_reason: "max_turns" };
const TURN_LIMITED = {
  type: "result",
  status: "error",
  error: { type: "FatalTurnLimitedError", message: "Reached max session turns." },
};

test("an agent whose turns nobody can count gets a warning with the attempt", async () => {
  const start = await agentNamed("acp:true")?.start(agentRequest({ turns: 3 }));
  assert.ok(start?.ok);
  start.attempt.release();
  const { report } = await start.attempt.result;
  assert.match(report?.warnings.join() ?? "", /turns: this agent has no limit/);
});

test("a plan's limit goes with its agent", () => {
  const planned = (turns: number) =>
    readPlan(
      JSON.stringify({ goal: "g", agent: "codex", agents: { codex: { turns } } }),
      {},
      PLAN_AGENTS,
    );
  const reading = planned(40);
  assert.ok(reading.ok);
  assert.equal(reading.value.agents["codex"]?.turns, 40);
  assert.ok(!planned(0).ok);
  const plain = { mine: { command: "my-agent {prompt}", turns: 3 } };
  const refused = readPlan(
    JSON.stringify({ goal: "g", agent: "mine", agents: plain }),
    {},
    PLAN_AGENTS,
  );
  assert.equal(!refused.ok && refused.problems[0]?.path, "agents.mine.turns");
});
