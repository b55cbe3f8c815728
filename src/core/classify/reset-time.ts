/**
 * When to come back: a delay or an instant that a server or a limit's text names. Hand-written linear patterns (no
 * date library on the hot path). Invariants: never throws; bounded; the structured header wins over text.
 */
import type { Evidence } from "../evidence.ts";
import type { FailureKind } from "../kinds.ts";
import { delayIn } from "./reset-delay.ts";
import { instantIn } from "./reset-instant.ts";
import type { ResetBase } from "./reset-instant.ts";

export interface Reset {
  readonly retryAfterMs?: number;
  /** ISO 8601 in UTC. */
  readonly resetAt?: string;
}

const MAX_CHARS = 6_000;

/** Only for failures that pass with time. */
const PASSING: ReadonlySet<FailureKind> = new Set([
  "rate_limited",
  "server_overloaded",
  "server_error",
  "timeout",
  "network_error",
  "billing",
]);
const MENTIONS = /retry|again|reset|wait|regain|renew|available|limit reached\|/i;

/** Reads a delay ("try again in 2m30s") or an instant ("resets 3am (Europe/Berlin)"). */
export function parseReset(text: string, base: ResetBase = {}): Reset {
  const read = text.slice(0, MAX_CHARS);
  const delay = delayIn(read);
  if (delay !== undefined) return { retryAfterMs: delay };
  const instant = instantIn(read, base);
  return instant === undefined ? {} : { resetAt: new Date(instant).toISOString() };
}

/** The header first, then the deciding text, then the ends of the other texts. */
export function resetOf(evidence: Evidence, kind: FailureKind, decidingText: string): Reset {
  if (!PASSING.has(kind)) return {};
  const base = baseOf(evidence);
  if (typeof evidence.retryAfter === "string") {
    const value = evidence.retryAfter.slice(0, 200).trim();
    const reset = parseReset(/^[\d.]{1,12}$/.test(value) ? `retry-after: ${value}` : value, base);
    if (isFound(reset)) return reset;
  }
  const { providerError, message, stderr, stdout } = evidence;
  for (const text of [decidingText, providerError?.message, message, stderr, stdout]) {
    if (typeof text !== "string") continue;
    const end = text.slice(-MAX_CHARS);
    const reset = MENTIONS.test(end) ? parseReset(end, base) : {};
    if (isFound(reset)) return reset;
  }
  return {};
}

const isFound = ({ retryAfterMs, resetAt }: Reset): boolean =>
  retryAfterMs !== undefined || resetAt !== undefined;

function baseOf({ observedAt, utcOffsetMinutes }: Evidence): ResetBase {
  return {
    ...(isNumber(observedAt) && { observedAt }),
    ...(isNumber(utcOffsetMinutes) && { utcOffsetMinutes }),
  };
}

const isNumber = (value: unknown): value is number => Number.isFinite(value);
