// proves: U21, J10
import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "../../../src/core/defined.ts";
import type { Plan } from "../../../src/core/plan/plan.ts";
import { PRESETS, type PresetName } from "../../../src/core/policy/presets.ts";
import type { Answer } from "../../../src/core/run/input.ts";
import { Driver, plan, subtask } from "./driver.ts";

const INSTALL = { tool: "Bash", command: "npm install" };
const one = plan([subtask("a")]);
const still = { treeBefore: "t", treeAfter: "t" };
const refused = { remains: { ...still, refused: [INSTALL] } };

const asked = (of = one): Driver => {
  const run = new Driver("standard", of);
  run.red("a", refused);
  return run;
};

test("an attempt that ends red is asked about at once, in every policy, with the exact command", () => {
  for (const policy of Object.keys(PRESETS) as PresetName[]) {
    const run = new Driver(policy, one);
    run.red("a", refused);
    const { checkpoint, phase, attempt } = run.of("a");
    assert.deepEqual([phase, attempt], ["asking", 1], policy);
    assert.match(checkpoint?.question ?? "", /was not allowed to use `npm install`\. Allow it\?/);
    assert.equal(run.all("failure-classified")[0]?.failure.kind, "permission_denied");
    assert.match(run.of("a").attempts[0]?.error ?? "", /^not permitted: npm install\n/);
  }
});

test("an attempt that passes anyway is not asked about", () => {
  const run = new Driver("standard", one);
  run.green("a", { remains: { refused: [INSTALL] } });
  assert.deepEqual([run.of("a").phase, run.recoveries()], ["verified", []]);
});

test("what only wanted to look is a cause only where nothing was done", () => {
  const look = { tool: "Bash", command: "git log" };
  const worked = new Driver("standard", one);
  worked.red("a", { remains: { refused: [look] } });
  assert.equal(worked.of("a").phase, "running");
  const stood = new Driver("standard", one);
  stood.red("a", { remains: { ...still, refused: [look] } });
  assert.equal(stood.of("a").phase, "asking");
});

test("nobody is asked about what the plan says must never happen", () => {
  const after = (never: Plan["never"]) => {
    const run = new Driver("standard", plan([subtask("a")], defined({ never })));
    run.red("a", { remains: { ...still, refused: [INSTALL] } });
    return run.of("a").phase;
  };
  assert.equal(after(undefined), "asking");
  assert.equal(after(["sudo", "delete"]), "asking", "other things");
  assert.equal(after(["sudo", "install"]), "running");
});

test("each answer is carried out: once, in this run, always, without", () => {
  const after = (answer: Answer["kind"]): Driver => {
    const run = asked();
    run.answer("a/c1", { kind: answer } as Answer);
    return run;
  };
  const specOf = (run: Driver) => run.of("a").running[0]?.spec;
  const once = after("allow-once");
  assert.deepEqual([specOf(once)?.allow, once.state.allowed], [[INSTALL], []]);
  for (const kind of ["allow-run", "allow-always"] as const) {
    const run = after(kind);
    assert.deepEqual([specOf(run)?.allow, run.state.allowed], [undefined, [INSTALL]]);
    assert.deepEqual(specOf(run)?.prompt.permits, { allowed: ["npm install"] });
  }
  const without = after("without");
  assert.deepEqual(without.of("a").declined, [INSTALL]);
  assert.deepEqual(specOf(without)?.prompt.permits, { without: ["npm install"] });
  assert.deepEqual([specOf(without)?.context, specOf(without)?.tree.kind], ["keep", "keep"]);
});

test("nobody is asked twice: not about what they declined, nor about what was allowed in vain", () => {
  for (const kind of ["without", "allow-once", "allow-run"] as const) {
    const run = asked();
    run.answer("a/c1", { kind });
    run.red("a", refused);
    assert.equal(run.of("a").phase, "running", kind);
  }
  const again = asked();
  again.answer("a/c1", { kind: "allow-once" });
  again.red("a");
  again.red("a", refused);
  assert.equal(again.of("a").phase, "asking", "once was for one attempt");
});

test("one question for all who were refused the same; the answer counts for each", () => {
  const run = new Driver("standard", plan([subtask("a"), subtask("b")], { concurrency: 2 }));
  run.red("a", refused);
  run.red("b", refused);
  assert.deepEqual(run.of("a").checkpoint?.also, ["b"]);
  run.answer("a/c1", { kind: "without" });
  for (const id of ["a", "b"]) assert.deepEqual(run.of(id).declined, [INSTALL]);
});

test("what destroys is neither allowed for longer nor recommended, and is an unsafe action", () => {
  for (const [command, once] of [
    ["git push --force", ["allow-once"]],
    ["rm -rf ~", []],
  ] as const) {
    const run = new Driver("standard", one);
    run.red("a", { remains: { ...still, refused: [{ tool: "Bash", command }] } });
    const { options = [], recommendation } = run.of("a").checkpoint ?? {};
    assert.deepEqual(
      [options.map(({ answer }) => answer), recommendation],
      [["without", ...once, "retry", "manual", "skip"], "without"],
      command,
    );
    assert.equal(run.all("failure-classified")[0]?.failure.kind, "unsafe_action");
  }
  const tool = new Driver("standard", one);
  tool.red("a", { remains: { ...still, refused: [{ tool: "WebSearch", command: "x" }] } });
  const offered = tool.of("a").checkpoint?.options.map(({ answer }) => answer) ?? [];
  assert.ok(offered.includes("allow-run") && !offered.includes("allow-always"), "no rule for it");
});
