// proves: B6
import assert from "node:assert/strict";
import { test } from "node:test";
import { escapeMarkdown } from "../../../src/core/foreign-text.ts";
import { NO_RECOVERIES } from "../../../src/core/history/recovery-metrics.ts";
import { historyOf } from "../../../src/core/history/collect-history.ts";
import type { SubtaskPast } from "../../../src/core/history/run-history.ts";
import { PRICES_DATE } from "../../../src/core/prices.ts";
import { storyText } from "../../../src/core/report/phrases.ts";
import { exportedSubtask } from "../../../src/core/history/attempt-history.ts";
import { subtaskReport } from "../../../src/core/report/subtask-report.ts";
import type { ReportedSubtask } from "../../../src/core/report/escalation-report.ts";
import { runReport, type ReportedRun } from "../../../src/core/report/run-report.ts";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import {
  checkpoint,
  chosen,
  dispatched,
  ended,
  failed,
  started,
  T0,
} from "../../cli/terminal/events.ts";

const { subtasks } = historyOf([
  started("a", "b"),
  dispatched("a", 1, T0),
  ended("a", 1, T0 + 1000, "the first way"),
  failed("a", 1, "verification_failed", "\n  expected 2\nmore"),
  chosen("a", [{ kind: "feedback" }], "feedback"),
  dispatched("a", 2, T0 + 2000, "feedback"),
  ended("a", 2, T0 + 3400),
  { ...failed("a", 2, "rate_limited"), counted: false },
  { kind: "subtask-parked", subtask: "a", phase: "stuck", reason: "given up" },
  dispatched("b", 1, T0),
  ended("b", 1, T0 + 4600, "by the book"),
  { kind: "subtask-done", subtask: "b", attempt: 1, phase: "verified" },
]);
const pastOf = (id: string): SubtaskPast => {
  const past = subtasks.get(id);
  assert.ok(past !== undefined);
  return past;
};
const subtask = (id: string, more: Partial<ReportedSubtask> = {}): ReportedSubtask => ({
  id,
  phase: "stuck",
  past: pastOf(id),
  dependsOn: [],
  blocks: [],
  files: [],
  ...more,
});
const DONE = subtask("b", { phase: "verified" });
const UNTOUCHED: SubtaskPast = { id: "b", attempts: new Map(), events: [], questions: [] };
const told = (spent: ReportedRun["ledger"]["spent"]): ReportedRun["ledger"] => ({
  spent,
  untold: {},
});
const run = (more: Partial<ReportedRun> = {}): ReportedRun => ({
  run: "r1",
  goal: "the goal",
  outcome: "failed",
  reason: "one was given up",
  durationMs: 4600,
  subtasks: [subtask("a", { files: ["a.ts"], dependsOn: ["z"], blocks: ["c"] }), DONE],
  ledger: told({ usd: 1.504, tokens: 1200, timeMs: 95_000, attempts: 3 }),
  unheld: [],
  limit: { usd: 5, timeMs: 600_000 },
  estimated: true,
  metrics: {
    recovery_triggers: 2,
    recovery_success: 1,
    recovery_iterations: 3,
    stage_success: { feedback: 1 },
  },
  questions: [checkpoint("a")],
  ...more,
});
/** A section's lines. */
function section(text: string, heading: string): string {
  const [, rest = ""] = text.split(`# ${heading}\n`);
  return rest.split("\n\n#")[0]?.trimEnd() ?? "";
}

test("a reader without an answer: the table, its own report and the export say so", () => {
  const why = "timeout: ran <b>too long";
  const { subtasks: pasts } = historyOf([
    started("look"),
    dispatched("look", 1, T0),
    ended("look", 1, T0 + 1000),
    failed("look", 1, "timeout"),
    { kind: "subtask-done", subtask: "look", attempt: 1, phase: "answered", unanswered: why },
  ]);
  const past = pasts.get("look") ?? UNTOUCHED;
  const look = { ...subtask("a"), id: "look", phase: "answered", past } as const;
  const words = `look gave no answer: timeout: ran ${escapeMarkdown("<b>")}too long`;
  assert.ok(runReport(run({ subtasks: [look] })).includes(`| timed out; ${words} |`));
  assert.ok(subtaskReport(look).includes(`### Summary\nanswered: ${words}\n`));
  assert.equal(past.attempts.get(1)?.succeeded, false);
  assert.equal(exportedSubtask(past, "answered").status, "failed");
});

test("the whole report of a run", () => {
  assert.equal(
    runReport(run()),
    `# Run r1: failed

the goal

## Summary
- Outcome: failed (one was given up)
- Subtasks: 1 stuck, 1 verified
- Attempts: 3 (1 not counted)
- Time: 5 s

## Subtasks
| Subtask | State | Attempts | Time | What happened |
|---|---|---|---|---|
| a | stuck | 2 | 3 s | checks failed → sent the failing output back; rate limited |
| b | verified | 1 | 5 s |  |

## Attempts
### a
1. Attempt 1: the first way - checks failed: expected 2
2. Attempt 2: sent the failing output back, with agent - rate limited \\(does not count\\): failing: adds up

## Failures
- checks failed: 1 (a)
- rate limited: 1 (a)

## Recoveries
- Begun: 2
- Succeeded: 1
- Agent starts for recovery: 3
- Resolved once it sent the failing output back: 1

## Costs
- US dollars (estimated, prices of ${PRICES_DATE}): 1.5 of at most 5
- Tokens: 1200
- Agent time: 1.6 min of at most 10 min
- Attempts: 3

## Needs a Person
- a/c1: Subtask a failed. How should it go on? Recommended: Retry with modifications

## Stuck Subtask: a

### Summary
given up

### Attempts Made
1. Attempt 1: the first way - checks failed: expected 2
2. Attempt 2: sent the failing output back, with agent - rate limited \\(does not count\\): failing: adds up

### Error Details
\`\`\`text
failing: adds up
\`\`\`

### Files Involved
- a.ts

### Dependencies
- Depends on z
- Blocks c

### Recommended Actions
- [ ] Wait for the limit to reset, or use another account or model
- [ ] Review error logs
- [ ] Check external dependencies
- [ ] Consider alternative approach

`,
  );
});

test("the whole report of a run without trouble", () => {
  const quiet = run({
    outcome: "verified",
    reason: "",
    subtasks: [DONE, subtask("b", { phase: "pending", past: UNTOUCHED })],
    ledger: told({}),
    limit: {},
    estimated: false,
    metrics: NO_RECOVERIES,
    questions: [],
  });
  assert.equal(
    runReport(quiet),
    `# Run r1: verified

the goal

## Summary
- Outcome: verified
- Subtasks: 1 verified, 1 pending
- Attempts: 1
- Time: 5 s

## Subtasks
| Subtask | State | Attempts | Time | What happened |
|---|---|---|---|---|
| b | verified | 1 | 5 s |  |
| b | pending | 0 |  |  |

## Attempts
Every subtask that was started went without a failure.

## Failures
None

## Recoveries
- Begun: 0
- Succeeded: 0
- Agent starts for recovery: 0

## Costs
Nothing was spent.

## Needs a Person
Nothing is asked.

`,
  );
});

test("a subtask that has not ended has no time yet", () => {
  const { endedAt: _, ...past } = pastOf("b");
  const text = runReport(run({ subtasks: [subtask("b", { phase: "running", past })] }));
  assert.ok(text.includes("| b | running | 1 |  |  |\n"));
});

test("costs: what was spent, what may be, and what is not known", () => {
  const costs = (more: Partial<ReportedRun>): string =>
    section(runReport(run({ estimated: false, ...more })), "Costs");
  assert.equal(
    costs({ ledger: told({ usd: 0.129 }), limit: { tokens: 10 } }),
    "- US dollars: 0.13\n- Tokens: 0 of at most 10",
  );
  assert.equal(
    costs({ ledger: told({ timeMs: 57_000 }), limit: { attempts: 9 } }),
    "- Agent time: 1 min\n- Attempts: 0 of at most 9",
  );
  const some = { spent: { usd: 1.2, attempts: 5 }, untold: { usd: 2, tokens: 5 } };
  assert.equal(
    costs({ ledger: some, limit: { usd: 10 } }),
    "- US dollars: at least 1.2 of at most 10 (3 of 5 attempts reported it)\n" +
      "- Tokens: unknown (0 of 5 attempts reported it)\n- Attempts: 5",
    "unknown is never shown as spent (V16)",
  );
  const unheld = {
    measure: "usd",
    agents: ["mine", "<b>"],
    limits: { run: 10 },
    holding: { attempts: 20 },
  } as const;
  assert.match(
    costs({ ledger: told({}), limit: {}, unheld: [unheld] }),
    /^- Note: the money budget of the run \\\(\$10\.00\\\) cannot limit agents mine, \\<b\\?>.*what limits them: 20 attempts$/,
  );
});

test("failures: the most frequent kind first, with ten of the subtasks that had it", () => {
  const many = Array.from({ length: 11 }, (_, n) => subtask("a", { id: `s${n}` }));
  const limited = subtask("a", {
    id: "x",
    past: { ...pastOf("a"), events: pastOf("a").events.slice(-1) },
  });
  const text = section(runReport(run({ subtasks: [...many, limited] })), "Failures");
  const ten = "s0, s1, s2, s3, s4, s5, s6, s7, s8, s9";
  assert.equal(text, `- rate limited: 12 (${ten})\n- checks failed: 11 (${ten})`);
});

test("long lists: 200 subtasks and 20 escalations, and how many are left out", () => {
  const many = (count: number): ReportedSubtask[] =>
    Array.from({ length: count }, (_, n) => subtask("a", { id: `s${n}` }));
  const all = runReport(run({ subtasks: many(20) }));
  assert.equal(all.match(/^## Stuck Subtask: /gm)?.length, 20);
  assert.ok(!all.includes("more subtasks need a person") && !all.includes("more left out"));
  const more = runReport(run({ subtasks: many(21) }));
  assert.equal(more.match(/^## Stuck Subtask: /gm)?.length, 20);
  assert.ok(more.includes("\n\n(1 more subtasks need a person)\n\n"));
  assert.ok(!runReport(run({ subtasks: many(200) })).includes("more left out"));
  const most = runReport(
    run({ subtasks: many(201), questions: Array.from({ length: 201 }, () => checkpoint("a")) }),
  );
  assert.ok(section(most, "Subtasks").endsWith("\n\n(1 more left out)"));
  assert.equal(section(most, "Subtasks").split("\n").length, 204);
  assert.equal(most.match(/^### s\d+$/gm)?.length, 200);
  assert.equal(section(most, "Needs a Person").split("\n").length, 200);
});

test("a story counts repeats only where they follow each other", () => {
  const told = (...events: readonly RunEvent[]): string =>
    storyText(historyOf([started("a"), ...events]).subtasks.get("a")?.events ?? []);
  const red = failed("a", 1, "looping");
  const feedback = chosen("a", [{ kind: "feedback" }], "f");
  const fresh = chosen("a", [{ kind: "fresh", goodCommit: "c" }], "f");
  assert.equal(
    told(red, feedback, red, fresh, red, feedback, red, feedback, red, feedback),
    "repeating itself → sent the failing output back, started fresh from the last good commit, sent the failing output back ×3",
  );
  const circle: RunEvent = { kind: "circular-fix-seen", subtask: "a", because: "A-B-A", ban: true };
  assert.equal(told(red, circle), "going in circles");
  assert.equal(
    told(red, circle, fresh),
    "going in circles → started fresh from the last good commit",
  );
});
