// proves: U4, V16
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  EMPTY_LEDGER,
  fit,
  measuresAt,
  MEASURES,
  narrowest,
  raise,
  reserve,
  settle,
} from "../../src/core/budget.ts";
import type { Budget, Ledger, Sharing } from "../../src/core/budget.ts";

const ALONE: Sharing = { places: 1, starting: 1 };

test("an attempt gets its cap, or what is left, or the name of what is used up", () => {
  assert.deepEqual(fit({ usd: 10 }, EMPTY_LEDGER, { usd: 4 }, ALONE), {
    ok: true,
    cap: { usd: 4, attempts: 1 },
  });
  assert.deepEqual(fit({ usd: 3 }, EMPTY_LEDGER, { usd: 4 }, ALONE), {
    ok: true,
    cap: { usd: 3, attempts: 1 },
  });
  assert.deepEqual(fit({ usd: 1 }, EMPTY_LEDGER, { usd: 4 }, ALONE), {
    ok: true,
    cap: { usd: 1, attempts: 1 },
  });
  assert.deepEqual(fit({ usd: 0.9 }, EMPTY_LEDGER, { usd: 4 }, ALONE), {
    ok: false,
    measure: "usd",
  });
  const taken = reserve(EMPTY_LEDGER, { attempts: 1 });
  assert.deepEqual(fit({ usd: 4, attempts: 1 }, taken, {}, ALONE), {
    ok: false,
    measure: "attempts",
  });
});

const spent = (tokens: number): Ledger => ({ spent: { tokens }, reserved: {}, untold: {} });
const capOf = (ledger: Ledger, sharing: Sharing): number | undefined => {
  const granted = fit({ tokens: 800 }, ledger, {}, sharing);
  return granted.ok ? granted.cap.tokens : undefined;
};

test("V16: without a cap an attempt gets a share: of half the budget, one part for each place", () => {
  assert.equal(capOf(EMPTY_LEDGER, ALONE), 400);
  assert.equal(capOf(EMPTY_LEDGER, { places: 4, starting: 4 }), 100);
  assert.equal(capOf(EMPTY_LEDGER, { places: 4, starting: 1 }), 100, "also when it starts alone");
  assert.equal(capOf(spent(600), ALONE), 200, "what is left");
  assert.equal(capOf(spent(700), { places: 4, starting: 2 }), 50, "dealt out evenly");
  assert.equal(capOf(spent(760), { places: 4, starting: 4 }), 25, "not below a quarter");
  assert.equal(capOf(spent(776), { places: 4, starting: 1 }), undefined);
  assert.equal(capOf(spent(800), ALONE), undefined);
  assert.equal(capOf(spent(801), ALONE), undefined);
});

test("the top of the ladder gets a larger share of money and tokens, not of time", () => {
  const limit = { usd: 80, tokens: 800, timeMs: 8000 };
  assert.deepEqual(fit(limit, EMPTY_LEDGER, {}, { places: 4, starting: 1, factor: 2 }), {
    ok: true,
    cap: { usd: 20, tokens: 200, timeMs: 1000, attempts: 1 },
  });
});

test("the narrowest of caps keeps to each of them", () => {
  const caps = [{ usd: 3, attempts: 1 }, { usd: 2, tokens: 9 }, { tokens: 10 }];
  assert.deepEqual(narrowest(caps), { usd: 2, tokens: 9, attempts: 1 });
});

test("V16: what nobody told is given back and counted as untold, never charged", () => {
  const cap = { usd: 2, tokens: 100, attempts: 1 };
  const told = settle(reserve(EMPTY_LEDGER, cap), cap, { usd: 0.5 });
  assert.deepEqual(told, {
    spent: { usd: 0.5, attempts: 1 },
    reserved: { usd: 0, tokens: 0, attempts: 0 },
    untold: { tokens: 1, timeMs: 1 },
  });
  const lost = settle(reserve(told, cap), cap, {});
  assert.deepEqual(lost.spent, { usd: 0.5, attempts: 2 }, "an attempt is one, whatever it tells");
  assert.deepEqual(lost.untold, { usd: 1, tokens: 2, timeMs: 2 });
});

const ledger = (spent: Budget, reserved: Budget = {}): Ledger => ({ spent, reserved, untold: {} });

test("warning at a share of the limit", () => {
  assert.deepEqual(measuresAt({ usd: 10 }, ledger({ usd: 7.9 }, { usd: 9 }), 0.8), []);
  const used = { usd: 8, tokens: 10, timeMs: 80, attempts: 1 };
  const limit = { usd: 10, timeMs: 100, attempts: 2 };
  assert.deepEqual(measuresAt(limit, ledger(used), 0.8), ["usd", "timeMs"]);
});

test("a top-up raises only what is limited", () => {
  assert.deepEqual(raise({ usd: 1 }, { usd: 2, tokens: 5 }), { usd: 3 });
});

const amounts = fc.record(
  { usd: fc.nat(50), tokens: fc.nat(5000), timeMs: fc.nat(9000), attempts: fc.nat(20) },
  { requiredKeys: [] },
);

const sharings = fc.record({
  places: fc.integer({ min: 1, max: 64 }),
  starting: fc.integer({ min: 1, max: 64 }),
});

test("spent plus reserved stays within every limit, whatever is dispatched and however it ends", () => {
  fc.assert(
    fc.property(
      amounts,
      amounts,
      sharings,
      fc.array(fc.tuple(fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true })), {
        maxLength: 40,
      }),
      (limit, cap, sharing, moves) => {
        let ledger = EMPTY_LEDGER;
        const running: Budget[] = [];
        for (const [start, share] of moves) {
          const granted = start ? fit(limit, ledger, cap, sharing) : undefined;
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

test("V16: as many attempts as there are places start at once, with whatever is spent, down to an eighth of the budget", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("usd", "tokens", "timeMs"),
      fc.double({ min: 0.01, max: 1e6, noNaN: true }),
      fc.integer({ min: 1, max: 64 }),
      fc.double({ min: 0, max: 0.87, noNaN: true }),
      (measure, most, places, share) => {
        const limit = { [measure]: most };
        let now: Ledger = { ...EMPTY_LEDGER, spent: { [measure]: most * share } };
        for (let starting = places; starting > 0; starting -= 1) {
          const granted = fit(limit, now, {}, { places, starting });
          assert.ok(granted.ok, `${places - starting} of ${places} started`);
          assert.ok((granted.cap[measure] ?? Infinity) <= most / 2, "never the whole budget");
          now = reserve(now, granted.cap);
        }
      },
    ),
  );
});
