// proves: U4
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { agentNamed } from "../../../src/agents/start-agent.ts";
import type { ResumedSession } from "../../../src/agents/output/report.ts";
import type { AgentReport, AgentUsage } from "../../../src/runtime/agent-result.ts";
import { runtimeFailure } from "../../../src/runtime/attempt-end.ts";
import { agentRequest, assertNothingLeft } from "../process/processes.ts";
import { claude, EXITED, jsonl, readerOf } from "./events.ts";
import type { Deed } from "../fake-cli.ts";

const FAKE = `${process.execPath} ${join(import.meta.dirname, "..", "fake-cli.ts")}`;
const SONNET = { ...claude.init, model: "claude-sonnet-4-5" };

/** A model answer of 1,000 tokens sent and 100 answered: 0.0045 dollars of the model above. */
const answer = (id: string, text = id): unknown => ({
  type: "assistant",
  message: {
    id,
    content: [{ type: "text", text }],
    usage: { input_tokens: 1000, output_tokens: 100 },
  },
  parent_tool_use_id: null,
});

async function attempt(cap: AgentUsage, deeds: readonly Deed[]) {
  const request = agentRequest({ cap });
  const env = { ...request.env, FAKE_DEEDS: JSON.stringify(deeds) };
  const start = await agentNamed("claude", { command: FAKE })?.start({ ...request, env });
  assert.ok(start?.ok);
  start.attempt.release();
  const result = await start.attempt.result;
  assertNothingLeft(request.place.attemptId);
  return result;
}

test("an agent that goes on after its cap is stopped with the call that went over it", async () => {
  const calls = ["a", "b", "c", "d", "e"].map((id) => ({ print: answer(id) }));
  const paced: Deed[] = calls.flatMap((deed) => [deed, { sleepMs: 1500 }]);
  const { end, report } = await attempt({ tokens: 2000 }, [
    { print: SONNET },
    ...paced,
    { stay: true },
  ]);
  assert.equal(end.kind === "killed" && end.reason, "settled");
  assert.equal(report?.capped, "tokens");
  assert.equal(report.usage.tokens, 2200, "the second call went over it, a third was not made");
  assert.equal(runtimeFailure({ end, report }, undefined)?.kind, "interrupted");
});

test("an agent that ends with the call that reaches its cap has finished", async () => {
  const { end, report } = await attempt({ tokens: 1100 }, [
    { print: SONNET },
    { print: { ...(answer("a") as object) } },
    { print: claude.result({ usage: { input_tokens: 1000, output_tokens: 100 } }) },
    { untilClosed: true },
  ]);
  assert.equal(report?.completed, true, JSON.stringify(end));
  assert.equal(report.capped, undefined);
});

interface Case {
  readonly format: string;
  readonly lines: readonly unknown[];
  readonly model?: string;
  readonly cap?: AgentUsage;
  readonly askedFor?: ResumedSession;
}

function read({ format, lines, model, cap, askedFor }: Case): {
  readonly report: AgentReport;
  readonly final: string | undefined;
} {
  const reader = readerOf(format, {
    ...(askedFor === undefined ? {} : { askedFor }),
    ...(model === undefined ? {} : { model }),
    ...(cap === undefined ? {} : { cap }),
  });
  reader.push("stdout", jsonl(lines));
  const final = reader.final();
  return { report: reader.report(EXITED), final };
}

const near = (actual: number | undefined, usd: number): void =>
  assert.ok(Math.abs((actual ?? -1) - usd) < 1e-9, `${actual} is not ${usd}`);

describe("money: the agent's word, else an estimate from its tokens, else unknown", () => {
  test("claude in the middle of its work: an estimate; an answer in two lines counts once", () => {
    const { usage } = read({
      format: "claude",
      lines: [SONNET, answer("a"), answer("a", "more"), answer("b")],
    }).report;
    near(usage.usd, 0.009);
    assert.equal(usage.estimated, true);
  });

  test("claude at its end: its own word", () => {
    const lines = [SONNET, answer("a"), claude.result({ total_cost_usd: 0.5 })];
    const { usage } = read({ format: "claude", lines }).report;
    assert.equal(usage.usd, 0.5);
    assert.equal(usage.estimated, undefined);
  });

  const turn = (input: number, cached: number, output: number): unknown => ({
    type: "turn.completed",
    usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: output },
  });

  test("codex: of the model it was asked for; what a cache gave is cheaper", () => {
    const lines = [turn(3000, 1000, 100)];
    const { usage } = read({ format: "codex", lines, model: "gpt-5.1-codex" }).report;
    near(usage.usd, (2000 * 1.25 + 1000 * 0.125 + 100 * 10) / 1e6);
    assert.equal(usage.estimated, true);
  });

  test("codex that goes on with a session: only what came since", () => {
    const before = { tokens: 3100, usd: 0.003625, estimated: true as const };
    const { usage } = read({
      format: "codex",
      lines: [turn(5000, 1000, 100)],
      model: "gpt-5.1-codex",
      askedFor: { session: "s", before },
    }).report;
    near(usage.usd, (4000 * 1.25 + 1000 * 0.125 + 100 * 10) / 1e6 - 0.003625);
    assert.equal(usage.tokens, 2000);
  });

  test("codex with a session of which nothing is known: unknown", () => {
    const lines = [turn(5000, 1000, 100)];
    const { usage } = read({
      format: "codex",
      lines,
      model: "gpt-5.1-codex",
      askedFor: { session: "s" },
    }).report;
    assert.deepEqual(usage, {});
  });

  test("gemini: of the model it names", () => {
    const stats = { total_tokens: 1300, input_tokens: 1200, input: 200, cached: 1000 };
    const lines = [
      { type: "init", session_id: "s", model: "gemini-2.5-pro" },
      { type: "message", role: "assistant", content: "Ok." },
      { type: "result", status: "success", stats },
    ];
    const { usage } = read({ format: "gemini", lines }).report;
    near(usage.usd, (200 * 1.25 + 1000 * 0.125 + 100 * 10) / 1e6);
  });

  const finish = (cost: number): unknown => ({
    type: "step_finish",
    part: {
      reason: "stop",
      cost,
      tokens: {
        total: 1100,
        input: 900,
        output: 90,
        reasoning: 10,
        cache: { read: 0, write: 100 },
      },
    },
  });

  test("opencode: its own word; an estimate where it has none; unknown for a model without a price", () => {
    const model = "anthropic/claude-sonnet-4-5";
    const told = read({ format: "opencode", lines: [finish(0.25)], model }).report.usage;
    assert.deepEqual(told, { tokens: 1100, usd: 0.25 });
    const priced = read({ format: "opencode", lines: [finish(0)], model }).report.usage;
    near(priced.usd, (1000 * 3 + 100 * 15) / 1e6);
    const own = read({ format: "opencode", lines: [finish(0)], model: "own/model" }).report.usage;
    assert.deepEqual(own, { tokens: 1100 });
  });
});

describe("a cap", () => {
  const lines = [SONNET, answer("a"), answer("b")];
  for (const [name, cap, final] of [
    ["is reached", { tokens: 2200 }, "it has used the tokens it may use"],
    ["is not reached by one token", { tokens: 2201 }, undefined],
    ["in money, by the estimate", { usd: 0.009 }, "it has used the usd it may use"],
    ["in money, not yet", { usd: 0.0091 }, undefined],
    ["that is not there", {}, undefined],
  ] as const)
    test(name, () => {
      const told = read({ format: "claude", lines, cap });
      assert.equal(told.final, final);
      assert.equal(told.report.capped === undefined, final === undefined);
    });

  test("at which the agent stops itself is told as ours: no bill is open", () => {
    const own = claude.result({ is_error: true, subtype: "error_max_budget_usd" });
    const { report } = read({ format: "claude", lines: [SONNET, answer("a"), own] });
    assert.equal(report.capped, "usd");
    assert.equal(runtimeFailure({ end: EXITED, report }, undefined)?.kind, "interrupted");
  });
});
