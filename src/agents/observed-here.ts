/**
 * Evidence as it is met on this machine: its time and its zone, because "resets 3am" needs them. Invariant: the zone is
 * asked for only when a time without one is met; the first answer takes milliseconds, which a hook would feel.
 */
import type { Evidence } from "../core/evidence.ts";

export const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export function observedHere(evidence: Evidence): Evidence {
  const observed = { observedAt: Date.now(), ...evidence };
  return evidence.utcOffsetMinutes === undefined && evidence.timeZone === undefined
    ? Object.defineProperty(observed, "timeZone", { get: localZone, enumerable: true })
    : observed;
}
