// proves: J18, A6, A7, U13, U14
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { inRepository, type Repository } from "./repository.ts";
import { eventsOf, inputsOf, planFile, recoveriesOf } from "./runs.ts";

const FIX = "id: fix, prompt: make the value 2, checks: [sh check.sh]";
const IDLE = { print: "I am still looking into it" };

const MINE = [
  ...["extends: standard", "name: mine", "rungs:"],
  ...["  - { id: once-more, do: feedback, times: 1 }", "  - { id: stop, do: [skip, ask] }", ""],
].join("\n");

/** Writes it beside the plan, which is outside of the repository. */
function policyFile(here: Repository, text: string): string {
  const file = join(here.path, "..", "mine.yaml");
  writeFileSync(file, text);
  return file;
}

const rungsOf = (here: Repository): unknown[] =>
  eventsOf(here.events(), "recovery-chosen").map(
    (event) => (event["chosenBy"] as { id: string }).id,
  );

test("a plan names a policy file from its own folder; it is read once, and what an agent makes of it later counts for nothing", () =>
  inRepository((here) => {
    const file = policyFile(here, MINE);
    const agent = here.agent({ fix: [{ ...IDLE, write: { [file]: "extends: hierarchical\n" } }] });
    const plan = planFile(here, agent, [FIX], ["grounding: false", "policy: ./mine.yaml"]);
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 3, ran.out + ran.err);
    assert.deepEqual(rungsOf(here), ["once-more", "stop"]);
    const changed = here.unstuck("run", plan);
    assert.match(changed.err, /--trust/, "what was trusted had another policy");
    assert.equal(here.runs().length, 1);
  }));

test(
  "--policy takes a file from the folder the user is in, before the plan's own policy",
  inLargeForm("run"),
  () =>
    inRepository((here) => {
      policyFile(here, MINE);
      const plan = planFile(
        here,
        here.agent({ fix: [IDLE] }),
        [FIX],
        ["grounding: false", "policy: ./not-there.yaml"],
      );
      const ran = here.unstuck("run", plan, "--trust", "--policy", "../mine.yaml");
      assert.equal(ran.code, 3, ran.out + ran.err);
      assert.deepEqual(rungsOf(here), ["once-more", "stop"]);
    }),
);

for (const { name, policy, text, says } of [
  {
    name: "a rung that nobody knows",
    policy: "./mine.yaml",
    text: MINE.replace("do: feedback", "do: hope"),
    says: /mine\.yaml:4:\d+: rungs\.0\.do: /,
  },
  { name: "no such file", policy: "./other.yaml", text: MINE, says: /cannot read .*other\.yaml/ },
  {
    name: "a preset's name misspelt",
    policy: "standart",
    text: MINE,
    says: /did you mean standard/,
  },
])
  test(`a policy that cannot be used is told before anything starts: ${name}`, () =>
    inRepository((here) => {
      policyFile(here, text);
      const plan = planFile(here, here.agent({}), [FIX], ["grounding: false", `policy: ${policy}`]);
      const ran = here.unstuck("run", plan, "--trust");
      assert.equal(ran.code, 2, ran.out + ran.err);
      assert.match(ran.err, says);
      assert.deepEqual(here.runs(), []);
    }));

/** How many attempts had been started when the first of them ended, of an exploration with two branches. */
function branchesSideBySide(here: Repository, ...more: readonly string[]): number {
  const loop = "loop: { recovery: { branch_count: 2, branch_budget: 1 } }";
  const policy =
    "policy: { extends: stuck-recovery, rungs: [{ id: both, do: explore, times: 1 }] }";
  const settings = ["grounding: false", policy, loop, ...more];
  const ran = here.unstuck(
    "run",
    planFile(here, here.agent({ fix: [IDLE] }), [FIX, "id: other, prompt: p"], settings),
    "--trust",
  );
  assert.equal(ran.code, 3, ran.out + ran.err);
  const events = here.events();
  assert.deepEqual(recoveriesOf(events), ["explore", "ask"]);
  const [, ended] = inputsOf(events, "attempt-ended");
  const before = events.slice(
    0,
    events.findIndex(({ event }) => event["input"] === ended),
  );
  const dispatched = eventsOf(before, "attempt-dispatched");
  assert.ok(
    dispatched.every(({ subtask }) => subtask === "fix"),
    "one subtask at a time",
  );
  return dispatched.length - 1;
}

const hasCores = availableParallelism() > 1 ? false : "one core: one branch at a time";

test(
  "branches of an exploration work side by side where nobody set a concurrency",
  { skip: hasCores },
  () =>
    inRepository((here) => {
      assert.equal(branchesSideBySide(here), 2);
    }),
);

test("branches keep to the concurrency of the plan", inLargeForm("run"), () =>
  inRepository((here) => {
    assert.equal(branchesSideBySide(here, "concurrency: 1"), 1);
  }),
);

const ALERT = "critical alert: nothing automatic is left to try, it needs you";

test("the critical alert stands in the lines of a run, at its end and in status, until a person has answered", () =>
  inRepository((here) => {
    const loop =
      "loop: { stuck_after: 1, recovery: { prompt_mutations: 0, branch_exploration: false } }";
    const settings = ["grounding: false", "policy: stuck-recovery", loop];
    const plan = planFile(here, here.agent({ fix: [IDLE] }), [FIX], settings);
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 3, ran.err);
    assert.ok(ran.out.includes(`[fix] ${ALERT}\n`), ran.out);
    assert.ok(ran.out.replace(/\s+/g, " ").includes(`warning fix: ${ALERT}`), ran.out);
    const [run = ""] = here.runs();
    assert.ok(here.unstuck("status", run).out.replace(/\s+/g, " ").includes(ALERT));
    here.unstuck("resolve", "fix/c1", "--skip");
    here.unstuck("resume", run);
    const after = here.unstuck("status", run).out;
    assert.match(after, /skipped/);
    assert.doesNotMatch(after, /alert/);
  }));

test(
  "a question that a policy asks before it is at its end raises no alert",
  inLargeForm("run"),
  () =>
    inRepository((here) => {
      const settings = ["grounding: false", "policy: hierarchical"];
      const plan = planFile(here, here.agent({ fix: [IDLE] }), [FIX], settings);
      const { out } = here.unstuck("run", plan, "--trust");
      const [run = ""] = here.runs();
      assert.doesNotMatch(out + here.unstuck("status", run).out, /alert/);
    }),
);
