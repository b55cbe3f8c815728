/** Situations for the adaptive policy: what failed so far, and what is there to choose from. */
import type { FailureKind } from "../../../src/core/kinds.ts";
import type { PastAttempt, Possibility, Situation } from "../../../src/core/policy/situation.ts";
import type { Branch, Recovery, RecoveryName } from "../../../src/core/recovery.ts";
import { failureOf } from "../run/driver.ts";

export const attempt = (more: Partial<PastAttempt> = {}): PastAttempt => ({
  ...{ tierStep: 0, tier: 1, failure: "verification_failed", progress: true },
  ...{ circular: false, refused: false },
  ...more,
});

export interface Means {
  /** The tiers of the model ladder. */
  readonly tiers?: number;
  readonly tier?: number;
  readonly refused?: readonly RecoveryName[];
  /** There is a known repair, or another model. */
  readonly repair?: boolean;
  readonly sidegrade?: boolean;
}

const branch = (id: string): Branch => ({
  ...{ id, approach: id, entry: { agent: "a", tier: 1 }, iterations: 2 },
});

export function possibleWith(means: Means): Situation["possible"] {
  const { tiers = 3, tier = 1, refused = [], repair = false, sidegrade = false } = means;
  const yes = (recovery: Recovery): Possibility => ({ ok: true, recovery });
  const no = (why: string): Possibility => ({ ok: false, why });
  return (name, rung) => {
    if (refused.includes(name)) return no("refused");
    switch (name) {
      case "wait":
        return no("waits are chosen by the guard rails");
      case "repair":
        return repair ? yes({ kind: name, strategy: "s" }) : no("no recovery chain");
      case "mutate":
        return yes({ kind: name, mutation: rung.mutations?.[0] ?? "rephrase" });
      case "fresh":
        return yes({ kind: name, goodCommit: "c" });
      case "sidegrade":
        return sidegrade ? yes({ kind: name, entry: { agent: "b", tier } }) : no("no other model");
      case "escalate": {
        const to = rung.to === "top" ? tiers : tier + 1;
        if (to > tiers) return no("already at the top of the model ladder");
        const { thinking = false, budgetFactor = 1 } = rung;
        return yes({ kind: name, entry: { agent: "a", tier: to }, thinking, budgetFactor });
      }
      case "explore":
        return yes({ kind: name, branches: [branch("x"), branch("y"), branch("z")] });
      default:
        return yes({ kind: name });
    }
  };
}

export function situationOf(past: readonly PastAttempt[], means: Means = {}): Situation {
  const last = past.at(-1);
  const kind: FailureKind = last?.failure ?? "unknown";
  return {
    failure: failureOf(kind, { origin: "check" }),
    ...{ attempts: past.length, stuck: false, goodCommit: true, uses: {}, past },
    possible: possibleWith({ tier: last?.tier ?? 1, ...means }),
  };
}
