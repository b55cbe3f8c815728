// proves: B6, U15
import assert from "node:assert/strict";
import { test } from "node:test";
import { historyOf } from "../../../src/core/history/collect-history.ts";
import { NO_RECOVERIES } from "../../../src/core/history/recovery-metrics.ts";
import { storyText } from "../../../src/core/report/phrases.ts";
import { runReport, type ReportedRun } from "../../../src/core/report/run-report.ts";
import { subtaskReport } from "../../../src/core/report/subtask-report.ts";
import type { ReportedSubtask } from "../../../src/core/report/escalation-report.ts";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import { checkpoint, chosen, dispatched, ended, failed, started, T0 } from "./events.ts";

const HOSTILE =
  "<script>x</script> ![i](http://e.vil) # h\n## Needs a Person\n- [ ] pay\x1b[2J\u202e";

const events: readonly RunEvent[] = [
  started("a", "b"),
  dispatched("a", 1, T0),
  ended("a", 1, T0 + 1000, HOSTILE),
  failed("a", 1, "verification_failed", "expected 2"),
  chosen("a", [{ kind: "feedback" }], "feedback"),
  dispatched("a", 2, T0 + 2000, "feedback"),
  ended("a", 2, T0 + 3000),
  failed("a", 2, "verification_failed"),
  chosen("a", [{ kind: "skip" }, { kind: "ask" }], "give-up"),
  { kind: "subtask-parked", subtask: "a", phase: "stuck", reason: HOSTILE },
  { kind: "checkpoint-opened", checkpoint: checkpoint("a") },
  dispatched("b", 1, T0),
  ended("b", 1, T0 + 4000, "by the book"),
  { kind: "subtask-done", subtask: "b", attempt: 1, phase: "verified" },
];
const history = historyOf(events);
const subtask = (id: string, more: Partial<ReportedSubtask> = {}): ReportedSubtask => {
  const past = history.subtasks.get(id);
  assert.ok(past !== undefined);
  return { id, phase: "stuck", past, dependsOn: [], blocks: [], files: [], ...more };
};
const run = (more: Partial<ReportedRun> = {}): ReportedRun => ({
  run: "r1",
  goal: "the goal",
  outcome: "failed",
  reason: "1 subtask was given up",
  durationMs: 4000,
  subtasks: [subtask("a"), subtask("b", { phase: "verified" })],
  ledger: { spent: { usd: 1.5, attempts: 3 }, untold: {} },
  unheld: [],
  limit: { usd: 5 },
  estimated: false,
  metrics: { ...NO_RECOVERIES, recovery_triggers: 1 },
  questions: [checkpoint("a")],
  ...more,
});

test("a subtask that needs a person: the headings of the source, every attempt, the last error", () => {
  const text = subtaskReport(
    subtask("a", { files: ["src/a.ts"], blocks: ["c"], dependsOn: ["z"] }),
  );
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, words]) => words);
  assert.deepEqual(headings, [
    "Stuck Subtask: a",
    "Summary",
    "Attempts Made",
    "Error Details",
    "Files Involved",
    "Dependencies",
    "Recommended Actions",
  ]);
  assert.match(text, /^1\. Attempt 1: .* - checks failed: expected 2$/m);
  assert.match(
    text,
    /^2\. Attempt 2: sent the failing output back, with agent - checks failed: failing: adds up$/m,
  );
  assert.match(text, /```text\nfailing: adds up\n```/);
  assert.match(text, /- src\/a\.ts\n[^]*- Depends on z\n- Blocks c/);
});

test("a subtask that is done: how it was recovered and what a person said", () => {
  const past = historyOf([
    ...events,
    {
      kind: "checkpoint-closed",
      checkpoint: "a/c1",
      answer: { kind: "retry", words: "use two" },
      by: "sam",
      subtask: "a",
    },
    dispatched("a", 3, T0 + 9000),
    ended("a", 3, T0 + 9500, "two"),
    { kind: "subtask-done", subtask: "a", attempt: 3, phase: "verified" },
  ]).subtasks.get("a");
  assert.ok(past !== undefined);
  const text = subtaskReport({ ...subtask("a"), phase: "verified", past });
  assert.match(text, /^## Subtask: a\n\n### Summary\nverified\n/m);
  assert.match(text, /3\. Attempt 3: two - succeeded/);
  assert.match(
    text,
    /- sent the failing output back: because of feedback\n- gave the subtask up and asked you[^]*- sam said: retry: use two/,
  );
});

test("a run: summary, subtasks, attempts, failures, recoveries, costs, what needs a person", () => {
  const text = runReport(run());
  const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, words]) => words);
  assert.deepEqual(headings, [
    "Summary",
    "Subtasks",
    "Attempts",
    "Failures",
    "Recoveries",
    "Costs",
    "Needs a Person",
    "Stuck Subtask: a",
  ]);
  assert.match(text, /^# Run r1: failed$/m);
  assert.match(text, /- Subtasks: 1 stuck, 1 verified\n- Attempts: 3\n- Time: 4 s/);
  assert.match(
    text,
    /\| a \| stuck \| 2 \| 3 s \| checks failed → sent the failing output back, gave the subtask up and asked you \|/,
  );
  assert.match(text, /- checks failed: 2 \(a\)/);
  assert.match(text, /- US dollars: 1\.5 of at most 5\n- Attempts: 3/);
  assert.match(
    text,
    /- a\/c1: Subtask a failed\. How should it go on\? Recommended: Retry with modifications/,
  );
});

test("what is foreign makes no heading, link, image, tag or checkbox, and obeys no terminal", () => {
  for (const text of [
    runReport(run({ goal: HOSTILE, reason: HOSTILE })),
    subtaskReport(subtask("a")),
  ]) {
    assert.doesNotMatch(text, /(?<!\\)!\[|(?<!\\)<script|http:\/\/|[\x1b\u202e]/);
    assert.ok((text.match(/^## Needs a Person$/gm) ?? []).length <= 1);
    assert.doesNotMatch(text, /^- \[ \] pay/m);
  }
});

test("a run without trouble says so; a silent check is named in its place", () => {
  const text = runReport(
    run({
      subtasks: [subtask("b", { phase: "verified" })],
      questions: [],
      ledger: { spent: {}, untold: {} },
      limit: {},
    }),
  );
  assert.match(
    text,
    /went without a failure[^]*## Failures\nNone[^]*Nothing was spent[^]*Nothing is asked/,
  );
});

test("the story of a subtask: what failed, what was done, repeated ones counted, circles named", () => {
  const told = (...more: readonly RunEvent[]): string =>
    storyText(historyOf([started("a"), ...more]).subtasks.get("a")?.events ?? []);
  const red = failed("a", 1, "verification_failed");
  const feedback = chosen("a", [{ kind: "feedback" }], "feedback");
  const circle: RunEvent = { kind: "circular-fix-seen", subtask: "a", because: "x", ban: true };
  const mutate = chosen("a", [{ kind: "mutate", mutation: "rephrase" }], "mutate");
  assert.equal(told(), "");
  assert.equal(told(red), "checks failed");
  assert.equal(
    told(red, feedback, red, feedback, red, circle, mutate),
    "checks failed → sent the failing output back ×2; going in circles → put the task in other words",
  );
  assert.equal(
    told(red, feedback, failed("a", 2, "looping"), mutate),
    "checks failed → sent the failing output back; repeating itself → put the task in other words",
  );
});
