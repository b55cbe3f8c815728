// proves: U4, U8
// What a policy is told of the budget: starts, and the scarcest measure that all attempts told.
import assert from "node:assert/strict";
import { test } from "node:test";
import { EMPTY_LEDGER, type Budget } from "../../../src/core/budget.ts";
import { PRESETS } from "../../../src/core/policy/presets.ts";
import { budgetLeft } from "../../../src/core/run/decide/choose-recovery.ts";

const recovery = { ...PRESETS.standard.recovery, totalRecoveryBudget: 8 };
const left = (limit: Budget, spent: Budget, untold: Budget = {}) =>
  budgetLeft({ ledger: { ...EMPTY_LEDGER, spent, untold }, limit, iterations: 3 }, { recovery });

for (const [what, limit, spent, untold, perSpent] of [
  ["no limit", {}, { usd: 1 }, {}, undefined],
  ["nothing spent yet", { usd: 4 }, {}, {}, undefined],
  ["a quarter spent", { usd: 4 }, { usd: 1 }, {}, 3],
  ["the scarcest counts", { usd: 4, tokens: 300 }, { usd: 1, tokens: 200 }, {}, 0.5],
  ["an agent that does not tell", { usd: 4 }, { usd: 1 }, { usd: 1 }, undefined],
  ["overdrawn", { usd: 4 }, { usd: 5 }, {}, 0],
] as const)
  test(what, () => {
    const expected = perSpent === undefined ? { starts: 5 } : { starts: 5, perSpent };
    assert.deepEqual(left(limit, spent, untold), expected);
  });
