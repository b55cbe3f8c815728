/**
 * Passes an attempt through the breaker of its provider, before and after (C9). Invariants: attempts waiting for a
 * service resume as soon as it is known to be back; a breaker that cannot be read or written never stops a run, every
 * attempt then finds out for itself.
 */
import { enterBreaker, leaveBreaker, type Breaker } from "../core/breaker.ts";
import type { Failure } from "../core/failure.ts";
import type { ModelEntry } from "../core/plan/plan.ts";
import { vectorItems } from "../core/persistent-collections.ts";
import type { RunState } from "../core/run/state.ts";
import { deliver, type RunUnderway } from "./ports.ts";

/** The failure that starting now would meet, or undefined if the attempt may start. */
export async function passBreaker(
  underway: RunUnderway,
  entry: ModelEntry,
  attemptId: string,
  isAnswered: boolean,
): Promise<Failure | undefined> {
  const entrance = await changeIncident(underway, entry, (known, now) => {
    const { next, entrance: answer } = enterBreaker(known, attemptId, now, isAnswered);
    return { next, answer };
  });
  return entrance?.go === false ? entrance.failure : undefined;
}

export async function reportToBreaker(
  underway: RunUnderway,
  entry: ModelEntry,
  attemptId: string,
  failure: Failure | undefined,
): Promise<void> {
  await changeIncident(underway, entry, (known, now) => ({
    next: leaveBreaker(known, attemptId, failure, now),
    answer: undefined,
  }));
}

/** Undefined if the breaker could not be read or written. */
async function changeIncident<T>(
  underway: RunUnderway,
  entry: ModelEntry,
  change: (known: Breaker | undefined, now: number) => { next: Breaker | undefined; answer: T },
): Promise<T | undefined> {
  const { ports } = underway;
  const done = await ports.incidents
    .change(keyOf(ports, entry), (known) => {
      const before = known === undefined ? undefined : (JSON.parse(known) as Breaker);
      const { next, answer } = change(before, ports.clock.now());
      const isClosed = known !== undefined && next === undefined;
      return { next: next && JSON.stringify(next), answer: { answer, isClosed } };
    })
    .catch(() => undefined);
  if (done?.isClosed === true) await wakeWaiting(underway);
  return done?.answer;
}

/** Resumes subtasks that wait for a service with no open incident any more: another run may have found it well. */
export async function wakeWaiting(underway: RunUnderway): Promise<void> {
  const { ports, state } = underway;
  const byKey = Map.groupBy(serviceWaits(state()), ({ entry }) => keyOf(ports, entry));
  for (const [key, found] of byKey) {
    const isOpen = await ports.incidents
      .change(key, (known) => ({ next: known, answer: known !== undefined }))
      .catch(() => true);
    const waits = found.map(({ subtask, timer }) => ({ subtask, timer }));
    if (!isOpen) await deliver(underway, { kind: "service-back", waits });
  }
}

function serviceWaits({ plan, subtasks, counts }: RunState) {
  if (counts.waiting === 0) return [];
  return vectorItems(subtasks).flatMap(({ timer }, index) => {
    const subtask = plan.subtasks[index]?.id ?? "";
    return timer?.ofService === true ? [{ subtask, timer: timer.id, entry: timer.spec.entry }] : [];
  });
}

const keyOf = ({ providerOf }: RunUnderway["ports"], entry: ModelEntry): string =>
  `${providerOf(entry)} ${entry.model ?? ""}`;
