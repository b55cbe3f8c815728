// proves: A3, B2, D3, E5, E11
// Each preset by itself: which rung it chooses for a kind, a count and what is known, when everything can be carried out.
import assert from "node:assert/strict";
import { test } from "node:test";
import { categoryOf } from "../../../src/core/failure.ts";
import type { FailureKind } from "../../../src/core/kinds.ts";
import { ladder } from "../../../src/core/policy/ladder.ts";
import type { Choice } from "../../../src/core/policy/policy.ts";
import type { Rung, Situation } from "../../../src/core/policy/situation.ts";
import { PRESETS, type PresetName } from "../../../src/core/policy/presets.ts";
import type { Recovery, RecoveryName } from "../../../src/core/recovery.ts";

type Known = Partial<Omit<Situation, "failure" | "possible">> & {
  readonly never?: readonly RecoveryName[];
};

function chosen(preset: PresetName, kind: FailureKind, known: Known = {}): Choice & { of: Rung[] } {
  const { never = [], ...rest } = known;
  const asked: Rung[] = [];
  const choice = ladder(PRESETS[preset]).choose({
    failure: {
      kind,
      category: categoryOf(kind, "agent"),
      origin: "agent",
      confidence: 1,
      because: [],
      signature: "s",
    },
    attempts: 1,
    stuck: false,
    goodCommit: false,
    uses: {},
    possible: (name, rung) => {
      asked.push(rung as Rung);
      return never.includes(name)
        ? { ok: false, why: "not now" }
        : { ok: true, recovery: { kind: name } as Recovery };
    },
    ...rest,
  });
  return { ...choice, of: asked };
}

const used = (...rungs: readonly string[]): Record<string, number> =>
  Object.fromEntries(rungs.map((rung) => [rung, 9]));
const repaired: Known = { never: ["repair"] };

const rows: readonly [PresetName, FailureKind, Known, string][] = [
  ["recovery-actions", "circular_fix", {}, "circular"],
  ["recovery-actions", "broken_build", { goodCommit: true }, "rollback"],
  ["recovery-actions", "broken_build", {}, "no-good-commit"],
  ["recovery-actions", "verification_failed", { attempts: 2 }, "retry-verification"],
  ["recovery-actions", "verification_failed", { attempts: 3 }, "skip-verification"],
  ["recovery-actions", "context_exhausted", {}, "continue"],
  ["recovery-actions", "unknown", { attempts: 1, goodCommit: true }, "retry-unknown"],
  ["recovery-actions", "unknown", { attempts: 2, goodCommit: true }, "escalate"],
  ["hierarchical", "auth_required", {}, "fatal"],
  ["hierarchical", "agent_crash", {}, "level-2"],
  ["recovery-strategies", "timeout", {}, "chain"],
  ["recovery-strategies", "timeout", repaired, "ask-user"],
  ["stuck-recovery", "verification_failed", {}, "loop"],
  ["stuck-recovery", "verification_failed", { stuck: true }, "prompt-mutation"],
  ["tier-ladder", "verification_failed", { attempts: 1 }, "same-tier"],
  ["tier-ladder", "verification_failed", { attempts: 2 }, "next-tier"],
  ["tier-ladder", "verification_failed", { attempts: 2, never: ["escalate"] }, "same-tier-at-top"],
  ["tier-ladder", "verification_failed", { attempts: 3 }, "top-tier"],
  ["tier-ladder", "verification_failed", { attempts: 3, never: ["escalate"] }, "human-review"],
  ["standard", "unknown", {}, "unknown-retry"],
  ["standard", "unknown", { uses: used("unknown-retry") }, "unknown-ask"],
  ["standard", "agent_crash", {}, "crash-retry"],
  ["standard", "out_of_memory", { uses: used("crash-retry") }, "crash-sidegrade"],
  [
    "standard",
    "agent_crash",
    { uses: used("crash-retry", "crash-sidegrade") },
    "crash-smaller-scope",
  ],
  ["standard", "content_refused", {}, "refused-mutate"],
  ["standard", "content_refused", { uses: used("refused-mutate") }, "refused-sidegrade"],
  [
    "standard",
    "content_refused",
    { uses: used("refused-mutate", "refused-sidegrade") },
    "refused-ask",
  ],
  ["standard", "file_not_found", {}, "repair"],
  ["standard", "file_not_found", { stuck: true }, "mutate"],
  ["standard", "verification_failed", repaired, "feedback"],
  ["standard", "verification_failed", { ...repaired, stuck: true }, "mutate"],
  ["standard", "looping", repaired, "mutate"],
  ["standard", "no_progress", repaired, "mutate"],
];
for (const [preset, kind, known, rung] of rows)
  test(`${preset}: ${kind} ${JSON.stringify(known)} leads to ${rung}`, () => {
    assert.equal(chosen(preset, kind, known).chosenBy.id, rung);
  });

test("the stages of each preset, one after the other, as each is used up", () => {
  const stages = (preset: PresetName, kind: FailureKind, start: Known): string[] => {
    const uses: Record<string, number> = {};
    const seen: string[] = [];
    for (let turn = 0; turn < 30; turn += 1) {
      const { chosenBy, recoveries } = chosen(preset, kind, { ...start, uses });
      seen.push(chosenBy.id);
      if (recoveries.some(({ kind: name }) => name === "ask")) break;
      uses[chosenBy.id] = (uses[chosenBy.id] ?? 0) + 1;
    }
    return seen;
  };
  const stuck: Known = { ...repaired, stuck: true };
  assert.deepEqual(stages("stuck-recovery", "no_progress", stuck), [
    ...["prompt-mutation", "prompt-mutation", "prompt-mutation"],
    ...["model-escalation", "branch-exploration", "human-escalation"],
  ]);
  assert.deepEqual(stages("standard", "verification_failed", repaired), [
    ...["feedback", "feedback", "mutate", "mutate", "mutate"],
    ...["escalate", "top-tier", "explore", "give-up"],
  ]);
});

test("what a rung says beside its recovery", () => {
  const { of: loop, ...going } = chosen("stuck-recovery", "verification_failed");
  assert.deepEqual([going.loop, loop[0]?.loop], [true, true]);
  assert.equal(chosen("hierarchical", "agent_crash").fallThrough, true);
  const never = ["repair", "feedback", "mutate", "escalate", "explore"] as const;
  const last: Known = { attempts: 9, stuck: true, never };
  for (const preset of ["standard", "stuck-recovery", "tier-ladder"] as const)
    assert.equal(chosen(preset, "looping", last).alert, true, preset);
  for (const preset of ["recovery-actions", "recovery-strategies"] as const)
    assert.equal(chosen(preset, "looping", last).alert, undefined, preset);
  const { of: asked } = chosen("tier-ladder", "looping", { attempts: 3 });
  const { to, thinking, budgetFactor } = asked[0] ?? {};
  assert.deepEqual([to, thinking, budgetFactor], ["top", true, 2]);
  const top = chosen("standard", "looping", {
    ...last,
    never: [],
    uses: used("mutate", "escalate"),
  });
  assert.deepEqual(
    [top.chosenBy.id, top.of[0]?.thinking, top.of[0]?.budgetFactor],
    ["top-tier", true, 2],
  );
});

test("what the presets share where their source says nothing", () => {
  const { wait, progress, recovery } = PRESETS.standard;
  assert.deepEqual(wait, {
    delaysMs: [5000, 10_000, 20_000],
    outage: { baseMs: 60_000, capMs: 900_000 },
    resetMarginMs: 60_000,
    maxWaitMs: 43_200_000,
    then: "ask",
    sidegrade: true,
  });
  assert.deepEqual(progress, { threshold: 0.15, stuckAfter: 3, warnAfter: 2 });
  assert.deepEqual(recovery, {
    promptMutations: 3,
    branchExploration: true,
    branchCount: 3,
    branchBudget: 10,
    totalRecoveryBudget: 20,
  });
});
