// proves: D8, E1, E4, U5
import assert from "node:assert/strict";
import { test } from "node:test";
import { FAILURE_KINDS } from "../../../src/core/kinds.ts";
import type { Subtask } from "../../../src/core/plan/plan.ts";
import type { AttemptLeftovers, InputOf } from "../../../src/core/run/input.ts";
import {
  checkFailure,
  conflictFailure,
  errorText,
  verdictOf,
  worthChecking,
} from "../../../src/core/run/decide/attempt-failure.ts";
import { failureOf, NO_PROGRESS, subtask } from "./driver.ts";
import { standardRules } from "../../../src/core/rules/standard.ts";

type Ended = InputOf<"attempt-ended">;

const left = (treeAfter: string): AttemptLeftovers => ({
  treeBefore: "t",
  treeAfter,
  approach: "",
  signals: NO_PROGRESS,
  used: {},
});
const ended = (more: Partial<Ended>): Ended => ({
  kind: "attempt-ended",
  at: Date.parse("2026-03-01T00:30:00Z"),
  chance: 0.5,
  subtask: "a",
  attempt: 1,
  outcome: "finished",
  evidence: {},
  remains: left("t"),
  ...more,
});

const reader = subtask("a", { readOnly: true });
const shaped = subtask("a", { structuredOutput: true });
const said = { empty: false };

const verdicts: readonly [string, Partial<Ended>, Subtask, string | undefined][] = [
  ["an agent that says it is done", {}, subtask("a"), undefined],
  ["what was seen from outside", { observed: failureOf("hung") }, subtask("a"), "seen"],
  [
    "and it wins over what the agent says",
    { observed: failureOf("hung"), outcome: "failed", evidence: { message: "429 rate limit" } },
    subtask("a"),
    "seen",
  ],
  ["an answer and nothing changed", { answer: said }, reader, undefined],
  [
    "a reader that changed something: it is discarded, not judged",
    { answer: said, remains: left("u") },
    reader,
    undefined,
  ],
  [
    "a reader with an empty answer",
    { answer: { empty: true } },
    reader,
    "it ended without saying anything",
  ],
  ["a reader without an answer", {}, reader, "it ended without saying anything"],
  ["a writer may change things and say nothing", { remains: left("u") }, subtask("a"), undefined],
  ["an answer of the right shape", { answer: said }, shaped, undefined],
  ["no answer was judged", {}, shaped, undefined],
  [
    "an answer that does not fit",
    { answer: { ...said, problem: "/n is missing" } },
    shaped,
    "/n is missing",
  ],
  [
    "nobody asked for a shape",
    { answer: { ...said, problem: "/n is missing" } },
    subtask("a"),
    undefined,
  ],
];
for (const [name, more, of, because] of verdicts)
  test(`verdict on an ended attempt: ${name}`, () => {
    assert.equal(verdictOf(ended(more), of, standardRules())?.because[0], because);
  });

test("what is not seen from outside is a failure of a known kind and origin, and sure", () => {
  const of = (more: Partial<Ended>, plan: Subtask) => {
    const { signature, ...rest } =
      verdictOf(ended(more), plan, standardRules()) ?? failureOf("lost");
    return { ...rest, signed: signature !== "" };
  };
  assert.deepEqual(of({}, reader), {
    kind: "verification_failed",
    category: "systematic",
    origin: "check",
    confidence: 1,
    because: ["it ended without saying anything"],
    signed: true,
  });
  assert.deepEqual(of({ answer: { ...said, problem: "no \u001b[31mJSON" } }, shaped), {
    kind: "malformed_output",
    category: "systematic",
    origin: "agent",
    confidence: 1,
    because: ["no JSON"],
    signed: true,
  });
  const long = verdictOf(
    ended({ answer: { ...said, problem: "x".repeat(5000) } }),
    shaped,
    standardRules(),
  );
  assert.equal(long?.because[0]?.length, 300);
});

test("an agent that says it failed is classified by what it left, and when", () => {
  const limit = { message: "You have hit your usage limit, it resets at 3am (UTC)" };
  const failure = verdictOf(
    ended({ outcome: "failed", evidence: limit }),
    subtask("a"),
    standardRules(),
  );
  assert.deepEqual(
    [failure?.kind, failure?.origin, failure?.resetAt],
    ["rate_limited", "agent", "2026-03-01T03:00:00.000Z"],
  );
  const evidence = { origin: "tool", message: "connect ECONNREFUSED 127.0.0.1:5432" } as const;
  const ofTool = verdictOf(ended({ outcome: "failed", evidence }), subtask("a"), standardRules());
  assert.deepEqual([ofTool?.kind, ofTool?.origin], ["network_error", "tool"]);
});

test("checks are run after a crash, a hang, a timeout, the unknown and a refused command, if there is something to check", () => {
  const worth = FAILURE_KINDS.filter((kind) =>
    worthChecking(failureOf(kind), left("u"), subtask("a")),
  );
  assert.deepEqual(worth.toSorted(), [
    "agent_crash",
    "hung",
    "timeout",
    "unknown",
    "unsafe_action",
  ]);
  const crash = failureOf("agent_crash");
  assert.equal(worthChecking(crash, left("t"), subtask("a")), false, "nothing was changed");
  assert.equal(worthChecking(crash, left("u"), subtask("a", { checks: 0 })), false, "no checks");
});

const checks: readonly [string, Parameters<typeof checkFailure>[0], string][] = [
  ["its own word", { stdout: "1 failed" }, "verification_failed"],
  ["nothing at all", {}, "verification_failed"],
  ["a weak hint", { exitCode: 1, stdout: "value.txt holds 1, expected 2" }, "verification_failed"],
  ["a strong hint", { stderr: "connect ECONNREFUSED 127.0.0.1:5432" }, "verification_failed"],
  ["code that cannot be parsed", { stderr: "SyntaxError: Unexpected token }" }, "broken_build"],
  ["a build that fails", { command: "npm run build", stdout: "it failed" }, "broken_build"],
  [
    "what cannot be installed",
    { stderr: "npm error ERESOLVE unable to resolve dependency tree" },
    "verification_failed",
  ],
  ["what took too long", { exitCode: 124, stdout: "ok 1 - a" }, "timeout"],
];
for (const [name, evidence, kind] of checks)
  test(`a failed check: ${name}`, () => {
    const failure = checkFailure(evidence, standardRules());
    assert.deepEqual([failure.kind, failure.category], [kind, "systematic"]);
  });

test("a check is taken for a check, unless the evidence says where it comes from", () => {
  assert.equal(checkFailure({ stdout: "1 failed" }, standardRules()).origin, "check");
  assert.equal(
    checkFailure({ origin: "tool", stdout: "1 failed" }, standardRules()).origin,
    "tool",
  );
});

test("a conflict is known by what conflicts", () => {
  const { signature, ...rest } = conflictFailure({ stdout: "CONFLICT in a.txt" });
  assert.deepEqual(rest, {
    kind: "merge_conflict",
    category: "systematic",
    origin: "workspace",
    confidence: 1,
    because: ["the merge has conflicts"],
  });
  assert.equal(signature, conflictFailure({ stdout: "CONFLICT in a.txt" }).signature);
  assert.notEqual(signature, conflictFailure({ stdout: "CONFLICT in b.md" }).signature);
});

test("the words of a failure: message, errors, output; tamed and at most 2000 characters", () => {
  const rows: readonly [Parameters<typeof errorText>[0], string][] = [
    [{}, ""],
    [{ message: "m", stderr: "e", stdout: "o" }, "m\ne\no"],
    [{ message: "", stdout: "o" }, "o"],
    [{ stderr: "\n\u001b[31m red \u001b[0m\n" }, "red"],
  ];
  for (const [evidence, text] of rows) assert.equal(errorText(evidence), text);
  assert.equal(errorText({ stdout: "y".repeat(2000) }).length, 2000);
  const long = errorText({ stdout: `${"y".repeat(5000)}the end` });
  assert.ok(long.length <= 2000 && long.endsWith("the end"));
});
