/**
 * The fleet's limits on attempts over all workers: how many at once, and how many may begin per minute, for a
 * repository, an agent or a provider. Invariants: a limit for one name overrides the one for each; a start counts for a
 * minute, whatever its outcome.
 */
import type { Errand, FleetLimit, FleetState, LimitedBy } from "./fleet-messages.ts";

const EACH = "*";
const MINUTE_MS = 60_000;

export const limitKey = (by: LimitedBy, name: string): string => `${by} ${name}`;

interface Limited {
  readonly by: LimitedBy;
  readonly name: string;
  readonly limit: FleetLimit;
}

const LIMITED: readonly LimitedBy[] = ["repository", "agent", "provider"];

const limitsOf = ({ limits }: FleetState, errand: Errand): readonly Limited[] =>
  LIMITED.flatMap((by) => {
    const name = errand[by] ?? "";
    const limit = limits[limitKey(by, name)] ?? limits[limitKey(by, EACH)];
    return limit === undefined ? [] : [{ by, name, limit }];
  });

export function isWithinLimits(state: FleetState, errand: Errand, now: number): boolean {
  return limitsOf(state, errand).every(
    ({ by, name, limit: { atOnce = Infinity, perMinute = Infinity } }) =>
      underWay(state, by, name) < atOnce &&
      begunLately(state, limitKey(by, name), now).length < perMinute,
  );
}

/** The start times once this attempt begins; older ones are dropped. */
export function withBegun(state: FleetState, errand: Errand, now: number): FleetState["begun"] {
  const counted = limitsOf(state, errand)
    .filter(({ limit }) => limit.perMinute !== undefined)
    .map(({ by, name }) => limitKey(by, name));
  if (counted.length === 0) return state.begun;
  const begun = new Map(
    Object.keys(state.begun ?? {}).map((key) => [key, begunLately(state, key, now)]),
  );
  for (const key of counted) begun.set(key, [...(begun.get(key) ?? []), now]);
  return Object.fromEntries([...begun].filter(([, times]) => times.length > 0));
}

const underWay = ({ given }: FleetState, by: LimitedBy, name: string): number =>
  Object.values(given).filter((one) => one.kind === "start" && (one[by] ?? "") === name).length;

const begunLately = ({ begun = {} }: FleetState, key: string, now: number): readonly number[] =>
  (begun[key] ?? []).filter((at) => now - at < MINUTE_MS);
