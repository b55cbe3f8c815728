// proves: V5
import assert from "node:assert/strict";
import { test } from "node:test";
import { FULL } from "../../large-form.ts";
import { assertFinished, endedRun, endsOf } from "./killed-results.ts";

const APPLY = ["apply:rescued", "apply:packed", "apply:written", "apply:staged"];
const UNDO = ["undo:rescued", "undo:files", "undo:staged"];
/** All points, and both ways on from each, only in the large form: each costs several starts of the command. */
const points = FULL ? [...APPLY, ...UNDO] : ["apply:written", "undo:files"];
const ways = FULL ? (["apply", "undo"] as const) : [undefined];

test("V5: killed anywhere, apply is finished by the next apply and taken back by the next undo, and so is undo", () => {
  const ended = endedRun();
  const { here, run, done } = ended;
  try {
    const ends = endsOf(ended);
    for (const [number, point] of points.entries())
      for (const way of ways) {
        const isApply = point.startsWith("apply");
        if (!isApply) done("apply", run);
        const dying = here.unstuckWith(
          { UNSTUCK_CRASH_AT: point },
          isApply ? "apply" : "undo",
          run,
        );
        assert.equal(dying.code, null, `${point}: ${dying.out}${dying.err}`);
        const next = way ?? (number % 2 === 0 ? "apply" : "undo");
        assertFinished(ended, next, ends);
        if (next === "apply") done("undo", run);
      }
  } finally {
    here.remove();
  }
});
