// proves: D8
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentResult, ProcessEnd } from "../../../src/runtime/agent-result.ts";
import { isFinished, runtimeFailure } from "../../../src/runtime/attempt-end.ts";
import { claude, EXITED, gemini, readReport } from "./events.ts";

const call = { type: "tool_use", tool_name: "x", tool_id: "t-1", parameters: {} };
const warning = (message: string): unknown => ({ type: "error", severity: "warning", message });
const success = { type: "result", status: "success", stats: { total_tokens: 9 } };
const halted = {
  type: "result",
  subtype: "error_during_execution",
  is_error: true,
  error: { message: "Loop detection halted the run (the same call came 5 times)" },
};

/** The agent's last lines, and whether it stopped itself because it went in circles. */
const ROWS: readonly (readonly [string, boolean, readonly unknown[]])[] = [
  ["gemini", true, [call, warning("Loop detected, stopping execution"), success]],
  ["gemini", false, [call, warning("Maximum session turns exceeded, stopping execution"), success]],
  ["gemini", false, [call, gemini.text("Loop detected, stopping execution."), success]],
  ["loose", true, [call, halted]],
  ["claude", true, [claude.call, halted]],
  ["gemini", true, [call, warning("A potential loop was detected, stopping execution"), success]],
  ["claude", false, [claude.call, { ...halted, error: { message: "the loop in main.c is slow" } }]],
  ["claude", false, [claude.call, claude.failure("server_error", 508, "508 Loop Detected")]],
];

test("an agent that stops its own loop has not finished, whatever it exits with: it was looping", () => {
  for (const [format, looped, lines] of ROWS) {
    const { report } = readReport(format, lines);
    const result = { end: EXITED, report };
    assert.equal(report.looped !== undefined, looped, JSON.stringify(report));
    assert.equal(runtimeFailure(result, undefined)?.kind, looped ? "looping" : undefined);
    if (looped) assert.equal(isFinished(result), false);
  }
});

type Ended = Pick<AgentResult, "end" | "report">;
const failedWith = (code: number): ProcessEnd => ({ kind: "exited", code });

test("a loop that was seen counts when the agent is gone before the interrupt, unless it tells better", () => {
  const nothing = { completed: false, said: "", answer: "", usage: {}, warnings: [] };
  const refused = { ...nothing, error: { httpStatus: 429, message: "slow down" } };
  const done = { ...nothing, completed: true };
  const rows: readonly (readonly [Ended, string | undefined])[] = [
    [{ end: failedWith(1) }, "looping"],
    [{ end: { kind: "signalled", signal: "SIGINT" } }, "looping"],
    [{ end: EXITED, report: nothing }, "looping"],
    [{ end: EXITED, report: refused }, undefined],
    [{ end: EXITED, report: done }, undefined],
    [{ end: EXITED }, undefined],
  ];
  for (const [ended, kind] of rows) {
    assert.equal(runtimeFailure(ended, "same_call")?.kind, kind, JSON.stringify(ended));
    assert.equal(runtimeFailure(ended, undefined), undefined);
  }
});
