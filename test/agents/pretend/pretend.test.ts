// A new agent is one folder (this one) and one line in the list of the registry.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { AGENTS, createRegistry } from "../../../src/agents/registry.ts";
import { agentNamed } from "../../../src/agents/start-agent.ts";
import { classifyByStandardRules } from "../../../src/core/rules/standard.ts";
import type { Step } from "../../../src/core/stuck/step.ts";
import type { AgentReport } from "../../../src/runtime/agent-result.ts";
import type { Deed } from "../fake-cli.ts";
import { agentRequest, assertNothingLeft } from "../process/processes.ts";
import { pretend } from "./agent.ts";

const registry = createRegistry([...AGENTS, pretend]);
const FAKE = `${process.execPath} ${join(import.meta.dirname, "..", "fake-cli.ts")}`;

const HELLO = { pretend: "hello", session: "p-1", version: "3.0.0" };
const WORK = [
  { pretend: "run", text: "make" },
  { pretend: "ran", text: "made" },
  { pretend: "say", text: "Did it." },
];

/** One attempt with a program that prints these lines. */
async function attempt(
  name: string,
  lines: readonly unknown[],
): Promise<{ readonly report: AgentReport; readonly steps: readonly Step[] }> {
  const steps: Step[] = [];
  const request = agentRequest({ onStep: (step) => steps.push(step) });
  const deeds: readonly Deed[] = lines.map((print) => ({ print }));
  const env = { ...request.env, FAKE_DEEDS: JSON.stringify(deeds) };
  const started = await agentNamed(name, { command: FAKE }, registry)?.start({ ...request, env });
  assert.ok(started?.ok);
  started.attempt.release();
  const { report } = await started.attempt.result;
  assertNothingLeft(request.place.attemptId);
  assert.ok(report !== undefined);
  return { report, steps };
}

test("it is known by its name, and its program is what a person would install", () => {
  assert.equal(registry.find("pretend"), pretend);
  assert.deepEqual(registry.known.at(-1), { name: "pretend", ...pretend.profile });
  assert.ok(registry.formats.includes("pretend"));
  assert.equal(agentNamed("pretend"), undefined, "only where it is listed");
});

test("it is driven through an attempt: its steps come live, its report is read", async () => {
  const { report, steps } = await attempt("pretend", [
    HELLO,
    ...WORK,
    { pretend: "bye", tokens: 70 },
  ]);
  assert.deepEqual(
    steps.map(({ kind }) => kind),
    ["tool_call", "tool_result", "message", "turn_end"],
  );
  const { completed, answer, session, usage, warnings } = report;
  assert.deepEqual([completed, answer, session, usage], [true, "Did it.", "p-1", { tokens: 70 }]);
  assert.match(warnings.join(), /^Pretend 3\.0\.0 is not tested/);
});

test("its failure is told as what it is, and a plain command that prints its lines is read the same", async () => {
  for (const name of ["pretend", "command"]) {
    const { report, steps } = await attempt(name, [
      HELLO,
      ...WORK,
      { pretend: "bye", text: "429 Too Many Requests" },
    ]);
    assert.equal(report.error && classifyByStandardRules(report.error).kind, "rate_limited", name);
    assert.equal(steps.length, 4, name);
  }
});
