// proves: C7, E11, U8
// The adaptive policy in whole runs of the core: guard rails and structure rules bind it as they bind `standard`, what it
// is told of the past is what was recorded, its belief is recorded, and replay asks it nothing.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { adaptive } from "../../../src/core/adaptive/adaptive.ts";
import { ADAPTIVE } from "../../../src/core/adaptive/policy-data.ts";
import { policyOf } from "../../../src/core/adaptive/policy-of.ts";
import type { Origin } from "../../../src/core/evidence.ts";
import { firstMoveOf, isInfrastructure } from "../../../src/core/failure.ts";
import type { FirstMove } from "../../../src/core/kind-traits.ts";
import { FAILURE_KINDS, type FailureKind } from "../../../src/core/kinds.ts";
import type { LearnedCounts } from "../../../src/core/learning/counts.ts";
import type { Policy } from "../../../src/core/policy/policy.ts";
import type { PastAttempt } from "../../../src/core/policy/situation.ts";
import type { DecisionOf } from "../../../src/core/run/decision.ts";
import { MUTATIONS, type RecoveryName } from "../../../src/core/recovery.ts";
import { evidenceFor } from "../repair/every-strategy.ts";
import { Driver, failureOf, plan, subtask } from "./driver.ts";

const one = plan([subtask("a")]);

/** The adaptive policy, with what it was told. */
function watched(): { readonly policy: Policy; readonly told: (readonly PastAttempt[])[] } {
  const told: (readonly PastAttempt[])[] = [];
  const policy = adaptive();
  return {
    told,
    policy: {
      ...policy,
      choose: (situation) => {
        told.push(situation.past ?? []);
        return policy.choose(situation);
      },
    },
  };
}

const still = { treeBefore: "t", treeAfter: "t" };

/** What comes first for a kind; an attempt that repeated itself may have spoiled the tree too, so it may start fresh. */
const FIRST: { readonly [move in FirstMove]: readonly RecoveryName[] } = {
  ...{ wait: ["wait"], repair: ["repair"], "re-ask": ["retry"], retry: ["retry"] },
  ...{ continue: ["continue"], fresh: ["fresh"], feedback: ["feedback"], ask: ["ask"] },
  ...{ mutate: ["mutate", "fresh"], different: ["mutate", "fresh"] },
};

function firstOf(kind: FailureKind, origin: Origin, changed: boolean): RecoveryName | undefined {
  const run = new Driver(adaptive(), one, { goodCommit: "g" });
  const remains = changed ? {} : { remains: still };
  if (kind === "verification_failed") run.red("a");
  else if (kind === "no_progress") run.red("a", { remains: still });
  else run.fails("a", kind, { failure: { origin }, evidence: evidenceFor(kind), ...remains });
  while (run.of("a").stages.some((stage) => stage.kind === "checks")) run.checked("a", ["t"]);
  return chosen(run).recoveries[0]?.kind;
}

const chosen = (run: Driver): DecisionOf<"recovery-chosen"> => {
  const found = run.journal.findLast((event) => event.kind === "recovery-chosen");
  assert.ok(found?.kind === "recovery-chosen");
  return found;
};

describe("a run under the adaptive policy", () => {
  test("gives every kind first what the table of kinds says", () => {
    let rows = 0;
    for (const kind of FAILURE_KINDS.filter((name) => name !== "circular_fix"))
      for (const origin of ["provider", "agent", "tool"] as const) {
        const move = firstMoveOf(kind, origin);
        if (move === "wait" && !isInfrastructure(failureOf(kind, { origin }))) continue;
        rows += 1;
        const first = firstOf(kind, origin, move === "continue");
        const may = kind === "no_progress" ? ["mutate"] : FIRST[move];
        assert.ok(first !== undefined && may.includes(first), `${kind} of ${origin}: ${first}`);
      }
    assert.ok(rows > 80, `only ${rows} rows`);
  });

  test("a repair that keeps failing here is not the first any more, whatever the tables say", () => {
    const learned = (won: number, lost: number): LearnedCounts => ({
      version: 1,
      cells: {
        "syntax_error|repair|0|small": { won, lost },
        "syntax_error|feedback|0|small": { won: lost, lost: won },
      },
    });
    const first = (counts: LearnedCounts): string => {
      const run = new Driver(adaptive({ learned: counts }), one, { goodCommit: "g" });
      run.fails("a", "syntax_error", {
        ...{ failure: { origin: "tool" }, evidence: evidenceFor("syntax_error") },
      });
      return chosen(run).chosenBy.id;
    };
    assert.equal(first(learned(0, 0)), "repair");
    assert.equal(first(learned(9, 1)), "repair");
    assert.equal(first(learned(1, 40)), "feedback");
  });

  test("puts the task in words that no earlier prompt had, wherever a recovery can", () => {
    const run = new Driver(adaptive(), one, { goodCommit: "good" });
    while (run.of("a").phase === "running") run.red("a", { failing: ["t1", "t2"] });
    const chosen = run.all("recovery-chosen").flatMap(({ recoveries }) => recoveries);
    const words = chosen.map((recovery) =>
      recovery.kind === "mutate"
        ? recovery.mutation
        : "wording" in recovery
          ? recovery.wording
          : undefined,
    );
    const first = words.filter((word) => word !== undefined).slice(0, MUTATIONS.length);
    assert.equal(chosen[0]?.kind, "feedback");
    assert.equal(words[0], "examples");
    assert.deepEqual([...first].sort(), [...MUTATIONS].sort());
    assert.equal(run.of("a").attempts[1]?.wording, "examples");
  });

  test("records its belief and what it weighed, and asks a person before the budget is gone", () => {
    const { policy, told } = watched();
    const run = new Driver(policy, one, { goodCommit: "good" });
    while (run.of("a").phase === "running") run.red("a", { failing: ["t1", "t2"] });
    const moves = run.all("recovery-chosen").map(({ chosenBy }) => chosenBy.id);
    assert.equal(run.of("a").phase, "asking");
    assert.equal(moves.at(-1), "ask");
    assert.ok(run.of("a").iterations <= ADAPTIVE.recovery.totalRecoveryBudget / 2);
    assert.ok(new Set(moves).size >= 4, moves.join(" "));
    const { belief, considered, because } = chosen(run);
    assert.ok(belief !== undefined && belief.person > 0.2);
    assert.ok(considered.length > 5 && because !== "");
    const last = told.at(-1) ?? [];
    assert.equal(last.length, told.length);
    assert.equal(last[0]?.recovery, undefined);
    assert.deepEqual(
      last.slice(1).map(({ recovery }) => recovery),
      moves.slice(0, -1).map((move) => (move === "think" ? "escalate" : move)),
    );
    assert.ok(last.slice(1).every(({ items }) => items === "same"));
  });

  test("is told what the checks left failing, beside what failed before", () => {
    const { policy, told } = watched();
    const run = new Driver(policy, one, { goodCommit: "good" });
    for (const failing of [["x", "y"], ["x"], ["x", "z"], ["w"]]) run.red("a", { failing });
    assert.deepEqual(
      told.at(-1)?.map(({ items }) => items),
      [undefined, "fewer", "more", "other"],
    );
  });

  test("a fatal kind goes to a person at once, an outage waits, a broken build starts fresh", () => {
    const fatal = new Driver(adaptive(), one, { goodCommit: "good" });
    fatal.fails("a", "auth_required");
    assert.deepEqual(chosen(fatal).chosenBy, { by: "guard", id: "fatal" });
    const outage = new Driver(adaptive(), one, { goodCommit: "good" });
    outage.fails("a", "server_overloaded", { failure: { origin: "provider" } });
    assert.equal(chosen(outage).recoveries[0]?.kind, "wait");
    assert.equal(chosen(outage).belief, undefined);
    const build = new Driver(adaptive(), one, { goodCommit: "good" });
    build.fails("a", "broken_build");
    assert.deepEqual(chosen(build).chosenBy, { by: "structure", id: "broken-build" });
  });

  test("as data it is the same policy, with the price it names", () => {
    const policy = policyOf({ ...ADAPTIVE, personPrice: 0.5 });
    assert.equal(policy.settings.structure, true);
    const run = new Driver(policy, one, { goodCommit: "good" });
    run.fails("a", "looping");
    assert.equal(chosen(run).chosenBy.id, "ask");
    assert.equal(run.of("a").phase, "asking");
  });
});
