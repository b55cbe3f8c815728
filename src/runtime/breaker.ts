/**
 * Goes through the breaker of an attempt's provider, before and after (C9). Invariants: who waited for a service
 * hears at once that it is back; a breaker that cannot be read or written never stops a run: then every attempt
 * finds out for itself.
 */
import { enterBreaker, leaveBreaker } from "../core/breaker.ts";
import type { Breaker } from "../core/breaker.ts";
import type { Failure } from "../core/failure.ts";
import type { ModelEntry } from "../core/plan/plan.ts";
import { vectorItems } from "../core/persistent-collections.ts";
import type { RunState } from "../core/run/state.ts";
import { deliver } from "./ports.ts";
import type { RunUnderway } from "./ports.ts";

/** What starting would meet, or nothing when it may start. */
export async function entering(
  supervised: RunUnderway,
  entry: ModelEntry,
  attemptId: string,
): Promise<Failure | undefined> {
  const { ports } = supervised;
  const { incidents, clock } = ports;
  const entered = await incidents
    .change(keyOf(ports.providerOf(entry), entry), (known) => {
      const { next, entrance } = enterBreaker(read(known), attemptId, clock.now());
      return { next: write(next), answer: { entrance, closed: isClosed(known, next) } };
    })
    .catch(() => undefined);
  if (entered?.closed === true) await wakeWaiting(supervised);
  const { entrance } = entered ?? {};
  return entrance?.go === false ? entrance.failure : undefined;
}

export async function leaving(
  supervised: RunUnderway,
  entry: ModelEntry,
  attemptId: string,
  failure: Failure | undefined,
): Promise<void> {
  const { ports } = supervised;
  const { incidents, clock } = ports;
  const closed = await incidents
    .change(keyOf(ports.providerOf(entry), entry), (known) => {
      const next = leaveBreaker(read(known), attemptId, failure, clock.now());
      return { next: write(next), answer: isClosed(known, next) };
    })
    .catch(() => false);
  if (closed) await wakeWaiting(supervised);
}

const isClosed = (known: string | undefined, next: Breaker | undefined): boolean =>
  known !== undefined && next === undefined;

/** Those who wait for a service that nobody finds broken any more go on at once: the news may come from another run. */
export async function wakeWaiting(supervised: RunUnderway): Promise<void> {
  const { ports, state } = supervised;
  const byKey = Map.groupBy(waitsFor(state()), ({ entry }) =>
    keyOf(ports.providerOf(entry), entry),
  );
  for (const [key, found] of byKey) {
    const isOpen = await ports.incidents
      .change(key, (known) => ({ next: known, answer: known !== undefined }))
      .catch(() => true);
    const waits = found.map(({ subtask, timer }) => ({ subtask, timer }));
    if (!isOpen) await deliver(supervised, { kind: "service-back", waits });
  }
}

interface ServiceWait {
  readonly subtask: string;
  readonly timer: number;
  readonly entry: ModelEntry;
}

const waitsFor = ({ plan, subtasks, counts }: RunState): readonly ServiceWait[] =>
  counts.waiting === 0
    ? []
    : vectorItems(subtasks).flatMap(({ timer }, index) => {
        if (timer?.ofService !== true) return [];
        return {
          subtask: plan.subtasks[index]?.id ?? "",
          timer: timer.id,
          entry: timer.spec.entry,
        };
      });

const keyOf = (provider: string, { model }: ModelEntry): string => `${provider} ${model ?? ""}`;

const read = (known: string | undefined): Breaker | undefined =>
  known === undefined ? undefined : (JSON.parse(known) as Breaker);

const write = (breaker: Breaker | undefined): string | undefined =>
  breaker === undefined ? undefined : JSON.stringify(breaker);
