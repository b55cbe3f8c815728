/**
 * The circuit breaker of a provider and model, shared by all subtasks and runs of a user, so that one outage makes one
 * incident. Invariants: while it is open, no attempt starts; once the delay has passed, exactly one attempt goes
 * through as a probe; the probe's result closes the breaker or opens it again with a longer delay.
 */
import { hasTrait, type FailureKind } from "./kinds.ts";
import { isInfrastructure, makeFailure, type Failure } from "./failure.ts";

export interface Breaker {
  readonly kind: FailureKind;
  readonly origin: Failure["origin"];
  /**
   * The last attempt that hit the failure. Its subtask waits as its own policy says; all others wait for its result.
   */
  readonly seenBy: string;
  readonly since: number;
  /** No other subtask starts an attempt before this time. */
  readonly until: number;
  readonly failures: number;
  readonly probe?: { readonly by: string; readonly since: number };
}

type Entrance =
  | { readonly go: true }
  /** Not now; `failure` is what the attempt would run into. */
  | { readonly go: false; readonly failure: Failure };

const BACKOFF_MS = 5000;
const BACKOFF_MAX_MS = 300_000;
/** The shortest interval between attempts to find out whether a person has fixed the account. */
const PERSON_MS = 15_000;
const PROBING_MS = 10_000;
/** An outage shows immediately, so a probe that is still running after this long has found the service healthy. */
export const PROBE_IS_WELL_MS = 90_000;

/** Whether the failure is about the service and not about the work. */
export const opensBreaker = (failure: Failure): boolean =>
  hasTrait(failure.kind, "account") ||
  (isInfrastructure(failure) && failure.kind !== "disk_full" && failure.kind !== "timeout");

/** `isAnswered`: a person said to try again, so the fix is tested however recent the last failure is. */
export function enterBreaker(
  breaker: Breaker | undefined,
  by: string,
  now: number,
  isAnswered = false,
): { readonly next: Breaker | undefined; readonly entrance: Entrance } {
  if (breaker === undefined) return { next: undefined, entrance: { go: true } };
  const { probe, until } = breaker;
  if (probe !== undefined && probe.by !== by) {
    // If the clock was set back, a lost probe would otherwise hold the breaker for very long.
    if (Math.abs(now - probe.since) >= PROBE_IS_WELL_MS)
      return { next: undefined, entrance: { go: true } };
    return { next: breaker, entrance: { go: false, failure: denial(breaker, PROBING_MS) } };
  }
  const isCure = isAnswered && hasTrait(breaker.kind, "account");
  if (now < until && !isCure && subtaskOf(by) !== subtaskOf(breaker.seenBy))
    return { next: breaker, entrance: { go: false, failure: denial(breaker, until - now) } };
  return { next: { ...breaker, probe: { by, since: now } }, entrance: { go: true } };
}

/** Updates the breaker after an attempt. `failure`: the service failure it hit, undefined if the service responded. */
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

/** The `run/subtask` part of `run/subtask/attempt`. */
const subtaskOf = (attemptId: string): string => attemptId.slice(0, attemptId.lastIndexOf("/"));

function delayOf(failure: Failure, failures: number, now: number): number {
  if (hasTrait(failure.kind, "account")) return PERSON_MS;
  if (failure.resetAt !== undefined) return Math.max(0, Date.parse(failure.resetAt) - now);
  if (failure.retryAfterMs !== undefined) return failure.retryAfterMs;
  return Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** Math.min(20, failures - 1));
}

/**
 * While a person is being asked, other subtasks join the question; while a probe tests the fix, they wait for its
 * result.
 */
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
