// proves: U4
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  EMPTY_LEDGER,
  fit,
  measuresAt,
  MEASURES,
  raise,
  reserve,
  settle,
} from "../../src/core/budget.ts";
import type { Budget, Ledger } from "../../src/core/budget.ts";

test("an attempt gets its cap, or what is left, or the name of what is used up", () => {
  assert.deepEqual(fit({ usd: 10 }, EMPTY_LEDGER, { usd: 4 }), {
    ok: true,
    cap: { usd: 4, attempts: 1 },
  });
  assert.deepEqual(fit({ usd: 3 }, EMPTY_LEDGER, { usd: 4 }), {
    ok: true,
    cap: { usd: 3, attempts: 1 },
  });
  assert.deepEqual(fit({ usd: 1 }, EMPTY_LEDGER, { usd: 4 }), {
    ok: true,
    cap: { usd: 1, attempts: 1 },
  });
  assert.deepEqual(fit({ usd: 0.9 }, EMPTY_LEDGER, { usd: 4 }), { ok: false, measure: "usd" });
  assert.deepEqual(fit({ usd: 4, attempts: 1 }, reserve(EMPTY_LEDGER, { attempts: 1 }), {}), {
    ok: false,
    measure: "attempts",
  });
});

test("a limited measure without a cap reserves all that is left", () => {
  const ledger: Ledger = { spent: { tokens: 30 }, reserved: { tokens: 20 } };
  assert.deepEqual(fit({ tokens: 100 }, ledger, {}), {
    ok: true,
    cap: { tokens: 50, attempts: 1 },
  });
});

test("nothing left is not enough, also for an attempt without a cap", () => {
  const spent = (tokens: number): Ledger => ({ spent: { tokens }, reserved: {} });
  assert.deepEqual(fit({ tokens: 100 }, spent(100), {}), { ok: false, measure: "tokens" });
  assert.deepEqual(fit({ tokens: 100 }, spent(101), {}), { ok: false, measure: "tokens" });
  assert.deepEqual(fit({ tokens: 100 }, spent(99), {}), {
    ok: true,
    cap: { tokens: 1, attempts: 1 },
  });
});

test("what nobody could tell is charged at its cap", () => {
  const ledger = settle(
    reserve(EMPTY_LEDGER, { usd: 2, tokens: 100 }),
    { usd: 2, tokens: 100 },
    { usd: 0.5 },
  );
  assert.deepEqual(ledger, { spent: { usd: 0.5, tokens: 100 }, reserved: { usd: 0, tokens: 0 } });
});

test("warning at a share of the limit", () => {
  assert.deepEqual(measuresAt({ usd: 10 }, { spent: { usd: 7.9 }, reserved: { usd: 9 } }, 0.8), []);
  const spent = { usd: 8, tokens: 10, timeMs: 80, attempts: 1 };
  const limit = { usd: 10, timeMs: 100, attempts: 2 };
  assert.deepEqual(measuresAt(limit, { spent, reserved: {} }, 0.8), ["usd", "timeMs"]);
});

test("a top-up raises only what is limited", () => {
  assert.deepEqual(raise({ usd: 1 }, { usd: 2, tokens: 5 }), { usd: 3 });
});

const amounts = fc.record(
  { usd: fc.nat(50), tokens: fc.nat(5000), timeMs: fc.nat(9000), attempts: fc.nat(20) },
  { requiredKeys: [] },
);

test("spent plus reserved stays within every limit, whatever is dispatched and however it ends", () => {
  fc.assert(
    fc.property(
      amounts,
      amounts,
      fc.array(fc.tuple(fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true })), {
        maxLength: 40,
      }),
      (limit, cap, moves) => {
        let ledger = EMPTY_LEDGER;
        const running: Budget[] = [];
        for (const [start, share] of moves) {
          const granted = start ? fit(limit, ledger, cap) : undefined;
          if (granted?.ok === true) {
            ledger = reserve(ledger, granted.cap);
            running.push(granted.cap);
          } else {
            const ended = running.pop();
            if (ended === undefined) continue;
            const used = Object.fromEntries(
              Object.entries(ended).map(([measure, amount]) => [measure, amount * share]),
            );
            ledger = settle(ledger, ended, used);
          }
          for (const measure of MEASURES) {
            const most = limit[measure];
            const taken = (ledger.spent[measure] ?? 0) + (ledger.reserved[measure] ?? 0);
            assert.ok(most === undefined || taken <= most + 1e-9, `${measure} ${taken} > ${most}`);
          }
        }
      },
    ),
  );
});
