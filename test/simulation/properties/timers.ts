/** Timers are never lost, never fire before their time, and once for each wait. */
import { eventOf, inputOf, judging } from "./reading.ts";

interface Wait {
  readonly dueAt: number;
  readonly scheduledAt: number;
  /** How long it was to last when it was scheduled. */
  readonly lasts: number;
}

/** A full disk may hold a firing up for ten minutes; nothing else may for long. */
const LATE_MS_MAX = 15 * 60_000;

export const timersKeepTime = judging("timers keep their time", (history, report) => {
  const jumps = history.happened.some(({ kind }) => kind === "clock-jumped");
  const waits = new Map<string, Wait>();
  let tookAt = 0;
  let setBackAt = -1;
  return (happened, where) => {
    if (happened.kind === "owner-took") tookAt = happened.at;
    if (happened.kind === "clock-jumped" && happened.ms < 0) setBackAt = happened.at;
    const event = eventOf(happened);
    if (
      event?.kind === "wait-scheduled" ||
      event?.kind === "wait-shortened" ||
      event?.kind === "expiry-scheduled"
    ) {
      const { dueAt } = event;
      const lasts = dueAt - happened.wall;
      waits.set(`${event.subtask}/${event.timer}`, { dueAt, lasts, scheduledAt: happened.at });
    }
    const input = inputOf(happened);
    if (input?.kind !== "timer-fired") return;
    const name = `${input.subtask}/${input.timer}`;
    const wait = waits.get(name);
    if (wait === undefined) return report(where, `timer ${name} fired, but was never set`);
    if (input.at < wait.dueAt && setBackAt < wait.scheduledAt)
      report(where, `timer ${name} fired ${wait.dueAt - input.at} ms early`);
    const late = happened.at - Math.max(wait.scheduledAt + wait.lasts, tookAt);
    if (!jumps && late > LATE_MS_MAX) report(where, `timer ${name} fired ${late} ms late`);
  };
});

export const timersAreKept = judging(
  "timers are never lost",
  () => () => undefined,
  (history, report) => {
    const open = new Map<string, number>();
    const questions = new Map<string, string>();
    const waits = new Map<string, number>();
    let stopped = false;
    for (const [where, happened] of history.happened.entries()) {
      const event = eventOf(happened);
      if (event?.kind === "wait-shortened")
        open.delete(`${event.subtask}/${waits.get(event.subtask)}`);
      if (event?.kind === "wait-scheduled" || event?.kind === "wait-shortened") {
        open.set(`${event.subtask}/${event.timer}`, where);
        waits.set(event.subtask, event.timer);
      }
      if (event?.kind === "expiry-scheduled") {
        questions.set(event.checkpoint, `${event.subtask}/${event.timer}`);
        open.set(`${event.subtask}/${event.timer}`, where);
      }
      if (event?.kind === "checkpoint-closed") open.delete(questions.get(event.checkpoint) ?? "");
      const input = inputOf(happened);
      if (input?.kind === "timer-fired") open.delete(`${input.subtask}/${input.timer}`);
      if (event?.kind === "run-ended")
        stopped = event.outcome === "cancelled" || event.outcome === "budget";
    }
    if (!stopped)
      for (const [name, where] of open) report(where, `timer ${name} was set and never fired`);
  },
);
