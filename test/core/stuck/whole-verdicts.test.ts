// The whole verdict of each pattern, as a caller gets it: level, place, cost, words for a person and
// for the agent.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DEFAULT_STUCK_CONFIG } from "../../../src/core/stuck/config.ts";
import type { Step } from "../../../src/core/stuck/step.ts";
import { verdictOf, type StuckVerdict } from "../../../src/core/stuck/verdict.ts";
import { call, failed, lastVerdict, ran, said, times } from "./steps.ts";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const letter = (n: number): string => LETTERS[n % 26]!;
const bad = (command: string, output: string): Step[] => failed("Bash", { command }, output);
const read = (name: string): Step[] => ran("Read", { path: name }, `text of ${name}`);
const circles = (reason: string, advice: string): Pick<StuckVerdict, "reason" | "nudge"> => ({
  reason,
  nudge: `You are going in circles: ${reason}. ${advice}`,
});
const quoting = (verdict: StuckVerdict, firstError: string): StuckVerdict => ({
  ...verdict,
  firstError,
  nudge: `${verdict.nudge}\nThe first error was:\n\`\`\`text\n${firstError}\n\`\`\``,
});

const CASES: readonly (readonly [string, readonly Step[], StuckVerdict])[] = [
  [
    "the same call",
    [
      said("Let me look.", { tokens: 10, usd: 1 }),
      ...times(4, (): Step[] => [
        { ...call("Bash", { command: "ls" }), tokens: 100, usd: 0.25 },
        { kind: "tool_result", tool: "Bash", output: "a" },
      ]),
    ],
    {
      level: "stuck",
      pattern: "same_call",
      loopStart: 1,
      cost: { steps: 8, tokens: 400, usd: 1 },
      ...circles(
        "Bash called 4 times with nothing new in the result",
        "The result will not change by asking again. Use what it already told you.",
      ),
    },
  ],
  [
    "the same call of a tool without a name that can be shown",
    times(3, () => ran("\u001b", {}, "a")),
    {
      level: "nudge",
      pattern: "same_call",
      loopStart: 0,
      cost: { steps: 6 },
      ...circles(
        "a tool called 3 times with nothing new in the result",
        "The result will not change by asking again. Use what it already told you.",
      ),
    },
  ],
  [
    "a cycle with a failure in it",
    [...read("x"), ...times(3, () => [...read("a"), ...bad("./go", "no: fatal")])],
    quoting(
      {
        level: "stuck",
        pattern: "cycle",
        loopStart: 2,
        cost: { steps: 12 },
        ...circles(
          "the same 2 calls in turn, 3 times over",
          "Going round these calls again brings the same results. Break out of the circle.",
        ),
      },
      "no: fatal",
    ),
  ],
  [
    "a poll",
    [...read("a"), ...read("b"), ...times(10, () => ran("BashOutput", { id: 1 }, "x"))],
    {
      level: "nudge",
      pattern: "poll",
      loopStart: 4,
      cost: { steps: 20 },
      ...circles(
        "BashOutput asked 10 times without any new output",
        "What you wait for does not move. Look at why, or stop it and go another way.",
      ),
    },
  ],
  [
    "the same failure",
    [...read("a"), ...times(3, (n) => bad(`./go ${letter(n)}`, "no disk left"))],
    quoting(
      {
        level: "nudge",
        pattern: "same_failure",
        loopStart: 2,
        cost: { steps: 6 },
        ...circles(
          "Bash failed 3 times with the same error",
          "Changing the arguments does not cure this error. Find its cause first.",
        ),
      },
      "no disk left",
    ),
  ],
  [
    "failures in a row",
    times(8, (n) => failed(`tool ${letter(n)}`, {}, `${letter(n)} broke`)),
    quoting(
      {
        level: "stuck",
        pattern: "failures_in_a_row",
        loopStart: 0,
        cost: { steps: 16 },
        ...circles(
          "8 calls failed one after the other",
          "Stop and check your assumptions: look at the folder, the tools, the exact error.",
        ),
      },
      "a broke",
    ),
  ],
  [
    "a tool that does not exist",
    times(2, (n) => failed("frob", { n }, `Unknown tool: frob (${letter(n)})`)),
    quoting(
      {
        level: "nudge",
        pattern: "unknown_tool",
        loopStart: 0,
        cost: { steps: 4 },
        ...circles(
          "frob does not exist and was called 2 times",
          "Use only tools that you were given.",
        ),
      },
      "Unknown tool: frob (a)",
    ),
  ],
  [
    "checks that stay red",
    times(4, (n) => [
      ...ran("Edit", { path: "q", old_string: letter(n), new_string: letter(n + 1) }, "ok"),
      ...bad("npm test", "not ok 1 - drains\n1 failed"),
    ]),
    quoting(
      {
        level: "stuck",
        pattern: "same_failing_tests",
        loopStart: 2,
        cost: { steps: 14 },
        ...circles(
          "the same checks fail after 4 rounds of edits",
          "Your edits do not reach the cause. Read the failing check, and prove where it fails.",
        ),
      },
      "1 failed",
    ),
  ],
  [
    "the context cut",
    times(3, () => [{ kind: "compaction" } as const]),
    {
      level: "stuck",
      pattern: "compaction",
      loopStart: 0,
      cost: { steps: 3 },
      ...circles(
        "context cut 3 times without progress between",
        "The context fills up without work getting done. Do one small piece and finish it.",
      ),
    },
  ],
  [
    "a message",
    [said("I wait."), said("I wait.")],
    {
      level: "nudge",
      pattern: "repeated_message",
      loopStart: 0,
      cost: { steps: 2 },
      ...circles(
        "the same message 2 times without any work between",
        "Do not announce it again: do the next step, or say plainly what is missing.",
      ),
    },
  ],
  [
    "the agent's own guard",
    [...read("a"), { kind: "loop_report", text: "loop" }],
    {
      level: "stuck",
      pattern: "agent_reported",
      loopStart: 0,
      cost: { steps: 3 },
      ...circles("the agent's own guard reports a loop", "Take a different approach."),
    },
  ],
];

describe("the whole verdict", () => {
  for (const [name, steps, expected] of CASES)
    test(name, () => assert.deepEqual(lastVerdict(steps), expected));
  test("a limit on calls", () => {
    const config = { ...DEFAULT_STUCK_CONFIG, call_cap: 2 };
    const calls = times(3, (n) => read(letter(n)));
    assert.deepEqual(lastVerdict(calls.slice(0, -2), config), { level: "none" });
    assert.deepEqual(lastVerdict(calls, config), {
      level: "stuck",
      pattern: "call_cap",
      loopStart: 0,
      cost: { steps: 6 },
      ...circles(
        "3 calls, more than the limit allows",
        "Finish with what you have, or say what is missing.",
      ),
    });
  });
  test("a very long error is quoted in part", () => {
    const source = { origin: { step: 0, tokens: 0, usd: 0 }, error: "x".repeat(5000) };
    const { nudge = "" } = verdictOf(
      { pattern: "same_call", rank: 2, count: 4, source },
      { step: 1, tokens: 0, usd: 0 },
    );
    assert.ok(nudge.includes("xxx") && nudge.length < 800);
  });
});
