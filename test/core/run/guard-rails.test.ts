// proves: J7, B7, D1, D2, D5, E9, U1
import assert from "node:assert/strict";
import { test } from "node:test";
import { FAILURE_KINDS, type FailureKind, kindName } from "../../../src/core/kinds.ts";
import { isInfrastructure, type Failure } from "../../../src/core/failure.ts";
import type { PolicySettings } from "../../../src/core/policy/policy.ts";
import { ruleName } from "../../../src/core/policy/situation.ts";
import { PRESETS } from "../../../src/core/policy/presets.ts";
import {
  isCounted,
  structureRule,
  withoutChange,
} from "../../../src/core/run/decide/choose-recovery.ts";
import { guardRail, type GuardView } from "../../../src/core/run/decide/guard-rails.ts";
import type { SubtaskState } from "../../../src/core/run/subtask-state.ts";
import { Driver, failureOf, LADDER, plan, subtask } from "./driver.ts";

const START = new Driver("standard", plan([subtask("a")])).of("a");
const provider = (kind: FailureKind, more: Partial<Failure> = {}): Failure =>
  failureOf(kind, { origin: "provider", ...more });

const view = (
  failure: Failure,
  state: Partial<SubtaskState> = {},
  more: Partial<GuardView> = {},
): GuardView => ({
  failure,
  subtask: { ...START, ...state },
  settings: PRESETS.standard,
  plan: { ladder: LADDER },
  treeChanged: true,
  now: 1_000_000,
  chance: 0.5,
  ...more,
});
const chosen = (...of: Parameters<typeof view>): unknown => {
  const choice = guardRail(view(...of));
  return choice && [ruleName(choice.chosenBy), choice.recoveries];
};
const whole = (name: string, recovery: object, because: string) => ({
  recoveries: [recovery],
  chosenBy: { by: "guard", id: name },
  because,
  considered: [],
});

test("a fatal failure goes to a person at once", () => {
  for (const kind of FAILURE_KINDS.filter((one) => failureOf(one).category === "fatal"))
    assert.deepEqual(
      guardRail(view(failureOf(kind))),
      whole("fatal", { kind: "ask" }, `${kindName(kind)}: only a person can help`),
    );
});

test("a failure of the work itself is left to structure and policy", () => {
  const free = FAILURE_KINDS.filter((kind) => guardRail(view(failureOf(kind, { origin: "tool" }))));
  assert.deepEqual(
    free.toSorted(),
    [
      ...(["agent_missing", "auth_expired", "auth_required", "billing", "unsafe_action"] as const),
      ...(["context_exhausted", "hung", "interrupted", "lost"] as const),
    ].toSorted(),
  );
});

test("a full context is handed over, up to five times in vain and fifty times in all", () => {
  const full = failureOf("context_exhausted");
  assert.deepEqual(
    guardRail(view(full, { continues: 4, continuesTotal: 49 })),
    whole("continue", { kind: "continue" }, "the context is full: hand over to a new session"),
  );
  assert.equal(guardRail(view(full, { continues: 5 })), undefined);
  assert.equal(guardRail(view(full, { continuesTotal: 50 })), undefined);
});

test("a cut-off goes on from what was done, else starts again, three times in a row", () => {
  for (const kind of ["hung", "interrupted", "lost"] as const) {
    assert.deepEqual(
      guardRail(view(failureOf(kind), { cutOffs: 3 })),
      whole(
        "cut-off",
        { kind: "continue" },
        `${kindName(kind)} with work done: pick up from there`,
      ),
    );
    assert.deepEqual(
      guardRail(view(failureOf(kind), { cutOffs: 3 }, { treeChanged: false })),
      whole("cut-off", { kind: "retry" }, `${kindName(kind)} before any change: start again`),
    );
    assert.equal(guardRail(view(failureOf(kind), { cutOffs: 4 })), undefined);
  }
});

test("infrastructure waits: the schedule, the server's own time, the reset plus a minute", () => {
  const down = provider("server_error");
  assert.deepEqual(
    guardRail(view(down)),
    whole(
      "wait",
      { kind: "wait", wait: { dueAt: 1_005_000, reason: "schedule" } },
      "server error: not the agent's fault, so it does not count",
    ),
  );
  const wait = (dueAt: number, reason: string) => [
    "guard:wait",
    [{ kind: "wait", wait: { dueAt, reason } }],
  ];
  const outage = { streak: 2, since: 990_000 };
  assert.deepEqual(chosen(down, { outage }), wait(1_020_000, "schedule"));
  assert.deepEqual(
    chosen(provider("rate_limited", { retryAfterMs: 777 })),
    wait(1_000_777, "retry-after"),
  );
  const resetAt = new Date(1_300_000).toISOString();
  assert.deepEqual(chosen(provider("rate_limited", { resetAt })), wait(1_360_000, "reset"));
  const settings = PRESETS["recovery-strategies"];
  assert.deepEqual(
    chosen(provider("rate_limited"), {}, { settings }),
    wait(1_060_000, "rate-limit"),
  );
  assert.deepEqual(chosen(down, {}, { settings }), wait(1_005_000, "schedule"));
});

test("after the schedule: another model if the policy says so and there is one, then longer waits", () => {
  const down = provider("server_overloaded");
  const outage = { streak: 3, since: 990_000 };
  assert.deepEqual(
    guardRail(view(down, { outage })),
    whole(
      "wait-over",
      { kind: "sidegrade", entry: LADDER[1] },
      "the retries did not help: another model",
    ),
  );
  const longer = ["guard:wait", [{ kind: "wait", wait: { dueAt: 1_030_000, reason: "outage" } }]];
  assert.deepEqual(chosen(down, { outage, entriesUsed: LADDER }), longer);
  const quiet: PolicySettings = PRESETS["tier-ladder"];
  assert.deepEqual(chosen(down, { outage }, { settings: quiet }), longer);
  assert.deepEqual(chosen(down, { outage, entriesUsed: LADDER }, { chance: 0.9 }), [
    "guard:wait",
    [{ kind: "wait", wait: { dueAt: 1_054_000, reason: "outage" } }],
  ]);
});

test("what outlasts the longest wait is a person's, or the ladder's where the policy says so", () => {
  const down = provider("server_overloaded");
  const outage = { streak: 9, since: 1_000_000 - 12 * 3_600_000 };
  const state = { outage, entriesUsed: LADDER };
  assert.deepEqual(
    guardRail(view(down, state)),
    whole(
      "wait-over",
      { kind: "ask" },
      "server overloaded: it outlasted every wait that is allowed",
    ),
  );
  assert.equal(guardRail(view(down, state, { settings: PRESETS.hierarchical })), undefined);
  assert.ok(isInfrastructure(down));
});

const good = { ...START, goodCommit: "g" };

test("malformed output is asked for again twice, with a reminder", () => {
  const bad = failureOf("malformed_output");
  const reAsk = {
    recoveries: [{ kind: "retry", remind: "format" }],
    chosenBy: { by: "structure", id: "re-ask" },
    because: "the answer could not be read: ask again with a reminder of the format",
    considered: [],
  };
  assert.deepEqual(structureRule(bad, START), reAsk);
  const used = (times: number) => ({ ...START, uses: { "structure:re-ask": times } });
  assert.deepEqual(structureRule(bad, used(1)), reAsk);
  assert.equal(structureRule(bad, used(2)), undefined);
  assert.deepEqual(
    [1, 2].map((times) => isCounted(bad, used(times), { structure: true })),
    [false, true],
  );
  assert.equal(isCounted(bad, used(1), { structure: false, reAsk: true }), false);
  assert.equal(isCounted(bad, used(1), { structure: false }), true);
});

test("a broken build starts fresh from a good commit, and nothing else does", () => {
  assert.deepEqual(structureRule(failureOf("broken_build"), good), {
    recoveries: [{ kind: "fresh", goodCommit: "g" }],
    chosenBy: { by: "structure", id: "broken-build" },
    because: "the build is broken and a good commit is known: start fresh from it",
    considered: [],
  });
  assert.equal(structureRule(failureOf("broken_build"), START), undefined);
  const ruled = FAILURE_KINDS.filter((kind) => structureRule(failureOf(kind), good));
  assert.deepEqual(ruled.toSorted(), ["broken_build", "malformed_output"]);
});

test("red checks on an unchanged tree are no progress; nothing else becomes that", () => {
  const red = failureOf("verification_failed", { origin: "check" });
  assert.deepEqual(withoutChange(red, false), {
    ...red,
    kind: "no_progress",
    because: ["the tree is as it was before the attempt", "seen"],
  });
  assert.equal(withoutChange(red, true), red);
  const broken = failureOf("broken_build");
  assert.equal(withoutChange(broken, false), broken);
});
