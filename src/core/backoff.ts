/**
 * Delays of waits: the fixed schedule of Level 1, then full jitter that grows to a cap, and what the server asked
 * for. Chance is an argument in [0, 1). Waits are durable, so only a due time is computed here.
 */

/** How `wait` is timed; part of every policy. */
export interface WaitSchedule {
  /** The first retries of an infrastructure failure come after exactly these delays (D2). */
  readonly delaysMs: readonly number[];
  /** A rate limit without any time waits this long instead of the schedule. */
  readonly rateLimitMs?: number | undefined;
  /** After the schedule: full jitter below min(capMs, baseMs * 2^n); absent means no further wait. */
  readonly outage?: { readonly baseMs: number; readonly capMs: number } | undefined;
  /** Added to a reset time that is known to the minute, because clocks differ (U1). */
  readonly resetMarginMs: number;
  /** A subtask never waits longer than this for one outage in total. */
  readonly maxWaitMs: number;
}

export interface WaitRequest {
  /** Infrastructure failures in a row before this one. */
  readonly streak: number;
  readonly now: number;
  /** When the first of the streak was seen. */
  readonly since: number;
  readonly chance: number;
  readonly rateLimited: boolean;
  readonly retryAfterMs?: number;
  readonly resetAt?: number;
  /** The reset time is known to the second. */
  readonly resetIsExact?: true;
  /** Another attempt met it: this one waits for what that finds. */
  readonly heldMs?: number;
}

export interface Wait {
  readonly dueAt: number;
  readonly reason: "reset" | "retry-after" | "schedule" | "rate-limit" | "outage" | "incident";
}

/** Why it waits, for people. */
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

/** Even the luckiest draw leaves the service some time. */
const LEAST_MS = 5000;

/** What a reset time to the second gets at most: fractions of a second and clocks differ. */
const EXACT_MARGIN_MS = 1000;

/** The next wait, or nothing when the schedule is used up or the maximum wait would be passed. */
export function nextWait(schedule: WaitSchedule, request: WaitRequest): Wait | undefined {
  const wait = timed(schedule, request) ?? jittered(schedule, request);
  return wait === undefined || wait.dueAt - request.since > schedule.maxWaitMs ? undefined : wait;
}

function timed(schedule: WaitSchedule, request: WaitRequest): Wait | undefined {
  const { streak, now, retryAfterMs, resetAt, resetIsExact, rateLimited, heldMs } = request;
  const scheduled = schedule.delaysMs[streak];
  if (scheduled === undefined && schedule.outage === undefined) return undefined;
  if (resetAt !== undefined) {
    // One that has just passed, as clocks without seconds tell it, is no leave to come back at once.
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
