/**
 * What a run waited for, and when: services and limits, and people. Its attempts are in its history. Takes the recorded
 * events in order. Invariant: a span never ends before it begins, whatever the clock did.
 */
import { waitText } from "../backoff.ts";
import type { Decision, RunEvent } from "../run/decision.ts";

export interface TimeSpan {
  readonly kind: "wait" | "question";
  /** Absent if it concerns the whole run. */
  readonly subtask?: string;
  /** Epoch milliseconds. */
  readonly from: number;
  /** Absent while it lasts. */
  to?: number;
  readonly words: string;
}

export function timeSpans() {
  const spans: TimeSpan[] = [];
  const waits = new Map<string, TimeSpan>();
  const questions = new Map<string, TimeSpan>();
  let now = 0;
  const begin = (open: Map<string, TimeSpan>, key: string, span: TimeSpan): void => {
    if (open.has(key)) return;
    open.set(key, span);
    spans.push(span);
  };
  const end = (open: Map<string, TimeSpan>, key: string): void => {
    const span = open.get(key);
    if (span !== undefined) span.to = Math.max(span.from, now);
    open.delete(key);
  };
  const decided = (event: Decision): void => {
    switch (event.kind) {
      case "wait-scheduled": {
        const { subtask, reason } = event;
        return begin(waits, subtask, { kind: "wait", subtask, from: now, words: waitText(reason) });
      }
      case "attempt-dispatched":
        now = Math.max(now, event.at);
        return end(waits, event.subtask);
      case "subtask-parked":
      case "subtask-done":
        return end(waits, event.subtask);
      case "checkpoint-opened": {
        const { id, subtask, question } = event.checkpoint;
        const of = subtask === undefined ? {} : { subtask };
        return begin(questions, id, { kind: "question", ...of, from: now, words: question });
      }
      case "checkpoint-closed":
        return end(questions, event.checkpoint);
      case "run-ended":
        for (const open of [waits, questions]) for (const key of [...open.keys()]) end(open, key);
        return;
      default:
    }
  };
  return {
    add(event: RunEvent): void {
      if (event.kind === "received") now = Math.max(now, event.input.at);
      else decided(event);
    },
    spans: (): readonly TimeSpan[] => spans,
  };
}
