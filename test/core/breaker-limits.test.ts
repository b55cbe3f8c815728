// proves: C9, U2
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Failure } from "../../src/core/failure.ts";
import { enterBreaker, leaveBreaker, type Breaker } from "../../src/core/breaker.ts";
import { failureOf } from "./run/driver.ts";

const down = (more: Partial<Failure> = {}): Failure =>
  failureOf("rate_limited", { origin: "provider", ...more });
const open: Breaker = {
  kind: "rate_limited",
  origin: "provider",
  seenBy: "r/a/1",
  since: 1000,
  until: 61_000,
  failures: 1,
};
const probed: Breaker = { ...open, probe: { by: "r/b/1", since: 61_000 } };
const go = { go: true };

test("closed: everybody goes", () => {
  assert.deepEqual(enterBreaker(undefined, "r/a/1", 0), { next: undefined, entrance: go });
});

test("open: what starting would meet, until exactly its time", () => {
  const { next, entrance } = enterBreaker(open, "r/b/1", 60_999);
  assert.equal(next, open);
  assert.deepEqual(entrance, {
    go: false,
    failure: {
      kind: "rate_limited",
      category: "transient",
      origin: "provider",
      confidence: 1,
      because: ["r/a/1 met rate_limited: nothing was started"],
      signature: "incident rate_limited",
      heldMs: 1,
    },
  });
  assert.deepEqual(enterBreaker(open, "r/b/1", 61_000), { next: probed, entrance: go });
});

test("the subtask that met it goes by its own waits; one of a like name does not", () => {
  const own = enterBreaker(open, "r/a/2", 2000);
  assert.deepEqual(own, { next: { ...open, probe: { by: "r/a/2", since: 2000 } }, entrance: go });
  for (const by of ["r/ab/1", "q/a/1", "r/a/1/2", "a/1"])
    assert.equal(enterBreaker(open, by, 2000).entrance.go, false, by);
});

test("while one tries, the others wait ten seconds at a time; after ninety it has found it well", () => {
  const at = (now: number) => enterBreaker(probed, "r/c/1", now);
  const denied = at(61_000 + 89_999);
  assert.equal(denied.next, probed);
  assert.ok(!denied.entrance.go);
  assert.deepEqual(denied.entrance.failure, {
    kind: "rate_limited",
    category: "transient",
    origin: "provider",
    confidence: 1,
    because: ["r/b/1 is trying whether it works again: nothing was started"],
    signature: "incident rate_limited",
    heldMs: 10_000,
  });
  assert.deepEqual(at(61_000 + 90_000), { next: undefined, entrance: go });
  const again = enterBreaker(probed, "r/b/1", 62_000);
  assert.deepEqual(again, {
    next: { ...probed, probe: { by: "r/b/1", since: 62_000 } },
    entrance: go,
  });
});

test("what needs a person: fatal for the others, but only a wait while the cure is tried", () => {
  for (const kind of ["auth_required", "auth_expired", "billing"] as const) {
    const asked: Breaker = { ...open, kind, origin: "agent", until: 15_000 };
    const met = enterBreaker(asked, "r/b/1", 5000);
    assert.ok(!met.entrance.go);
    assert.deepEqual(
      [met.entrance.failure.kind, met.entrance.failure.category, met.entrance.failure.origin],
      [kind, "fatal", "agent"],
    );
    const tried: Breaker = { ...asked, probe: { by: "r/a/2", since: 16_000 } };
    const meanwhile = enterBreaker(tried, "r/b/1", 16_001);
    assert.ok(!meanwhile.entrance.go);
    const { failure } = meanwhile.entrance;
    assert.deepEqual(
      [failure.kind, failure.category, failure.origin, failure.signature],
      ["server_overloaded", "transient", "provider", `incident ${kind}`],
    );
  }
});

test("how long it stays open: a person's cure, the reset, the server's word, else doubled", () => {
  const until = (failure: Failure, before?: Breaker): number | undefined =>
    leaveBreaker(before, "r/a/1", failure, 1000)?.until;
  assert.equal(until(failureOf("billing", { retryAfterMs: 1 })), 16_000);
  const resetAt = new Date(9000).toISOString();
  assert.equal(until(down({ resetAt, retryAfterMs: 1 })), 9000);
  assert.equal(until(down({ resetAt: new Date(500).toISOString() })), 1000, "it has passed");
  assert.equal(until(down({ retryAfterMs: 777 })), 1777);
  assert.equal(until(down()), 6000);
  assert.equal(until(down(), { ...open, until: 0, failures: 1 }), 11_000);
  assert.equal(until(down(), { ...open, until: 0, failures: 900 }), 301_000);
  assert.equal(until(down(), open), 61_000, "never shorter than it was");
});

test("what it remembers after a failure, and that a failure of the work closes it for the probe only", () => {
  assert.deepEqual(leaveBreaker(probed, "r/b/1", down({ kind: "server_error" }), 62_000), {
    kind: "server_error",
    origin: "provider",
    seenBy: "r/b/1",
    since: 1000,
    until: 72_000,
    failures: 2,
  });
  assert.deepEqual(leaveBreaker(undefined, "r/b/1", down(), 7000)?.since, 7000);
  const work = failureOf("verification_failed", { origin: "check" });
  assert.equal(leaveBreaker(probed, "r/b/1", work, 62_000), undefined);
  assert.equal(leaveBreaker(probed, "r/c/1", work, 62_000), probed);
  assert.equal(leaveBreaker(open, "r/c/1", undefined, 62_000), open);
  assert.equal(leaveBreaker(undefined, "r/c/1", undefined, 62_000), undefined);
});
