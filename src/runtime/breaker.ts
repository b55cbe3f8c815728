/**
 * Goes through the breaker of an attempt's provider, before and after (C9). Imports core/incident and ports.
 * Invariant: a breaker that cannot be read or written never stops a run: then every attempt finds out for itself.
 */
import { enterBreaker, leaveBreaker } from "../core/incident/breaker.ts";
import type { Breaker } from "../core/incident/breaker.ts";
import type { Failure } from "../core/failure.ts";
import type { ModelEntry } from "../core/plan/plan.ts";
import type { Supervised } from "./supervised.ts";

/** What starting would meet, or nothing when it may start. */
export async function entering(
  { ports }: Supervised,
  entry: ModelEntry,
  attemptId: string,
): Promise<Failure | undefined> {
  const { incidents, clock } = ports;
  const entrance = await incidents
    .change(keyOf(ports.providerOf(entry), entry), (known) => {
      const { next, entrance: answer } = enterBreaker(read(known), attemptId, clock.now());
      return { next: write(next), answer };
    })
    .catch(() => undefined);
  return entrance?.go === false ? entrance.failure : undefined;
}

export async function leaving(
  { ports }: Supervised,
  entry: ModelEntry,
  attemptId: string,
  failure: Failure | undefined,
): Promise<void> {
  const { incidents, clock } = ports;
  await incidents
    .change(keyOf(ports.providerOf(entry), entry), (known) => ({
      next: write(leaveBreaker(read(known), attemptId, failure, clock.now())),
      answer: undefined,
    }))
    .catch(() => undefined);
}

const keyOf = (provider: string, { model }: ModelEntry): string => `${provider} ${model ?? ""}`;

const read = (known: string | undefined): Breaker | undefined =>
  known === undefined ? undefined : (JSON.parse(known) as Breaker);

const write = (breaker: Breaker | undefined): string | undefined =>
  breaker === undefined ? undefined : JSON.stringify(breaker);
