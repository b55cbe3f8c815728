/**
 * Adds this machine's time and time zone to evidence, because "resets 3am" needs them. Invariant: the zone is looked up
 * only when a time without one is found; the first look-up takes milliseconds, which would slow a hook down.
 */
import type { Evidence } from "../core/evidence.ts";

export const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export function withLocalTime(evidence: Evidence): Evidence {
  const observed = { observedAt: Date.now(), ...evidence };
  return evidence.utcOffsetMinutes === undefined && evidence.timeZone === undefined
    ? Object.defineProperty(observed, "timeZone", { get: localZone, enumerable: true })
    : observed;
}
