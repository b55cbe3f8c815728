// proves: U22, J13, J14, J25
import assert from "node:assert/strict";
import { test } from "node:test";
import { PRESETS, type PresetName } from "../../../src/core/policy/presets.ts";
import { Driver, plan, subtask, NO_PROGRESS } from "./driver.ts";

const one = plan([subtask("a")]);
const still = { treeBefore: "t", treeAfter: "t", signals: NO_PROGRESS };
const asking = { remains: { ...still, asks: "Which port?" } };

test("a question is settled by the agent once, then by a person, in every policy", () => {
  for (const policy of Object.keys(PRESETS) as PresetName[]) {
    const run = new Driver(policy, one);
    run.red("a", asking);
    const told = run.of("a").running[0]?.spec;
    assert.deepEqual([told?.context, told?.prompt.remind], ["keep", "decide"], policy);
    run.red("a", asking);
    const { checkpoint, phase } = run.of("a");
    assert.deepEqual([phase, checkpoint?.context.asks], ["asking", "Which port?"], policy);
    assert.equal(run.all("attempt-dispatched").length, 2, policy);
  }
});

test("the answer goes on in the same session, with the question it answers", () => {
  const run = new Driver("standard", one);
  run.red("a", asking);
  run.red("a", asking);
  run.answer("a/c1", { kind: "retry", words: "8080" });
  const spec = run.of("a").running[0]?.spec;
  assert.deepEqual(
    [spec?.context, spec?.tree, spec?.prompt],
    ["keep", { kind: "keep" }, { answers: "Which port?", words: "8080" }],
  );
  run.red("a", asking);
  assert.equal(run.of("a").phase, "asking", "it is told only once to decide");
});

test("with green checks a closing question is no question", () => {
  const run = new Driver("standard", one);
  run.green("a", { remains: { asks: "Should I continue?" } });
  assert.deepEqual([run.of("a").phase, run.recoveries()], ["verified", []]);
});

test("an agent that fails and asks is heard too; one that is cut off or waits for its service is not", () => {
  const heard = new Driver("standard", one);
  heard.fails("a", "unknown", asking);
  assert.equal(heard.of("a").running[0]?.spec.prompt.remind, "decide");
  const waits = new Driver("standard", one);
  waits.fails("a", "rate_limited", asking);
  assert.equal(waits.of("a").phase, "waiting");
  const lost = new Driver("standard", one);
  lost.fails("a", "hung", asking);
  assert.equal(lost.of("a").running[0]?.spec.prompt.remind, undefined);
});

test("what the agent lacks is what a red check failed of, in policies that read structure", () => {
  const lacks = { kind: "command_not_found", words: "protoc: command not found" } as const;
  const run = new Driver("standard", one);
  run.red("a", { remains: { ...still, lacks } });
  const [failed] = run.all("failure-classified");
  assert.deepEqual([failed?.failure.kind, failed?.failure.origin], ["command_not_found", "tool"]);
  assert.match(failed?.error ?? "", /^protoc: command not found\n/);
  assert.deepEqual(run.recoveries(), ["repair"]);
  const letter = new Driver("recovery-actions", one);
  letter.red("a", { remains: { ...still, lacks } });
  assert.equal(letter.all("failure-classified")[0]?.failure.kind, "verification_failed");
});

test("what it lacks is repaired before anybody is asked, whatever it asks beside that", () => {
  const lacks = { kind: "command_not_found", words: "protoc: command not found" } as const;
  const run = new Driver("standard", one);
  run.red("a", { remains: { ...still, lacks, asks: "I cannot go on without protoc." } });
  assert.deepEqual(run.recoveries(), ["repair"]);
  run.red("a", { remains: { ...still, asks: "Which port?" } });
  assert.equal(run.of("a").running[0]?.spec.prompt.remind, "decide", "what it asks later is heard");
});

test("a question says what the agent asked, also where it was told to settle that and said no more of it", () => {
  const run = new Driver("standard", plan([subtask("a", { limits: { maxRetries: 2 } })]));
  run.red("a", asking);
  for (let time = 0; time < 2; time += 1) run.red("a", { remains: still });
  assert.equal(run.of("a").checkpoint?.context.asks, "Which port?");
});

test("another agent: chosen by a person, recorded, started with its own entry", () => {
  const run = new Driver("standard", plan([subtask("a"), subtask("b")], { concurrency: 2 }));
  for (const id of ["a", "b"]) run.fails(id, "billing", { remains: still });
  assert.deepEqual(
    run.of("a").checkpoint?.options.map(({ answer }) => answer),
    ["retry", "other-agent", "manual", "skip"],
  );
  run.answer("a/c1", { kind: "other-agent" });
  for (const id of ["a", "b"]) {
    assert.equal(run.of(id).running[0]?.spec.entry.agent, "codex");
    assert.equal(run.of(id).entry.agent, "codex");
  }
  const chosen = run.all("recovery-chosen").at(-1);
  assert.deepEqual(
    [chosen?.recoveries[0]?.kind, chosen?.because],
    ["sidegrade", "alice chose another agent"],
  );
  const alone = new Driver("standard", plan([subtask("a")], { ladder: one.ladder.slice(0, 2) }));
  alone.fails("a", "billing", { remains: still });
  alone.answer("a/c1", { kind: "other-agent" });
  assert.equal(alone.of("a").phase, "asking", "what is not offered is not an answer");
});

test("a full disk that an agent tells of is an incident, uncounted; with green checks it is none", () => {
  const lacks = { kind: "disk_full", words: "ENOSPC: no space left on device" } as const;
  const run = new Driver("standard", one);
  run.red("a", { remains: { ...still, lacks } });
  const [failed] = run.all("failure-classified");
  assert.deepEqual([failed?.failure.kind, failed?.counted], ["disk_full", false]);
  assert.match(failed?.error ?? "", /^ENOSPC: no space left on device/);
  const green = new Driver("standard", one);
  green.green("a", { remains: { lacks } });
  assert.deepEqual([green.of("a").phase, green.recoveries()], ["verified", []]);
});
