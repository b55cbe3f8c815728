// proves: C8
import assert from "node:assert/strict";
import { test } from "node:test";
import { adaptive } from "../../../src/core/adaptive/adaptive.ts";
import type { PastAttempt } from "../../../src/core/policy/situation.ts";
import { Driver, plan, subtask } from "../run/driver.ts";
import { attempt, situationOf } from "./situations.ts";

const PASTS: readonly (readonly PastAttempt[])[] = [
  [attempt()],
  [attempt(), attempt({ recovery: "feedback", items: "same", progress: false })],
  [attempt({ failure: "no_progress", progress: false })],
  [attempt(), attempt({ recovery: "feedback", items: "other" }), attempt({ recovery: "mutate" })],
];

const OTHER_WAYS: readonly string[] = ["explore", "mutate", "sidegrade"];

test("in an exploratory subtask other ways come sooner and stronger models later, and never less is possible", () => {
  let differs = 0;
  for (const past of PASTS) {
    const order = (exploratory: boolean): readonly string[] =>
      adaptive()
        .choose({ ...situationOf(past), exploratory })
        .considered.flatMap(({ rung, success }) => (success === undefined ? [] : [rung]));
    const [usual, open] = [order(false), order(true)];
    assert.deepEqual(open.toSorted(), usual.toSorted());
    const place = (of: readonly string[], move: string): number =>
      of.filter((one) => one === move || !OTHER_WAYS.includes(one)).indexOf(move);
    for (const move of OTHER_WAYS)
      assert.ok(place(open, move) <= place(usual, move), `${move} in ${open.join(" ")}`);
    assert.ok(open.indexOf("escalate") >= usual.indexOf("escalate"), open.join(" "));
    if (open.join() !== usual.join()) differs += 1;
  }
  assert.ok(differs >= 3);
});

test("a run is told by its plan", () => {
  const chosen = (exploratory: boolean): string | undefined => {
    const run = new Driver(adaptive(), plan([subtask("a", exploratory ? { exploratory } : {})]), {
      goodCommit: "g",
    });
    run.red("a");
    return run
      .all("recovery-chosen")[0]
      ?.considered.map(({ rung }) => rung)
      .join();
  };
  assert.notEqual(chosen(true), chosen(false));
});
