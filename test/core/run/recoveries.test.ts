// proves: B3, B7, B10, D2, E9, U8
import assert from "node:assert/strict";
import { test } from "node:test";
import { ruleName, type Situation } from "../../../src/core/policy/situation.ts";
import type { FailureKind } from "../../../src/core/kinds.ts";
import { ladder } from "../../../src/core/policy/ladder.ts";
import type { LadderPolicy, Policy } from "../../../src/core/policy/policy.ts";
import { PRESETS } from "../../../src/core/policy/presets.ts";
import { Driver, NO_PROGRESS, plan, subtask } from "./driver.ts";

const one = plan([subtask("a")]);
const still = { treeBefore: "t", treeAfter: "t" };
const down = { failure: { origin: "provider" as const }, remains: still };
const policyOf = (rungs: LadderPolicy["rungs"], more: Partial<LadderPolicy> = {}): Policy =>
  ladder({ ...PRESETS.standard, ...more, rungs });
const ASK = { id: "end", do: "ask" } as const;
const noRecovery = { ...PRESETS.standard.recovery, totalRecoveryBudget: 0 };
const judged = (run: Driver) =>
  run.all("failure-classified").map(({ counted, verdict }) => [counted, verdict]);
const last = <T>(list: readonly T[]): T | undefined => list.at(-1);

test("lost and interrupted attempts are no verdict, and count from the fourth in a row", () => {
  for (const kind of ["lost", "interrupted"] as const) {
    const run = new Driver("standard", one);
    for (let time = 0; time < 4; time += 1) run.fails("a", kind, { remains: still });
    assert.deepEqual(judged(run), [
      [false, false],
      [false, false],
      [false, false],
      [true, false],
    ]);
    assert.deepEqual(
      run.all("progress-scored").map(({ attempt }) => attempt),
      [4],
      "what counts is scored",
    );
  }
  const broken = new Driver("standard", one);
  for (let time = 0; time < 3; time += 1) broken.fails("a", "lost", { remains: still });
  broken.red("a");
  assert.equal(broken.of("a").cutOffs, 0);
  broken.fails("a", "lost", { remains: still });
  assert.deepEqual(last(judged(broken)), [false, false], "three in a row, not in all");
});

test("a hang is a verdict that counts; infrastructure is neither", () => {
  const hung = new Driver("standard", one);
  hung.fails("a", "hung", { remains: still });
  assert.deepEqual(judged(hung), [[true, true]]);
  const out = new Driver("standard", one);
  out.fails("a", "server_error", down);
  assert.deepEqual(judged(out), [[false, false]]);
  assert.deepEqual(out.all("progress-scored"), []);
});

test("a full context is a verdict, scored and uncounted until its cap is reached", () => {
  const run = new Driver("standard", one);
  const idle = { remains: { ...still, signals: NO_PROGRESS } };
  for (let time = 0; time < 6; time += 1) run.fails("a", "context_exhausted", idle);
  assert.deepEqual(judged(run), [...Array.from({ length: 5 }, () => [false, true]), [true, true]]);
  assert.equal(run.all("progress-scored").length, 6);
});

test("malformed output is free while it is asked for again, and only where structure rules are", () => {
  const run = new Driver("standard", one);
  for (let time = 0; time < 3; time += 1) run.fails("a", "malformed_output", { remains: still });
  assert.deepEqual(judged(run), [
    [false, true],
    [false, true],
    [true, true],
  ]);
  const plain = new Driver("recovery-actions", one);
  plain.fails("a", "malformed_output", { remains: still });
  assert.deepEqual(judged(plain), [[true, true]]);
});

test("what is free is no iteration; what counts is one; the loop's own next attempt is not", () => {
  const iteration = (
    policy: Policy | "standard" | "stuck-recovery",
    kind: FailureKind,
    more = {},
  ) => {
    const run = new Driver(policy, one);
    run.fails("a", kind, { remains: still, ...more });
    const { spec } = run.of("a").running[0] ?? {};
    return [spec?.recovery, spec?.iteration];
  };
  assert.deepEqual(iteration("standard", "lost"), ["retry", false]);
  assert.deepEqual(iteration("standard", "malformed_output"), ["retry", false]);
  assert.deepEqual(iteration("standard", "unknown"), ["retry", true]);
  assert.deepEqual(iteration("standard", "hung"), ["retry", true]);
  assert.deepEqual(iteration("stuck-recovery", "unknown"), ["retry", false]);
  const other = policyOf([{ id: "other", do: "sidegrade" }, ASK]);
  assert.deepEqual(iteration(other, "looping"), ["sidegrade", true]);
  const atOnce = policyOf([ASK], { wait: { ...PRESETS.standard.wait, delaysMs: [] } });
  assert.deepEqual(iteration(atOnce, "server_error", down), ["sidegrade", false]);
});

test("a wait is a timer with what comes after it", () => {
  const run = new Driver("standard", one);
  run.fails("a", "server_error", down);
  const spec = { ...run.of("a").lastSpec, context: "keep", recovery: "wait", iteration: false };
  assert.deepEqual(last(run.all("wait-scheduled")), {
    kind: "wait-scheduled",
    subtask: "a",
    timer: 1,
    dueAt: 1_005_000,
    reason: "schedule",
    spec,
    since: 1_000_000,
    ofService: true,
  });
  run.fire("a");
  assert.deepEqual(run.of("a").running[0]?.spec, spec);
  run.fails("a", "server_error", down);
  const second = last(run.all("wait-scheduled"));
  assert.deepEqual([second?.timer, second?.since], [2, 1_000_000]);
});

test("what a policy is told", () => {
  const told: Omit<Situation, "possible" | "failure" | "past">[] = [];
  const pasts: Situation["past"][] = [];
  const rungs = policyOf([{ id: "more", do: "mutate" }, ASK], { circular: "record" });
  const spy: Policy = {
    ...rungs,
    choose: (situation) => {
      const { possible: _, failure: __, past, ...rest } = situation;
      told.push(rest);
      pasts.push(past);
      return rungs.choose(situation);
    },
  };
  const idle = { remains: { signals: NO_PROGRESS } };
  const run = new Driver(spy, one);
  for (let time = 0; time < 4; time += 1) run.red("a", idle);
  assert.deepEqual(told, [
    { attempts: 1, stuck: false, goodCommit: false, uses: {}, left: { starts: 20 } },
    { attempts: 2, stuck: false, goodCommit: false, uses: { more: 1 }, left: { starts: 19 } },
    { attempts: 3, stuck: true, goodCommit: false, uses: { more: 2 }, left: { starts: 18 } },
    { attempts: 4, stuck: true, goodCommit: false, uses: { more: 3 }, left: { starts: 17 } },
  ]);
  const failed = {
    ...{ tierStep: 0, tier: 1, agent: "small", failure: "verification_failed" },
    ...{ progress: false, circular: false, refused: false },
  };
  const again = { ...failed, recovery: "mutate", items: "same" };
  assert.deepEqual(pasts.slice(0, 3), [
    [failed],
    [failed, again],
    [failed, again, { ...again, stuck: "verification_failed" }],
  ]);
  told.length = 0;
  new Driver(spy, one, { goodCommit: "g" }).red("a");
  assert.deepEqual(told, [
    { attempts: 1, stuck: false, goodCommit: true, uses: {}, left: { starts: 20 } },
  ]);
});

/** Three red attempts whose trees are A, B and A again. */
function circle(policy: Policy | "recovery-actions" | "tier-ladder", more = {}): Driver {
  const run = new Driver(policy, one, more);
  let before = "start";
  for (const tree of ["A", "B", "A"]) {
    run.red("a", { remains: { treeBefore: before, treeAfter: tree } });
    before = tree;
  }
  return run;
}
const why = "attempt 3 ends with the tree of failed attempt 1, after attempt 2 had left it";

test("a circular fix is banned, made the failure's kind, or only recorded, as the policy says", () => {
  const feedback = policyOf([{ id: "again", do: "feedback" }, { id: "other", do: "mutate" }, ASK]);
  const seen = { kind: "circular-fix-seen", subtask: "a", because: why };
  const banned = circle(feedback);
  assert.deepEqual(banned.all("circular-fix-seen"), [{ ...seen, ban: true }]);
  assert.deepEqual(banned.recoveries(), ["feedback", "feedback", "mutate"]);
  const kind = circle("recovery-actions");
  assert.deepEqual(kind.all("circular-fix-seen"), [{ ...seen, ban: false }]);
  assert.deepEqual(kind.of("a").banned, []);
  assert.equal(last(kind.all("recovery-chosen"))?.chosenBy.id, "circular");
  assert.equal(kind.of("a").checkpoint?.context.kind, "circular_fix");
  const recorded = circle("tier-ladder");
  assert.deepEqual(recorded.all("circular-fix-seen"), [{ ...seen, ban: false }]);
  assert.equal(last(recorded.all("recovery-chosen"))?.chosenBy.id, "top-tier");
  for (const run of [banned, recorded])
    assert.match(last(run.all("recovery-chosen"))?.because ?? "", /^verification failed: /);
});

test("a circular fix as a kind keeps what was seen beside why it is one", () => {
  let because: readonly string[] = [];
  const rungs = policyOf([{ id: "again", do: "feedback" }, ASK], { circular: "kind" });
  circle({
    ...rungs,
    choose: (situation) => {
      ({ because } = situation.failure);
      return rungs.choose(situation);
    },
  });
  assert.deepEqual(because, [why, "failing: t 3"]);
});

test("after a circular fix the next recovery is a different one, whatever the last one was", () => {
  const rungs: LadderPolicy["rungs"] = [
    { id: "more", do: "mutate" },
    { id: "up", do: "escalate" },
    ASK,
  ];
  assert.deepEqual(circle(policyOf(rungs)).recoveries(), ["mutate", "mutate", "escalate"]);
  const recorded = policyOf(rungs, { circular: "record" });
  assert.deepEqual(circle(recorded).recoveries(), ["mutate", "mutate", "mutate"]);
});

test("a build broken alike for the third time is circular, and not rolled back once more", () => {
  const run = new Driver("standard", one, { goodCommit: "g" });
  for (let time = 0; time < 3; time += 1)
    run.fails("a", "broken_build", { failure: { signature: "same", origin: "tool" } });
  assert.deepEqual(run.recoveries(), ["fresh", "fresh", "mutate"]);
});

test("a rule's recovery has to respect the limits, unless it is a guard rail's and free", () => {
  const strict = plan([subtask("a", { limits: { maxRetries: 0 } })]);
  const rules = (policy: Policy | "standard", of: typeof one, kind: FailureKind, more = {}) => {
    const run = new Driver(policy, of, { goodCommit: "g" });
    run.fails("a", kind, { failure: { origin: "tool" }, ...more });
    return run.all("recovery-chosen").map(({ chosenBy }) => ruleName(chosenBy));
  };
  const poor = policyOf([ASK], { recovery: noRecovery });
  assert.deepEqual(rules("standard", one, "broken_build"), ["structure:broken-build"]);
  assert.deepEqual(rules("standard", strict, "broken_build"), ["give-up"]);
  assert.deepEqual(rules(poor, one, "malformed_output"), ["end"]);
  const checked = { remains: still };
  assert.deepEqual(rules("standard", strict, "hung", checked), ["give-up"], "it counts");
  assert.deepEqual(rules("standard", strict, "lost", checked), ["guard:cut-off"], "it is free");
  assert.deepEqual(rules(poor, one, "lost", checked), ["guard:cut-off"]);
});

test("a person's own work that is still red is judged, but not scored", () => {
  const run = new Driver("standard", one);
  run.fails("a", "auth_required", { remains: still });
  run.answer("a/c1", { kind: "manual", done: true });
  assert.equal(run.of("a").attempt, 2);
  run.checked("a", ["t"]);
  const decisions = run.checked("a", ["t"]);
  assert.deepEqual(
    decisions.map(({ kind }) => kind),
    ["failure-classified", "recovery-chosen", "attempt-queued", "attempt-dispatched"],
  );
  const [about] = decisions;
  assert.ok(about?.kind === "failure-classified");
  assert.deepEqual([about.failure.kind, about.counted], ["verification_failed", true]);
  assert.equal(run.running("a"), 3);
});

test("words outlive an interruption as they do a loss", () => {
  const run = new Driver("standard", one);
  run.fails("a", "auth_required", { remains: still });
  run.answer("a/c1", { kind: "retry", words: "use 8080" });
  run.fails("a", "interrupted", { remains: still });
  assert.equal(run.of("a").words, "use 8080");
  run.fails("a", "hung", { remains: still });
  assert.equal(run.of("a").words, undefined);
});
