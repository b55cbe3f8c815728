// proves: C9, D4, D5
import assert from "node:assert/strict";
import { test } from "node:test";
import { Driver, plan, subtask } from "./driver.ts";

const three = (more = {}) =>
  plan([subtask("a"), subtask("b"), subtask("c")], { concurrency: 3, ...more });

function loggedOut(more = {}): Driver {
  const run = new Driver("standard", three(more));
  for (const id of ["a", "b", "c"]) run.fails(id, "auth_required");
  return run;
}

const opened = (run: Driver): string[] =>
  run.journal.flatMap((event) => (event.kind === "checkpoint-opened" ? [event.checkpoint.id] : []));

test("three subtasks that meet the same login are one question", () => {
  const run = loggedOut();
  assert.deepEqual(opened(run), ["a/c1"]);
  assert.equal(run.state.openCheckpoints, 1);
  assert.deepEqual(run.of("a").checkpoint?.also, ["b", "c"]);
  assert.deepEqual(
    ["a", "b", "c"].map((id) => run.of(id).phase),
    ["asking", "asking", "asking"],
  );
});

test("its answer counts for all: words for each, a skip for each", () => {
  const run = loggedOut();
  run.give({
    kind: "checkpoint-answered",
    checkpoint: "a/c1",
    answer: { kind: "retry", words: "logged in" },
    by: "bob",
  });
  for (const id of ["a", "b", "c"]) {
    assert.equal(run.of(id).phase, "running", id);
    assert.equal(run.of(id).running[0]?.spec.prompt.words, "logged in");
  }
  assert.equal(run.state.openCheckpoints, 0);
  run.fails("b", "auth_required");
  assert.deepEqual(opened(run), ["a/c1", "b/c1"], "met again, it is a new question");
  const other = loggedOut();
  other.give({
    kind: "checkpoint-answered",
    checkpoint: "a/c1",
    answer: { kind: "skip" },
    by: "bob",
  });
  assert.equal(other.state.outcome?.kind, "failed");
});

test("cured by hand: the one that was asked is checked, the others are tried again", () => {
  const run = loggedOut();
  const manual = { kind: "manual", done: true } as const;
  run.give({ kind: "checkpoint-answered", checkpoint: "a/c1", answer: manual, by: "bob" });
  assert.equal(run.of("a").stages[0]?.kind, "checks");
  assert.equal(run.of("b").running.length, 1);
});

test("another agent, and a failure of the work itself, are questions of their own", () => {
  const ladder = [
    { agent: "x", tier: 1 },
    { agent: "y", tier: 2 },
  ];
  const run = new Driver(
    "standard",
    plan([subtask("a"), subtask("b", { tier: 2 })], { concurrency: 2, ladder }),
  );
  run.fails("a", "auth_required");
  run.fails("b", "auth_required");
  assert.deepEqual(opened(run), ["a/c1", "b/c1"]);
  const work = new Driver("hierarchical", three());
  const remains = { treeBefore: "t", treeAfter: "t" };
  for (const id of ["a", "b"]) work.fails(id, "unsafe_action", { remains });
  assert.deepEqual(opened(work), ["a/c1", "b/c1"]);
});

test("a question that nobody answers in time counts as no, for all who joined it", () => {
  const run = loggedOut({ expireMs: 3_600_000 });
  const due = run.of("a").expiry;
  assert.equal(due?.dueAt, run.of("a").checkpoint?.expiresAt ?? 0);
  run.now = due?.dueAt ?? 0;
  run.give({ kind: "timer-fired", subtask: "a", timer: due?.id ?? 0 });
  assert.deepEqual(
    ["a", "b", "c"].map((id) => run.of(id).phase),
    ["skipped", "skipped", "skipped"],
  );
  const before = run.state;
  run.give({ kind: "timer-fired", subtask: "a", timer: due?.id ?? 0 });
  assert.equal(run.state, before);
});

test("an answer in time ends the expiry", () => {
  const run = loggedOut({ expireMs: 3_600_000 });
  const timer = run.of("a").expiry?.id ?? 0;
  run.give({
    kind: "checkpoint-answered",
    checkpoint: "a/c1",
    answer: { kind: "retry", words: "w" },
    by: "bob",
  });
  const before = run.state;
  run.give({ kind: "timer-fired", subtask: "a", timer });
  assert.equal(run.state, before);
});
