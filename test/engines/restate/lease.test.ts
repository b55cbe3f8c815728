/** U24: when a worker's lease may be renewed and when another may end it, so that two never work on the same thing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { LEASE_MS } from "../../../src/engines/restate/fleet-messages.ts";
import {
  ended,
  LEASE_MARGIN_MS,
  renewed,
  type Lease,
} from "../../../src/engines/restate/lease-object.ts";

const OVER = LEASE_MS + LEASE_MARGIN_MS;
const lease = (epoch: string, renewedAt: number, isEnded = false): Lease => ({
  ...{ v: 1, epoch, renewedAt, ended: isEnded },
});

test("U24: a lease is renewed by its process, and by the one that follows it", () => {
  assert.deepEqual(renewed(null, "a", 5), lease("a", 5));
  assert.deepEqual(renewed(lease("a", 5), "a", 9), lease("a", 9));
  assert.deepEqual(renewed(lease("a", 5, true), "b", 9), lease("b", 9));
});

test("U24: nobody ends a lease before it is over, and once it is ended its process cannot renew it", () => {
  assert.equal(ended(lease("a", 5), "a", 5 + OVER - 1), undefined);
  const over = ended(lease("a", 5), "a", 5 + OVER);
  assert.deepEqual(over, lease("a", 5, true));
  assert.equal(renewed(over, "a", 5 + OVER + 1), undefined);
  assert.deepEqual(ended(over, "a", 5 + OVER + 1), over, "who asks again hears the same");
});

test("U24: of a process that never had a lease, or has a successor, there is nothing to wait for", () => {
  assert.equal(ended(null, "a", 0), null);
  assert.deepEqual(ended(lease("b", 5), "a", 6), lease("b", 5), "the successor keeps its own");
});

test("U24: whatever the order of renewals and looks, a lease is ended only after its process has stopped", () => {
  const steps = fc.array(
    fc.record({ after: fc.integer({ min: 0, max: OVER }), by: fc.constantFrom("worker", "other") }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(steps, (all) => {
      let held: Lease | null = null;
      let [now, heardAt] = [0, 0];
      for (const { after, by } of all) {
        now += after;
        // Whoever could not renew for its lease has ended its agents and asks no more.
        const isAtWork: boolean = now - heardAt <= LEASE_MS && held?.ended !== true;
        if (by === "worker" && isAtWork) {
          held = renewed(held, "a", now) ?? held;
          heardAt = now;
        } else if (by === "other") {
          const next: Lease | null | undefined = ended(held, "a", now);
          assert.ok(next?.ended !== true || held?.ended === true || !isAtWork);
          held = next ?? held;
        }
      }
    }),
  );
});
