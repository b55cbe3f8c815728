/**
 * The lease of one worker, keyed by its name. It is a separate object, so that a busy fleet object delays no renewal.
 * Invariants: a lease that was ended is never renewed by the same process; it is ended only when it has not been
 * renewed for longer than its worker goes on without renewal.
 */
import { LEASE_MS } from "./fleet-messages.ts";
import { LEASE_OBJECT } from "./messages.ts";
import { DECIDING } from "./run-object.ts";
import type { ObjectContext, Sdk } from "./sdk.ts";

export interface Lease {
  readonly v: 1;
  readonly epoch: string;
  readonly renewedAt: number;
  readonly ended: boolean;
}

/** Allows for differing clocks and message delays. */
export const LEASE_MARGIN_MS = 10_000;

/** Undefined: others already know this process as gone. */
export const renewed = (lease: Lease | null, epoch: string, now: number): Lease | undefined =>
  lease?.epoch === epoch && lease.ended ? undefined : { v: 1, epoch, renewedAt: now, ended: false };

/** Undefined: it is not over yet. A process that was replaced, or never had a lease, has none to end. */
export function ended(lease: Lease | null, epoch: string, now: number): Lease | null | undefined {
  if (lease?.epoch !== epoch) return lease;
  return now - lease.renewedAt < LEASE_MS + LEASE_MARGIN_MS ? undefined : { ...lease, ended: true };
}

export function leaseObject(sdk: Sdk): unknown {
  const change = async (
    ctx: ObjectContext,
    to: (lease: Lease | null, now: number) => Lease | null | undefined,
  ): Promise<boolean> => {
    const lease = await ctx.get<Lease>("lease");
    const next = to(lease, await ctx.date.now());
    if (next === undefined) return false;
    if (next !== lease) ctx.set("lease", next);
    return true;
  };
  return sdk.object({
    name: LEASE_OBJECT,
    options: DECIDING,
    handlers: {
      renew: (ctx: ObjectContext, { epoch }: { epoch: string }) =>
        change(ctx, (lease, now) => renewed(lease, epoch, now)),
      end: (ctx: ObjectContext, { epoch }: { epoch: string }) =>
        change(ctx, (lease, now) => ended(lease, epoch, now)),
    },
  });
}
