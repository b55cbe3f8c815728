/**
 * The policies that are compared, in the form of a plan's `policy:`. `knowing` is told the hidden cause of each task:
 * the best any policy could achieve.
 */
import type { Cause } from "../../src/core/adaptive/causes.ts";

type PolicyFile = Readonly<Record<string, unknown>>;

const STARTS = 8;

/** The same for all: the budget of recovery starts, and waits short enough for a laboratory. */
const COMMON = {
  recovery: { totalRecoveryBudget: STARTS },
  wait: { delaysMs: [100, 100, 100], outage: { baseMs: 1000, capMs: 1000 } },
};

const ladder = (name: string, ...rungs: readonly object[]): PolicyFile => ({
  ...{ extends: "standard", name, ...COMMON },
  rungs: rungs.map((rung, index) => ({ id: `r${index + 1}`, ...rung })),
});

const NEXT_TIER = { do: "escalate", to: "tier", times: 1 };
const TOP_TIER = { do: "escalate", to: "top", thinking: true, times: 1 };
const FEEDBACK = { do: "feedback" };
const RETRY = { do: "retry" };

export const POLICIES: Readonly<Record<string, PolicyFile>> = {
  adaptive: { extends: "adaptive", ...COMMON },
  standard: { extends: "standard", ...COMMON },
  "escalate-first": ladder("escalate-first", NEXT_TIER, TOP_TIER, FEEDBACK),
  "always-fresh": ladder("always-fresh", { do: "fresh" }, RETRY),
  "naive-retry": { ...ladder("naive-retry", RETRY), structure: false, circular: "record" },
};

/** The name under which each task gets the policy of its own cause. */
export const KNOWING = "knowing-the-cause";

export const KNOWING_BY_CAUSE: { readonly [cause in Cause]: PolicyFile } = {
  transient: ladder("knows", RETRY),
  mistake: ladder("knows", FEEDBACK),
  misread: ladder("knows", { do: "mutate", times: 5 }, FEEDBACK),
  capability: ladder("knows", NEXT_TIER, TOP_TIER, FEEDBACK),
  pollution: ladder("knows", { do: "fresh" }, RETRY),
  environment: ladder("knows", { do: "repair" }, FEEDBACK),
  person: ladder("knows", { do: "ask" }),
};
