// proves: B6
import assert from "node:assert/strict";
import { test } from "node:test";
import { historyOf } from "../../../src/core/history/collect-history.ts";
import type { PastAttempt, SubtaskPast } from "../../../src/core/history/run-history.ts";
import { attemptLines, subtaskReport } from "../../../src/core/report/subtask-report.ts";
import type { ReportedSubtask } from "../../../src/core/report/escalation-report.ts";
import {
  checkpoint,
  chosen,
  dispatched,
  ended,
  failed,
  started,
  T0,
} from "../../cli/terminal/events.ts";

const BARE: SubtaskPast = { id: "a", attempts: new Map(), events: [], questions: [] };
const subtask = (more: Partial<ReportedSubtask> = {}): ReportedSubtask => ({
  id: "a",
  phase: "stuck",
  past: BARE,
  dependsOn: [],
  blocks: [],
  files: [],
  ...more,
});
/** A section's lines. */
function section(text: string, heading: string): string {
  const [, rest = ""] = text.split(`# ${heading}\n`);
  return rest.split("\n\n#")[0]?.trimEnd() ?? "";
}

test("the whole report of a subtask that needs nobody", () => {
  const past = historyOf([
    started("a"),
    dispatched("a", 1, T0),
    ended("a", 1, T0 + 1000, "one"),
    failed("a", 1, "looping", "boom"),
    chosen("a", [{ kind: "skip" }, { kind: "ask" }], "give-up"),
    { kind: "checkpoint-opened", checkpoint: checkpoint("a") },
    {
      kind: "checkpoint-closed",
      checkpoint: "a/c1",
      answer: { kind: "manual", done: true },
      by: "sam",
      subtask: "a",
    },
    { kind: "checkpoint-opened", checkpoint: checkpoint("a", { id: "a/c2" }) },
  ]).subtasks.get("a");
  assert.ok(past !== undefined);
  const report = (more: Partial<ReportedSubtask>): string =>
    subtaskReport(subtask({ past, phase: "skipped", ...more }));
  assert.equal(
    report({ files: ["a.ts", "b.ts"], dependsOn: ["z"] }),
    `## Subtask: a

### Summary
skipped

### Attempts Made
1. Attempt 1: one - repeating itself: boom

### Recoveries
- gave the subtask up and asked you: because of give-up
- sam said: done by hand

### Files Involved
- a.ts
- b.ts

### Dependencies
- z

`,
  );
  assert.equal(
    report({ past: { ...BARE, parked: "not\nneeded" } }),
    `## Subtask: a

### Summary
skipped: not needed

### Attempts Made
None

### Recoveries
None

### Files Involved
None

### Dependencies
None

`,
  );
});

test("an escalation without attempts speaks from its question, or says that it did not get done", () => {
  const asked = checkpoint("a", {
    context: {
      goal: "g",
      error: "no key",
      kind: "auth_required",
      attempts: 0,
      blocks: [],
      blocksCount: 0,
    },
  });
  const text = subtaskReport(
    subtask({ phase: "asking", past: { ...BARE, questions: [{ checkpoint: asked }] } }),
  );
  assert.equal(section(text, "Summary"), "Subtask a failed. How should it go on?");
  assert.equal(section(text, "Error Details"), "```text\nno key\n```");
  assert.match(text, /- \[ \] Log in or set the key of the service\n/);
  const nothing = subtaskReport(subtask({ past: BARE }));
  assert.equal(section(nothing, "Summary"), "It did not get done.");
  assert.equal(section(nothing, "Error Details"), "```text\n\n```");
});

test("an escalation tells of the last failure, not of an attempt that is under way", () => {
  const { subtasks } = historyOf([
    started("a"),
    failed("a", 1, "looping", "boom"),
    failed("a", 2, "rate_limited"),
    dispatched("a", 3, T0),
  ]);
  const text = subtaskReport(subtask({ past: subtasks.get("a") ?? BARE }));
  assert.equal(section(text, "Error Details"), "```text\nfailing: adds up\n```");
  assert.match(text, /- \[ \] Wait for the limit to reset/);
});

test("of many recoveries and answers the last fifty are listed, of files the first", () => {
  const past: SubtaskPast = {
    id: "a",
    attempts: new Map(),
    events: Array.from({ length: 51 }, (_, n) => ({
      kind: "recovery",
      recoveries: [{ kind: "retry" }],
      chosenBy: { by: "rung", id: "r" },
      because: `r${n + 1}.`,
    })),
    questions: Array.from({ length: 51 }, (_, n) => ({
      checkpoint: checkpoint("a"),
      answer: { kind: "retry", words: `w${n + 1}.` },
      by: "sam",
    })),
  };
  const files = Array.from({ length: 51 }, (_, n) => `f${n + 1}.`);
  const text = subtaskReport(subtask({ phase: "skipped", past, files }));
  assert.ok(!text.includes("r1.") && text.includes("r2.") && text.includes("r51."));
  assert.ok(!text.includes("w1.") && text.includes("w2.") && text.includes("w51."));
  assert.ok(text.includes("f1.") && text.includes("f50.") && !text.includes("f51."));
});

const attempt = (more: Partial<PastAttempt>): PastAttempt => ({
  attempt: 1,
  session: 1,
  approach: "",
  counted: true,
  failing: [],
  used: {},
  succeeded: false,
  ...more,
});
const ENTRY = { agent: "agent", tier: 1 };

for (const [name, past, line] of [
  ["by hand", {}, "done by hand - under way"],
  ["begun", { entry: ENTRY }, "first try with agent - under way"],
  ["a model", { entry: { ...ENTRY, model: "big" } }, "first try with big - under way"],
  ["ended", { entry: ENTRY, endedAt: 5 }, "first try with agent - not judged"],
  ["in a branch", { entry: ENTRY, branch: "b1" }, "first try with agent in branch b1 - under way"],
  ["in its own words", { entry: ENTRY, approach: "x", branch: "b1" }, "x in branch b1 - under way"],
  ["words alone", { approach: "x", recovery: "fresh" }, "x - under way"],
  [
    "a recovery",
    { entry: ENTRY, recovery: "fresh", succeeded: true },
    "started fresh from the last good commit, with agent - succeeded",
  ],
  ["silent", { approach: "x", failure: failed("a", 1, "looping").failure }, "x - repeating itself"],
  [
    "silent but for names",
    { approach: "x", failure: failed("a", 1, "looping").failure, error: "", failing: ["t1", "t2"] },
    "x - repeating itself: failing: t1, t2",
  ],
  [
    "uncounted",
    { approach: "x", failure: failed("a", 1, "lost").failure, counted: false, error: "gone" },
    "x - process died \\(does not count\\): gone",
  ],
  [
    "blank",
    { approach: "x", failure: failed("a", 1, "lost").failure, error: " \n" },
    "x - process died",
  ],
] as const)
  test(`an attempt's line: ${name}`, () => {
    const one: SubtaskPast = {
      id: "a",
      attempts: new Map([[1, attempt(past)]]),
      events: [],
      questions: [],
    };
    assert.equal(attemptLines(one), `1. Attempt 1: ${line}`);
  });

test("of many attempts the last fifty are listed", () => {
  const past = (count: number): SubtaskPast => ({
    id: "a",
    attempts: new Map(
      Array.from({ length: count }, (_, n) => [n + 1, attempt({ attempt: n + 1 })]),
    ),
    events: [],
    questions: [],
  });
  assert.ok(attemptLines(past(50)).startsWith("1. Attempt 1: "));
  assert.equal(attemptLines(past(50)).split("\n").length, 50);
  assert.ok(attemptLines(past(52)).startsWith("(2 earlier ones left out)\n\n3. Attempt 3: "));
  assert.equal(attemptLines(past(52)).split("\n").length, 52);
});
