/**
 * Computes when a wait is due: at the reset time or after the delay that the server named, else after a fixed schedule
 * of delays, then with full jitter up to a cap. Randomness is passed in as a number in [0, 1). Waits are durable, so
 * this only computes the due time.
 */

/** The timing of `wait`; part of every policy. */
export interface WaitSchedule {
  /** Delays before the first retries of an infrastructure failure. */
  readonly delaysMs: readonly number[];
  /** Replaces the scheduled delay for a rate limit that names no time. */
  readonly rateLimitMs?: number | undefined;
  /** Full jitter below min(capMs, baseMs * 2^n) after the schedule. If absent, there are no further waits. */
  readonly outage?: { readonly baseMs: number; readonly capMs: number } | undefined;
  /** Added to a reset time given to the minute, because clocks differ. */
  readonly resetMarginMs: number;
  /** The longest a subtask waits for one outage in total. */
  readonly maxWaitMs: number;
}

export interface WaitRequest {
  /** Consecutive infrastructure failures before this one. */
  readonly streak: number;
  readonly now: number;
  /** When the first failure of the streak occurred. */
  readonly since: number;
  readonly chance: number;
  readonly rateLimited: boolean;
  readonly retryAfterMs?: number;
  readonly resetAt?: number;
  /** The reset time is given to the second. */
  readonly resetIsExact?: true;
  /** Another attempt already hit this failure; this one waits for the result of its probe. */
  readonly heldMs?: number;
}

export interface Wait {
  readonly dueAt: number;
  readonly reason: "reset" | "retry-after" | "schedule" | "rate-limit" | "outage" | "incident";
}

/** Wait reasons as shown to people. */
const WAIT_TEXTS: { readonly [reason in Wait["reason"]]: string } = {
  reset: "until the limit resets",
  "retry-after": "as long as the server asked for",
  schedule: "then it tries again",
  "rate-limit": "rate limit, no time given",
  outage: "longer each time",
  incident: "another attempt tries first",
};

export const waitText = (reason: string): string =>
  Object.hasOwn(WAIT_TEXTS, reason) ? WAIT_TEXTS[reason as Wait["reason"]] : reason;

/** The shortest delay, so that even an unlucky draw gives the service some time. */
const LEAST_MS = 5000;

/**
 * The most that is added to a reset time given to the second: it covers clock differences and fractions of a second.
 */
const EXACT_MARGIN_MS = 1000;

/** The next wait, or undefined if the schedule is exhausted or the maximum total wait would be exceeded. */
export function nextWait(schedule: WaitSchedule, request: WaitRequest): Wait | undefined {
  const wait = timed(schedule, request) ?? jittered(schedule, request);
  return wait === undefined || wait.dueAt - request.since > schedule.maxWaitMs ? undefined : wait;
}

function timed(schedule: WaitSchedule, request: WaitRequest): Wait | undefined {
  const { streak, now, retryAfterMs, resetAt, resetIsExact, rateLimited, heldMs } = request;
  const scheduled = schedule.delaysMs[streak];
  if (scheduled === undefined && schedule.outage === undefined) return undefined;
  if (resetAt !== undefined) {
    // A reset time that has just passed may only be rounded to the minute, so do not retry at once.
    const due = resetAt > now ? resetAt : now + (scheduled ?? LEAST_MS);
    const most = resetIsExact === true ? EXACT_MARGIN_MS : schedule.resetMarginMs;
    return { dueAt: due + Math.min(most, schedule.resetMarginMs), reason: "reset" };
  }
  if (heldMs !== undefined) return { dueAt: now + heldMs, reason: "incident" };
  if (retryAfterMs !== undefined) return { dueAt: now + retryAfterMs, reason: "retry-after" };
  if (scheduled === undefined) return undefined;
  if (rateLimited && schedule.rateLimitMs !== undefined)
    return { dueAt: now + schedule.rateLimitMs, reason: "rate-limit" };
  return { dueAt: now + scheduled, reason: "schedule" };
}

function jittered(schedule: WaitSchedule, request: WaitRequest): Wait | undefined {
  const { streak, now, chance } = request;
  if (schedule.outage === undefined || streak < schedule.delaysMs.length) return undefined;
  const exponent = Math.min(30, streak - schedule.delaysMs.length);
  const ceiling = Math.min(schedule.outage.capMs, schedule.outage.baseMs * 2 ** exponent);
  return { dueAt: now + Math.max(LEAST_MS, Math.round(chance * ceiling)), reason: "outage" };
}
