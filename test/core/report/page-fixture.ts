/** A run with every part that a report shows, each text of which is the one given. */
import { historyOf } from "../../../src/core/history/collect-history.ts";
import { explainer } from "../../../src/core/report/explanation.ts";
import type { ReportPage } from "../../../src/core/report/html/report-page.ts";
import { timeSpans } from "../../../src/core/report/time-spans.ts";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import {
  checkpoint,
  chosen,
  dispatched,
  ended,
  failed,
  queued,
  started,
  T0,
} from "../../cli/terminal/events.ts";

export function waits(subtask: string, reason: string): RunEvent {
  const wait = queued(subtask);
  if (wait.kind !== "attempt-queued" || wait.specs[0] === undefined) throw new Error("no spec");
  const [spec, timer] = [wait.specs[0], { timer: 1, dueAt: T0 + 1500, since: T0 + 1000 }];
  return { kind: "wait-scheduled", subtask, ...timer, reason, spec };
}

export function pageOf(text: string, { subtask = text } = {}): ReportPage {
  const asks = { ...checkpoint(subtask), question: text };
  const events: readonly RunEvent[] = [
    started(subtask, "other"),
    dispatched(subtask, 1, T0),
    ended(subtask, 1, T0 + 1000, text),
    failed(subtask, 1, "verification_failed", text),
    chosen(subtask, [{ kind: "feedback" }], "feedback"),
    waits(subtask, text),
    dispatched(subtask, 2, T0 + 2000, "feedback"),
    ended(subtask, 2, T0 + 3000),
    failed(subtask, 2, "verification_failed", text),
    chosen(subtask, [{ kind: "skip" }, { kind: "ask" }], "give-up"),
    { kind: "subtask-parked", subtask, phase: "stuck", reason: text },
    { kind: "checkpoint-opened", checkpoint: asks },
    dispatched("other", 1, T0),
    ended("other", 1, T0 + 4000, text),
    { kind: "subtask-done", subtask: "other", attempt: 1, phase: "verified" },
  ];
  const { subtasks, startedAt = T0, at } = historyOf(events);
  const { explain } = explainer();
  const times = timeSpans();
  for (const event of events) times.add(event);
  const past = (id: string) =>
    subtasks.get(id) ?? { id, attempts: new Map(), events: [], questions: [] };
  return {
    run: {
      ...{ run: text, goal: text, outcome: "failed", reason: text, durationMs: 4000 },
      subtasks: [
        {
          ...{ id: subtask, phase: "asking", past: past(subtask) },
          ...{ dependsOn: [text], blocks: [text], files: [text] },
        },
        {
          id: "other",
          phase: "verified",
          past: past("other"),
          dependsOn: [],
          blocks: [],
          files: [],
        },
      ],
      ...{ ledger: { spent: { usd: 1.5 }, untold: {} }, limit: {}, estimated: false, unheld: [] },
      metrics: {
        ...{ recovery_triggers: 1, recovery_success: 0, recovery_iterations: 1 },
        stage_success: { [text]: 1 },
      },
      questions: [asks],
    },
    ...{ state: "needs you", sentence: text, branch: text, spent: [text], startedAt, endedAt: at },
    checks: [{ check: text, verdict: "failed", words: text }],
    madeAt: T0 + 5000,
    spans: times.spans(),
    decisions: events.flatMap((event, seq) => explain(seq, event) ?? []),
    diff: { text: `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+${text}`, cut: true },
    attemptDiffs: new Map([[`${subtask}/1`, { text: `+${text}`, cut: false }]]),
  };
}
