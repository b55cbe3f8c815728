// proves: A5, A6, A8, B7, E7
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelEntry, Plan, Subtask } from "../../../src/core/plan/plan.ts";
import type { FailureKind } from "../../../src/core/kinds.ts";
import { PRESETS } from "../../../src/core/policy/presets.ts";
import type { Rung } from "../../../src/core/policy/situation.ts";
import { RECOVERY_NAMES, RECOVERIES, type RecoveryName } from "../../../src/core/recovery.ts";
import { possible, type RecoveryView } from "../../../src/core/run/decide/possible-recoveries.ts";
import type { SubtaskState } from "../../../src/core/run/subtask-state.ts";
import { nextRepair } from "../../../src/core/repair/run-repair.ts";
import { Driver, failureOf, plan, subtask } from "./driver.ts";

interface Setting {
  readonly state?: Partial<SubtaskState>;
  readonly view?: Partial<RecoveryView>;
  readonly recovery?: Partial<RecoveryView["settings"]["recovery"]>;
  readonly plan?: Partial<Plan>;
  readonly of?: Partial<Subtask>;
  readonly rung?: Partial<Rung>;
}

/** What is offered of this recovery, or the words of the refusal. */
function offered(name: RecoveryName, setting: Setting = {}): unknown {
  const of = subtask("a", setting.of);
  const whole = plan([of], setting.plan);
  const start = new Driver("standard", whole).of("a");
  const settings = PRESETS.standard;
  const found = possible(
    {
      failure: failureOf("verification_failed"),
      plan: whole,
      of,
      subtask: { ...start, ...setting.state },
      settings: { ...settings, recovery: { ...settings.recovery, ...setting.recovery } },
      nextRepair,
      notAgain: false,
      ...setting.view,
    },
    name,
    setting.rung ?? {},
  );
  return found.ok ? found.recovery : found.why;
}

const [weak, , middle, strong] = plan([]).ladder as readonly [
  ModelEntry,
  ModelEntry,
  ModelEntry,
  ModelEntry,
];
const up = (entry: ModelEntry, thinking = false, budgetFactor = 1) => ({
  kind: "escalate",
  entry,
  thinking,
  budgetFactor,
});

const rows: readonly [string, RecoveryName, Setting, unknown][] = [
  ["skip", "skip", {}, { kind: "skip" }],
  ["ask", "ask", {}, { kind: "ask" }],
  ["retry", "retry", {}, { kind: "retry" }],
  ["feedback", "feedback", {}, { kind: "feedback" }],
  ["wait is no choice of a policy", "wait", {}, "waits are chosen by the guard rails"],
  ["no good commit", "fresh", {}, "no good commit is known"],
  ["a good commit", "fresh", { state: { goodCommit: "g" } }, { kind: "fresh", goodCommit: "g" }],
  [
    "in words that no prompt has used",
    "fresh",
    {
      rung: { mutations: ["rephrase", "examples", "constrain"] },
      state: {
        goodCommit: "g",
        mutationsTried: ["rephrase"],
        attempts: [{ wording: "examples" } as SubtaskState["attempts"][number]],
      },
    },
    { kind: "fresh", goodCommit: "g", wording: "constrain" },
  ],
  [
    "with other words beside it",
    "feedback",
    { rung: { mutations: ["examples"] } },
    { kind: "feedback", wording: "examples" },
  ],
  [
    "in the same words once all others were used",
    "feedback",
    { rung: { mutations: ["examples"] }, state: { mutationsTried: ["examples"] } },
    { kind: "feedback" },
  ],
  ["another model of the tier", "sidegrade", {}, { kind: "sidegrade", entry: plan([]).ladder[1] }],
  [
    "none is left",
    "sidegrade",
    { state: { entriesUsed: plan([]).ladder } },
    "no other model of this tier",
  ],
  ["one tier up", "escalate", {}, up(middle)],
  ["one rank up", "escalate", { rung: { to: "rank" } }, up(plan([]).ladder[1] ?? weak)],
  [
    "to the top, with all it has",
    "escalate",
    { rung: { to: "top", thinking: true, budgetFactor: 2 } },
    up(strong, true, 2),
  ],
  [
    "at the top",
    "escalate",
    { state: { entry: strong } },
    "already at the top of the model ladder",
  ],
  ["the first mutation", "mutate", {}, { kind: "mutate", mutation: "rephrase" }],
  [
    "the next that was not tried",
    "mutate",
    { state: { mutationsTried: ["rephrase", "constrain"] } },
    { kind: "mutate", mutation: "decompose" },
  ],
  [
    "one whose words no prompt has used comes first",
    "mutate",
    { state: { attempts: [{ wording: "rephrase" } as SubtaskState["attempts"][number]] } },
    { kind: "mutate", mutation: "decompose" },
  ],
  [
    "the rung's own",
    "mutate",
    { rung: { mutations: ["negative"] } },
    { kind: "mutate", mutation: "negative" },
  ],
  [
    "the rung's own was tried",
    "mutate",
    { rung: { mutations: ["negative"] }, state: { mutationsTried: ["negative"] } },
    "every mutation was tried",
  ],
  [
    "as many as allowed",
    "mutate",
    { state: { mutationsTried: ["rephrase", "decompose", "constrain"] } },
    "3 mutations were tried",
  ],
  [
    "no chain for this kind",
    "repair",
    { view: { failure: failureOf("looping") } },
    "no recovery chain for looping",
  ],
  ["a full context may be handed over", "continue", {}, { kind: "continue" }],
  ["four times in vain", "continue", { state: { continues: 4 } }, { kind: "continue" }],
  [
    "five times in vain",
    "continue",
    { state: { continues: 5 } },
    "continued 5 times without progress",
  ],
  ["49 in all", "continue", { state: { continuesTotal: 49 } }, { kind: "continue" }],
  ["50 in all", "continue", { state: { continuesTotal: 50 } }, "continued 50 times"],
  [
    "exploration is off",
    "explore",
    { recovery: { branchExploration: false } },
    "branch exploration is off",
  ],
  [
    "room for one branch only",
    "explore",
    { state: { iterations: 19 } },
    "the recovery budget is too small for two branches",
  ],
];
for (const [name, recovery, setting, expected] of rows)
  test(`${recovery}: ${name}`, () => {
    assert.deepEqual(offered(recovery, setting), expected);
  });

const MISSING = "bash: line 1: jq: command not found";

/** A subtask whose last attempt failed with these words, and what it may try. */
const failedWith = (
  kind: FailureKind,
  error: string,
  strategiesTried: readonly string[] = [],
): Setting => ({
  view: { failure: failureOf(kind, { origin: "tool" }) },
  state: { strategiesTried, attempts: [{ error } as SubtaskState["attempts"][number]] },
});

test("a repair takes the strategies of its chain in their order, each once", () => {
  const names = ["command_not_found/alternative_command", "command_not_found/manual_installation"];
  const allowed: Setting = { plan: { permissions: { install: "allow" } } };
  for (const [index, strategy] of names.entries())
    assert.deepEqual(
      offered("repair", {
        ...allowed,
        ...failedWith("command_not_found", MISSING, names.slice(0, index)),
      }),
      { kind: "repair", strategy },
    );
  assert.equal(
    offered("repair", { ...allowed, ...failedWith("command_not_found", MISSING, names) }),
    "every strategy of the chain was tried",
  );
  const other = [`timeout/${names[0]?.split("/")[1]}`];
  assert.deepEqual(
    offered("repair", failedWith("command_not_found", MISSING, other)),
    { kind: "repair", strategy: names[0] },
    "another kind's strategy of the same name is another strategy",
  );
});

// proves: J1
const passedOver: readonly [string, Setting, unknown][] = [
  [
    "what needs a permission nobody gave",
    failedWith("command_not_found", MISSING, ["command_not_found/alternative_command"]),
    "no strategy of the chain is left: manual_installation needs permission to install software",
  ],
  [
    "what the error has no values for",
    failedWith("timeout", "it timed out", ["timeout/reduce_scope", "timeout/increase_timeout"]),
    "no strategy of the chain is left: stream_results needs the command that took too long, background_execution needs the command that took too long",
  ],
  [
    "a path outside is written inside instead; the one inside is not",
    failedWith("permission_denied", "EACCES: permission denied, open 'src/a.txt'"),
    "no strategy of the chain can be used: try_sandbox_directory needs a path outside the project, check_permissions needs permission to change permissions",
  ],
  [
    "the second where the first does not apply",
    {
      ...failedWith("permission_denied", "EACCES: permission denied, open 'src/a.txt'"),
      plan: { permissions: { sudo: "allow" } },
    },
    { kind: "repair", strategy: "permission_denied/check_permissions" },
  ],
  [
    "a check that fails is repaired by nobody",
    {
      ...failedWith("file_not_found", "grep: hello.txt: No such file or directory"),
      view: { failure: failureOf("file_not_found", { origin: "check" }) },
    },
    "what a check finds is for the work to mend",
  ],
];
for (const [title, setting, expected] of passedOver)
  test(`a repair passes over what cannot be used: ${title}`, () => {
    assert.deepEqual(offered("repair", setting), expected);
  });

test("an exploration: as many branches as fit, each with its share of what is left", () => {
  const branches = (setting: Setting) =>
    (
      offered("explore", setting) as {
        branches: { id: string; approach: string; entry: ModelEntry; iterations: number }[];
      }
    ).branches;
  const shape = (setting: Setting) => {
    const found = branches(setting);
    return [found.length, found[0]?.iterations];
  };
  assert.deepEqual(shape({}), [3, 6]);
  assert.deepEqual(shape({ recovery: { totalRecoveryBudget: 90 } }), [3, 10]);
  assert.deepEqual(shape({ recovery: { branchCount: 9, totalRecoveryBudget: 10 } }), [5, 2]);
  assert.deepEqual(shape({ state: { iterations: 18 } }), [2, 1]);
  assert.deepEqual(shape({ state: { iterations: 17 } }), [3, 1]);
  assert.deepEqual(
    branches({}).map(({ id, approach, entry }) => [id, approach, entry.agent]),
    [
      ["bottom-up", "Start with the smallest component", "codex"],
      ["research-first", "Research before implementing", "small"],
      ["constrained", "Add specific constraints", "codex"],
    ],
  );
});

test("an exploration begins with what no prompt has said yet, in whatever attempt that was", () => {
  const attempts = [{ wording: "decompose" } as SubtaskState["attempts"][number]];
  const { branches } = offered("explore", { state: { attempts } }) as {
    branches: { id: string; tried?: readonly string[] }[];
  };
  assert.deepEqual(
    branches.map(({ id }) => id),
    ["research-first", "constrained", "top-down"],
  );
  assert.deepEqual(branches[0]?.tried, ["decompose"]);
});

test("a branch takes the strongest entry of its agent that is there and not weaker than our own", () => {
  const entryOf = (ladder: readonly ModelEntry[], own: ModelEntry): ModelEntry | undefined => {
    const state = { entry: own };
    const found = offered("explore", { plan: { ladder }, state }) as {
      branches: { entry: ModelEntry }[];
    };
    return found.branches[0]?.entry;
  };
  const own = { agent: "mine", tier: 2 };
  const codex = (tier: number, more: Partial<ModelEntry> = {}) => ({
    agent: "codex",
    model: `m${tier}`,
    tier,
    ...more,
  });
  assert.deepEqual(entryOf([own, codex(2), codex(3)], own), codex(3));
  assert.deepEqual(entryOf([codex(1), own], own), own, "a weaker one is no help");
  assert.deepEqual(entryOf([own, codex(2)], own), codex(2), "an equal one is");
  assert.deepEqual(entryOf([own, codex(3, { disabled: true })], own), own, "not a disabled one");
});

const starting = RECOVERY_NAMES.filter((name) => RECOVERIES[name].startsAgent && name !== "wait");
const missing = failedWith("command_not_found", MISSING);
const ready: Setting = { ...missing, state: { goodCommit: "g", ...missing.state } };
const within = (more: Setting): Setting => ({
  ...ready,
  ...more,
  state: { ...ready.state, ...more.state },
  view: { ...ready.view, ...more.view },
});

test("limits hold for every recovery that starts an agent, and for none that does not", () => {
  const limits: readonly [Setting, Setting, string][] = [
    [
      { state: { counted: 2 }, of: { limits: { maxRetries: 2 } } },
      { state: { counted: 3 }, of: { limits: { maxRetries: 2 } } },
      "all 2 retries are used",
    ],
    [
      { state: { counted: 1 }, plan: { maxSubtaskRetries: 1 } },
      { state: { counted: 2 }, plan: { maxSubtaskRetries: 1 } },
      "all 1 retries are used",
    ],
    [
      { state: { counted: 4 }, of: { limits: { maxRetries: 5 } }, plan: { maxSubtaskRetries: 1 } },
      { state: { counted: 6 }, of: { limits: { maxRetries: 5 } }, plan: { maxSubtaskRetries: 9 } },
      "all 5 retries are used",
    ],
    [
      { state: { counted: 3 }, view: { settings: PRESETS["tier-ladder"] } },
      { state: { counted: 4 }, view: { settings: PRESETS["tier-ladder"] } },
      "all 3 retries are used",
    ],
    [{ state: { counted: 49 } }, { state: { counted: 50 } }, "50 attempts were made"],
  ];
  for (const [under, over, why] of limits)
    for (const name of starting) {
      assert.equal(typeof offered(name, within(under)), "object", `${name} before: ${why}`);
      assert.equal(offered(name, within(over)), why, name);
    }
  const last = limits.at(-1)?.[1] ?? {};
  assert.deepEqual(offered("skip", within(last)), { kind: "skip" });
  assert.deepEqual(offered("ask", within(last)), { kind: "ask" });
});

test("the recovery budget ends recovery, but not the loop's own next attempt", () => {
  const used = within({ state: { iterations: 20 } });
  const why = "the recovery budget of 20 iterations is used up";
  for (const name of starting) assert.equal(offered(name, used), why, name);
  assert.deepEqual(offered("retry", within({ state: { iterations: 19 } })), { kind: "retry" });
  assert.deepEqual(offered("retry", { ...used, rung: { loop: true } }), { kind: "retry" });
  assert.equal(offered("retry", { ...used, rung: { loop: false } }), why);
});

test("after a circular fix: what is ruled out stays out, and the same again is no choice", () => {
  const banned = within({ state: { banned: ["retry", "feedback"] } });
  assert.equal(offered("retry", banned), "ruled out by a circular fix");
  assert.equal(offered("feedback", banned), "ruled out by a circular fix");
  assert.equal(typeof offered("mutate", banned), "object");
  const again = within({ state: { lastRecovery: "mutate" }, view: { notAgain: true } });
  assert.equal(offered("mutate", again), "a circular fix needs another recovery");
  assert.equal(typeof offered("escalate", again), "object");
  assert.equal(typeof offered("mutate", within({ state: { lastRecovery: "mutate" } })), "object");
});
