/**
 * One incident for one cause (C9): the breaker of a provider and model, shared by all subtasks and runs of the
 * user. Pure: time comes in. Invariants: while it is open nobody starts anything; once its time has come exactly
 * one attempt goes through as a probe; what the probe meets closes it or opens it anew, for longer each time.
 */
import { hasTrait, type FailureKind } from "./kinds.ts";
import { isInfrastructure, makeFailure, type Failure } from "./failure.ts";

export interface Breaker {
  readonly kind: FailureKind;
  readonly origin: Failure["origin"];
  /** The attempt that met it last: its subtask goes by its own policy's waits, the others wait for what it finds. */
  readonly seenBy: string;
  readonly since: number;
  /** Nobody starts before. */
  readonly until: number;
  readonly failures: number;
  readonly probe?: { readonly by: string; readonly since: number };
}

type Entrance =
  | { readonly go: true }
  /** Not now; this is what starting would meet. */
  | { readonly go: false; readonly failure: Failure };

const BACKOFF_MS = 5000;
const BACKOFF_MAX_MS = 300_000;
/** A person's cure is tried no more often than this. */
const PERSON_MS = 15_000;
const PROBING_MS = 10_000;
/** An outage shows at once; a probe that still works after this has found the service well. */
export const PROBE_IS_WELL_MS = 90_000;

/** A failure that says something about the service, not about the work. */
export const opensBreaker = (failure: Failure): boolean =>
  hasTrait(failure.kind, "account") ||
  (isInfrastructure(failure) && failure.kind !== "disk_full" && failure.kind !== "timeout");

/** `isAnswered`: a person was asked and said to try again, so the cure is tried however lately it was met. */
export function enterBreaker(
  breaker: Breaker | undefined,
  by: string,
  now: number,
  isAnswered = false,
): { readonly next: Breaker | undefined; readonly entrance: Entrance } {
  if (breaker === undefined) return { next: undefined, entrance: { go: true } };
  const { probe, until } = breaker;
  if (probe !== undefined && probe.by !== by) {
    // A clock that was set back would make a probe that nobody ends the longest of all.
    if (Math.abs(now - probe.since) >= PROBE_IS_WELL_MS)
      return { next: undefined, entrance: { go: true } };
    return { next: breaker, entrance: { go: false, failure: denial(breaker, PROBING_MS) } };
  }
  const isCure = isAnswered && hasTrait(breaker.kind, "account");
  if (now < until && !isCure && subtaskOf(by) !== subtaskOf(breaker.seenBy))
    return { next: breaker, entrance: { go: false, failure: denial(breaker, until - now) } };
  return { next: { ...breaker, probe: { by, since: now } }, entrance: { go: true } };
}

/** After an attempt: `failure` is what it met of the service, nothing if the service answered. */
export function leaveBreaker(
  breaker: Breaker | undefined,
  by: string,
  failure: Failure | undefined,
  now: number,
): Breaker | undefined {
  if (failure === undefined || !opensBreaker(failure))
    return breaker?.probe?.by === by ? undefined : breaker;
  const failures = (breaker?.failures ?? 0) + 1;
  return {
    kind: failure.kind,
    origin: failure.origin,
    seenBy: by,
    since: breaker?.since ?? now,
    until: Math.max(breaker?.until ?? 0, now + delayOf(failure, failures, now)),
    failures,
  };
}

/** Of `run/subtask/attempt`. */
const subtaskOf = (attemptId: string): string => attemptId.slice(0, attemptId.lastIndexOf("/"));

function delayOf(failure: Failure, failures: number, now: number): number {
  if (hasTrait(failure.kind, "account")) return PERSON_MS;
  if (failure.resetAt !== undefined) return Math.max(0, Date.parse(failure.resetAt) - now);
  if (failure.retryAfterMs !== undefined) return failure.retryAfterMs;
  return Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** Math.min(20, failures - 1));
}

/** While a person is asked, others join the question; while the cure is being tried, they wait for what it shows. */
function denial({ kind, origin, seenBy, probe }: Breaker, heldMs: number): Failure {
  const waits = probe !== undefined && hasTrait(kind, "account");
  const why = probe === undefined ? `met ${kind}` : "is trying whether it works again";
  return makeFailure({
    kind: waits ? "server_overloaded" : kind,
    category: hasTrait(kind, "account") && !waits ? "fatal" : "transient",
    origin: waits ? "provider" : origin,
    because: [`${probe?.by ?? seenBy} ${why}: nothing was started`],
    signature: `incident ${kind}`,
    heldMs,
  });
}
