// proves: C7, U8
// Recorded runs under another policy: it is told where that would have chosen otherwise, and no more than is recorded.
import assert from "node:assert/strict";
import { test } from "node:test";
import { adaptive } from "../../../src/core/adaptive/adaptive.ts";
import { backtest, type Backtest } from "../../../src/core/history/backtest.ts";
import { ladder } from "../../../src/core/policy/ladder.ts";
import type { LadderPolicy, Policy } from "../../../src/core/policy/policy.ts";
import { PRESETS, type PresetName } from "../../../src/core/policy/presets.ts";
import { standardRules } from "../../../src/core/rules/standard.ts";
import { Driver, NO_PROGRESS, plan, subtask } from "../run/driver.ts";

const one = plan([subtask("a")]);
const replayed = (run: Driver, policy: Policy): Backtest => {
  const replay = backtest(policy, standardRules());
  for (const [index, event] of run.journal.entries()) replay.add(index + 1, event);
  return replay.result();
};
const passes = (run: Driver): void => {
  run.ended("a");
  run.checked("a", "passed");
  run.merged("a");
};
/** Other words first, then the failing output. */
const WORDS_FIRST: LadderPolicy = {
  ...{ ...PRESETS.standard, name: "words-first" },
  rungs: [
    { id: "mutate", do: "mutate", times: 1 },
    { id: "feedback", do: "feedback", times: 1 },
    { id: "ask", do: "ask" },
  ],
};

test("under its own policy a run is chosen the same, whichever it was", () => {
  const policies: readonly (PresetName | Policy)[] = [
    ...(Object.keys(PRESETS) as PresetName[]),
    adaptive(),
  ];
  for (const policy of policies) {
    const run = new Driver(policy, one, { goodCommit: "g" });
    run.fails("a", "server_overloaded", { failure: { origin: "provider" } });
    if (run.of("a").phase === "waiting") run.fire("a");
    for (let turn = 0; run.of("a").phase === "running" && turn < 12; turn += 1)
      run.red("a", { remains: { signals: NO_PROGRESS, approach: `way ${turn}` } });
    const { decisions, otherwise, unclear } = replayed(run, run.policy);
    assert.ok(decisions > 1);
    assert.deepEqual([otherwise, unclear], [[], 0], run.policy.name);
  }
});

test("what was tried later is told with what came of it; what never was is not known", () => {
  const run = new Driver(ladder(WORDS_FIRST), one, { goodCommit: "g" });
  run.red("a");
  run.red("a");
  passes(run);
  const { decisions, otherwise } = replayed(run, ladder(PRESETS.standard));
  assert.equal(decisions, 2);
  assert.deepEqual(
    otherwise.map(({ did, came, would, tried }) => [did, came, would, tried]),
    [["mutate", "failed", "feedback", "worked"]],
  );
  const never = replayed(run, ladder({ ...WORDS_FIRST, rungs: [{ id: "new", do: "fresh" }] }));
  assert.deepEqual(
    never.otherwise.map(({ did, came, would, tried }) => [did, came, would, tried]),
    [
      ["mutate", "failed", "fresh", undefined],
      ["feedback", "worked", "fresh", undefined],
    ],
  );
});

test("a question says nothing of what came of it, and a policy that looks again first has chosen nothing yet", () => {
  const asked = new Driver(ladder({ ...WORDS_FIRST, rungs: [{ id: "ask", do: "ask" }] }), one);
  asked.red("a");
  const [first] = replayed(asked, ladder(PRESETS.standard)).otherwise;
  assert.deepEqual([first?.did, first?.came, first?.would], ["ask", "unknown", "feedback"]);
  const preset = new Driver("tier-ladder", one);
  preset.ended("a");
  preset.checked("a", ["t"]);
  const [look] = replayed(preset, ladder(PRESETS.standard)).otherwise;
  assert.deepEqual([look?.did, look?.would], ["feedback", undefined]);
});

test("events that this version cannot decide on are counted, never a crash", () => {
  const run = new Driver("standard", one);
  run.red("a");
  const throwing: Policy = {
    ...ladder(PRESETS.standard),
    choose: () => {
      throw new Error("no");
    },
  };
  assert.deepEqual(replayed(run, throwing), { decisions: 1, otherwise: [], unclear: 1 });
});
