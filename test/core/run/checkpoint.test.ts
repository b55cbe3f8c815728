// proves: C3, C9, D5, U4, U15
import assert from "node:assert/strict";
import { test } from "node:test";
import { FAILURE_KINDS, type FailureKind } from "../../../src/core/kinds.ts";
import type { HiccupRequest } from "../../../src/core/run/make-checkpoint.ts";
import { budgetUsedUp, hiccup, sharedCause } from "../../../src/core/run/make-checkpoint.ts";
import { failureOf } from "./driver.ts";

const asked = (more: Partial<HiccupRequest> = {}) =>
  hiccup({
    id: "a/c1",
    subtask: "a",
    goal: "make it work",
    failure: failureOf("verification_failed"),
    agent: "small",
    error: "1 failed",
    attempts: 4,
    blocks: ["b"],
    blocksCount: 1,
    ...more,
  });

const ANSWERS = [
  { answer: "skip", label: "Skip this subtask" },
  { answer: "retry", label: "Retry with modifications" },
  { answer: "manual", label: "Handle manually" },
];

test("a question about a subtask: context, options, a recommendation and a harmless default", () => {
  assert.deepEqual(asked(), {
    id: "a/c1",
    trigger: "HICCUP",
    subtask: "a",
    question: "Subtask a failed its checks (4 attempts). What next?",
    context: {
      goal: "make it work",
      error: "1 failed",
      kind: "verification_failed",
      attempts: 4,
      blocks: ["b"],
      blocksCount: 1,
    },
    options: ANSWERS,
    recommendation: "retry",
    default: "skip",
  });
});

test("what is known beside it: advice, the best attempt, a cause, when it expires, what only a person can tell", () => {
  assert.deepEqual(
    asked({
      failure: failureOf("command_not_found"),
      error: "bash: foo: command not found",
      best: 2,
      advice: "npm install -g\nfoo",
      cause: "command_not_found x",
      expiresAt: 99,
    }),
    {
      id: "a/c1",
      trigger: "HICCUP",
      subtask: "a",
      question: "Subtask a needed a program that is not installed (4 attempts). What next?",
      context: {
        goal: "make it work",
        error: "bash: foo: command not found",
        kind: "command_not_found",
        attempts: 4,
        best: 2,
        questions: [
          "Can you install `foo` on this machine?",
          "If not: what may be used instead of `foo` for the failed call?",
        ],
        advice: "npm install -g foo",
        blocks: ["b"],
        blocksCount: 1,
      },
      options: ANSWERS,
      recommendation: "retry",
      default: "skip",
      cause: "command_not_found x",
      expiresAt: 99,
    },
  );
});

test("texts from outside are tamed and bounded", () => {
  const { question, context } = asked({
    subtask: "a".repeat(500),
    goal: `\u001b[31m${"g".repeat(5000)}`,
    error: "e".repeat(5000),
    advice: "x".repeat(5000),
  });
  assert.ok(question.length < 150);
  assert.equal(context.goal.length, 1000);
  assert.ok(!context.goal.includes("\u001b"));
  assert.equal(context.error.length, 2000);
  assert.equal(context.advice?.length, 300);
  const path = "p".repeat(5000);
  const named = asked({ failure: failureOf("file_not_found"), error: `ENOENT: '${path}'` });
  for (const text of named.context.questions ?? []) assert.ok(text.length <= 300);
});

test("a person's own hand is never what is recommended first", () => {
  for (const kind of FAILURE_KINDS)
    for (const more of [{}, { otherAgent: "large" }, { cause: "base x" }, { asks: "Which?" }]) {
      const { recommendation, options } = asked({ failure: failureOf(kind), ...more });
      assert.equal(recommendation, "retry", kind);
      const answers = options.map(({ answer }) => answer);
      for (const answer of ["skip", "retry", "manual"] as const)
        assert.ok(answers.includes(answer));
    }
});

/** What is asked, the first answer, and whether another agent is offered. */
const BY_CAUSE: readonly (readonly [Partial<HiccupRequest>, string, string, boolean])[] = [
  [of("auth_required"), "The agent small is not logged in.", "Logged in: try again", true],
  [of("auth_expired"), "The login of the agent small has expired.", "Logged in: try again", true],
  [of("billing"), "The account of the agent small has no credit or plan", "Try again", true],
  [
    of("agent_missing"),
    "The program of the agent small cannot be st",
    "Installed: try again",
    true,
  ],
  [of("disk_full"), "The disk is full.", "Freed space: try again", false],
  [of("permission_denied"), "Subtask a was denied access", "Granted: try again", false],
  [of("rate_limited"), "The service of the agent small did not come back.", "Try again", true],
  [of("merge_conflict"), "Subtask a changed the same lines as", "Say which change stands", false],
  [
    of("unsafe_action"),
    "The agent of subtask a was about to do",
    "Say how to go on without it",
    false,
  ],
  [
    { ...of("no_progress"), cause: "base 1" },
    "Subtask a made no progress (4 attempts); its checks failed before it started, too.",
    "Say what to do about it",
    false,
  ],
  [{ ...of("timeout"), cause: "check 1" }, "The checks of subtask a cannot run.", "Fixed", false],
  [
    { ...of("no_progress"), asks: "Which?" },
    "The agent of subtask a has a question",
    "Answer it",
    false,
  ],
  [of("no_progress"), "Subtask a made no progress (4 attempts).", "Skip this subtask", false],
];

function of(kind: FailureKind): Pick<HiccupRequest, "failure"> {
  return { failure: failureOf(kind, { origin: kind === "timeout" ? "check" : "agent" }) };
}

for (const [more, says, first, hasOther] of BY_CAUSE)
  test(`each cause has its own question: ${says}`, () => {
    const { question, options, context } = asked({ ...more, otherAgent: "large" });
    assert.ok(question.startsWith(says), question);
    assert.ok(options[0]?.label.startsWith(first), options[0]?.label);
    const other = options.find(({ answer }) => answer === "other-agent");
    assert.equal(other?.label, hasOther ? "Use another agent: large" : undefined);
    assert.equal(context.asks, more.asks);
    const alone = asked(more).options.map(({ answer }) => answer);
    assert.ok(!alone.includes("other-agent"), "there is no other");
  });

test("what is to be done is said where no command is known", () => {
  assert.equal(asked(of("auth_required")).context.advice, "Log in or set the key of the service");
  assert.equal(asked({ ...of("auth_required"), advice: "run it" }).context.advice, "run it");
  assert.equal(asked(of("no_progress")).context.advice, undefined);
});

test("what others may meet too: the agent's account and program, and infrastructure", () => {
  const entry = { agent: "x", model: "m", tier: 1 };
  const shared = (origin: "agent" | "tool"): FailureKind[] =>
    FAILURE_KINDS.filter((kind) => sharedCause(failureOf(kind, { origin }), entry) !== undefined);
  const account: FailureKind[] = ["agent_missing", "auth_expired", "auth_required", "billing"];
  assert.deepEqual(shared("tool").toSorted(), account);
  assert.deepEqual(
    shared("agent").toSorted(),
    [
      ...account,
      ...(["network_error", "rate_limited", "server_error"] as const),
      ...(["server_overloaded", "timeout"] as const),
    ].toSorted(),
  );
  assert.equal(sharedCause(failureOf("billing"), entry), "billing x");
});

test("a used-up budget: of the run, of recovery, of a subtask", () => {
  const request = {
    id: "c1",
    goal: "g".repeat(2000),
    measure: "usd",
    attempts: 3,
    ledger: { spent: { usd: 4.5, tokens: 7 }, reserved: {}, untold: {} },
    limit: { usd: 5 },
  } as const;
  const whole = budgetUsedUp({ ...request, of: "run" });
  assert.deepEqual(
    { ...whole, context: { ...whole.context, goal: whole.context.goal.length } },
    {
      id: "c1",
      trigger: "BUDGET",
      question: "The money budget of the run is used up. What next?",
      context: {
        goal: 1000,
        error: "budget of the run: $4.50 of $5.00 used, too little for another attempt",
        attempts: 3,
        measure: "usd",
        budgetOf: "run",
        blocks: [],
        blocksCount: 0,
      },
      options: [
        { answer: "top-up", label: "Raise the budget" },
        { answer: "skip", label: "End the run here" },
      ],
      recommendation: "top-up",
      default: "skip",
    },
  );
  const ofSubtask = budgetUsedUp({ ...request, of: "subtask", subtask: "a" });
  assert.equal(ofSubtask.subtask, "a");
  assert.match(ofSubtask.question, /^The money budget of subtask a is used up\./);
  assert.equal(ofSubtask.options.at(-1)?.label, "Skip this subtask");
  const ofRecovery = budgetUsedUp({ ...request, of: "recovery", subtask: "a" });
  assert.match(ofRecovery.question, /^The money budget of recovery is used up\./);
  assert.equal(ofRecovery.context.budgetOf, "recovery");
});
