// proves: C9
import assert from "node:assert/strict";
import { test } from "node:test";
import { Driver, plan, subtask } from "./driver.ts";

const ONE = { exitCode: 1, stdout: "src/base.ts(1,1): error TS1005: ';' expected." };
const OTHER = { exitCode: 1, stdout: "E   ModuleNotFoundError: No module named 'yaml'" };

/** Twice in a row its checks fail as they do on the base. */
function failsTwice(run: Driver, id: string, evidence = ONE): void {
  for (let time = 0; time < 2; time += 1) {
    run.ended(id);
    for (let [stage] = run.of(id).stages; stage?.kind === "checks"; [stage] = run.of(id).stages) {
      const { attempt, round } = stage;
      const result = { kind: "failed", failing: ["base"], evidence, onBase: true };
      run.give({ kind: "checks-ended", subtask: id, attempt, round, result });
    }
  }
}
const four = (): Driver =>
  new Driver(
    "standard",
    plan(
      ["a", "b", "c", "d"].map((id) => subtask(id)),
      { concurrency: 4 },
    ),
  );

test("one waits for the one that goes on, and says for whom and why", () => {
  const run = four();
  failsTwice(run, "a");
  failsTwice(run, "b");
  assert.deepEqual(run.all("recovery-chosen").at(-1), {
    kind: "recovery-chosen",
    subtask: "b",
    recoveries: [{ kind: "ask" }],
    chosenBy: { by: "guard", id: "broken-base" },
    because: "fails as the base did before the work began, and so does a: one of them is enough",
    considered: [],
    usesRung: false,
  });
  run.green("a");
  assert.deepEqual([run.of("b").phase, run.running("b"), run.state.causes], ["running", 3, {}]);
});

test("nobody waits for one that was skipped", () => {
  const run = four();
  failsTwice(run, "a");
  run.fails("a", "unsafe_action", { remains: { treeBefore: "t", treeAfter: "t" } });
  run.answer("a/c1", { kind: "skip" });
  failsTwice(run, "b");
  assert.deepEqual([run.of("b").phase, run.of("b").checkpoint], ["running", undefined]);
});

test("what is mended frees those who waited for that, and nobody else", () => {
  const run = four();
  for (const id of ["a", "b"]) failsTwice(run, id);
  for (const id of ["c", "d"]) failsTwice(run, id, OTHER);
  assert.deepEqual(
    ["a", "b", "c", "d"].map((id) => run.of(id).phase),
    ["running", "asking", "running", "asking"],
  );
  run.green("a");
  assert.deepEqual([run.of("b").phase, run.of("d").phase], ["running", "asking"]);
  run.green("c");
  assert.equal(run.of("d").phase, "running");
});

test("one that goes on alone, and is done, closes no question", () => {
  const run = four();
  failsTwice(run, "a");
  run.green("a");
  assert.deepEqual([run.of("a").phase, run.state.suspects], ["verified", {}]);
  assert.deepEqual(run.all("checkpoint-closed"), []);
});
