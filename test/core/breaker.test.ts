// proves: C9, U2
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Failure } from "../../src/core/failure.ts";
import type { FailureKind } from "../../src/core/kinds.ts";
import { enterBreaker, leaveBreaker, opensBreaker, type Breaker } from "../../src/core/breaker.ts";
import { failureOf } from "./run/driver.ts";

const down = (more: Partial<Failure> = {}): Failure =>
  failureOf("rate_limited", { origin: "provider", ...more });

test("what speaks of the service opens it, what speaks of the work does not", () => {
  const rows: readonly [FailureKind, Failure["origin"], boolean][] = [
    ["rate_limited", "provider", true],
    ["server_overloaded", "agent", true],
    ["network_error", "provider", true],
    ["auth_required", "agent", true],
    ["billing", "provider", true],
    ["network_error", "tool", false],
    ["timeout", "agent", false],
    ["disk_full", "workspace", false],
    ["verification_failed", "check", false],
    ["agent_crash", "agent", false],
    ["interrupted", "agent", false],
    ["context_exhausted", "provider", false],
  ];
  for (const [kind, origin, opens] of rows)
    assert.equal(opensBreaker(failureOf(kind, { origin })), opens, `${kind} of ${origin}`);
});

test("open: nobody starts; at its time one goes through, the others wait for what it finds", () => {
  const open = leaveBreaker(undefined, "r/a/1", down({ retryAfterMs: 60_000 }), 1000);
  const early = enterBreaker(open, "r/b/1", 2000);
  assert.ok(!early.entrance.go);
  assert.equal(early.entrance.failure.heldMs, 59_000);
  assert.equal(early.entrance.failure.kind, "rate_limited");
  const probe = enterBreaker(early.next, "r/b/2", 61_000);
  assert.ok(probe.entrance.go);
  const other = enterBreaker(probe.next, "r/c/1", 61_500);
  assert.ok(!other.entrance.go);
  assert.match(other.entrance.failure.because[0] ?? "", /r\/b\/2/);
  const again = leaveBreaker(probe.next, "r/b/2", down(), 62_000);
  assert.ok(!enterBreaker(again, "r/c/2", 63_000).entrance.go);
  assert.equal(leaveBreaker(probe.next, "r/b/2", undefined, 62_000), undefined, "well: closed");
  assert.notEqual(leaveBreaker(probe.next, "r/z/1", undefined, 62_000), undefined, "not the probe");
  assert.ok(enterBreaker(probe.next, "r/c/1", 61_000 + 90_000).entrance.go, "it works on: well");
  assert.ok(
    enterBreaker(probe.next, "r/c/1", 61_000 - 90_000).entrance.go,
    "the clock was set back",
  );
});

test("without a time it stays open longer each time, up to five minutes", () => {
  let breaker: Breaker | undefined;
  const waits = [1, 2, 3, 4, 5, 6, 7, 8].map(() => {
    breaker = leaveBreaker(breaker, "r/a/1", down(), 0);
    return breaker?.until;
  });
  assert.deepEqual(waits, [5e3, 10e3, 20e3, 40e3, 80e3, 160e3, 300e3, 300e3]);
});

test("what needs a person is one question: others meet the same, and wait while the cure is tried", () => {
  const open = leaveBreaker(undefined, "r/a/1", failureOf("auth_required"), 0);
  const met = enterBreaker(open, "r/b/1", 100);
  assert.ok(!met.entrance.go);
  assert.equal(met.entrance.failure.category, "fatal");
  const cure = enterBreaker(open, "r/a/2", 20_000);
  assert.ok(cure.entrance.go);
  const meanwhile = enterBreaker(cure.next, "r/b/2", 20_100);
  assert.ok(!meanwhile.entrance.go);
  assert.equal(meanwhile.entrance.failure.category, "transient");
});

test("what a person's answer leads to goes through at once, one at a time; of an outage it waits as all do", () => {
  const open = leaveBreaker(undefined, "r/a/1", failureOf("auth_required"), 0);
  const cure = enterBreaker(open, "q/b/2", 100, true);
  assert.ok(cure.entrance.go);
  const beside = enterBreaker(cure.next, "r/c/2", 200, true);
  assert.ok(!beside.entrance.go);
  assert.equal(beside.entrance.failure.category, "transient", "it is not asked again");
  const outage = leaveBreaker(undefined, "r/a/1", down({ retryAfterMs: 60_000 }), 0);
  assert.ok(!enterBreaker(outage, "q/b/2", 100, true).entrance.go);
});

test("never two starts at once while it is open, whoever comes and whenever", () => {
  const step = fc.record({
    by: fc.nat(5),
    after: fc.nat(30_000),
    ends: fc.boolean(),
    ok: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let breaker = leaveBreaker(undefined, "first", down(), 0);
      let now = 0;
      let probe: string | undefined;
      for (const [index, { by, after, ends, ok }] of steps.entries()) {
        now += after;
        if (breaker === undefined) return;
        if (ends && probe !== undefined) {
          breaker = leaveBreaker(breaker, probe, ok ? undefined : down(), now);
          probe = undefined;
          continue;
        }
        const { next, entrance } = enterBreaker(breaker, `a${by}/${index}`, now);
        if (entrance.go && next !== undefined) {
          assert.equal(probe, undefined, "a second probe");
          const own = breaker.seenBy.startsWith(`a${by}/`);
          assert.ok(own || now >= breaker.until, "before its time");
          probe = next.probe?.by;
        }
        breaker = next;
      }
    }),
  );
});
