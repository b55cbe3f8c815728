// proves: U23
// Which attempt overcame which failure, read from the events of a run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { lessonCollector, type LessonFact } from "../../../src/core/memory/collect-lessons.ts";
import { lessonId } from "../../../src/core/memory/lesson.ts";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import { failureOf } from "../run/driver.ts";

type Remains = { approach?: string; output?: string; files?: string[] };
const of = (attempt: number): object => ({ subtask: "a", attempt });

const sent = (attempt: number, prompt: object = {}, recovery?: string): object => {
  return { kind: "attempt-dispatched", ...of(attempt), spec: { prompt, recovery } };
};
const ended = (attempt: number, remains: Remains = {}, at = 7): object => {
  const left = { approach: `did ${attempt}`, ...remains };
  return { kind: "received", input: { kind: "attempt-ended", at, ...of(attempt), remains: left } };
};
const failed = (attempt: number, signature: string, verdict = true): object => {
  const failure = failureOf("verification_failed", { signature });
  return { kind: "failure-classified", ...of(attempt), failure, error: `${signature}!`, verdict };
};
const done = (attempt: number, phase = "verified"): object => {
  return { kind: "subtask-done", ...of(attempt), phase };
};
const red = (attempt: number, signature: string): readonly object[] => [
  sent(attempt),
  ended(attempt),
  failed(attempt, signature),
];
const green = (attempt: number, remains: Remains = {}): readonly object[] => [
  sent(attempt),
  ended(attempt, remains),
  done(attempt),
];

function facts(...events: readonly object[]): readonly LessonFact[] {
  const collector = lessonCollector();
  return events.flatMap((event) => collector.add(event as RunEvent));
}

/** "failure: what overcame it". */
const lessons = (...events: readonly object[]): readonly string[] =>
  facts(...events).flatMap((fact) =>
    fact.kind === "lesson" ? [`${fact.lesson.signature}: ${fact.lesson.summary}`] : [],
  );

test("each failure was overcome by the attempt after the last one that failed so", () => {
  const all = [...red(1, "s"), ...red(2, "t"), ...red(3, "s"), ...green(4)];
  assert.deepEqual(lessons(...all), ["s: did 4", "t: did 3"]);
  const [first] = facts(...red(1, "s"), ...green(2, { files: ["b.ts"] }));
  assert.deepEqual(first, {
    kind: "lesson",
    lesson: {
      ...{ kind: "verification_failed", signature: "s", error: "s!", at: 7 },
      ...{ summary: "did 2", files: ["b.ts"] },
    },
  });
});

test("a lesson is as old as the latest input, also where a clock went back", () => {
  const events = [...red(1, "s"), sent(2), ended(2, {}, 3), done(2)];
  assert.ok(facts(...events).every((fact) => fact.kind === "lesson" && fact.lesson.at === 7));
});

test("a failure of the verified attempt itself hides no lesson, and is none", () => {
  assert.deepEqual(lessons(...red(1, "s"), ...red(2, "s"), done(2)), ["s: did 2"]);
  assert.deepEqual(lessons(...red(1, "s"), done(1)), []);
});

test("a branch that was sent after the winner overcame nothing", () => {
  assert.deepEqual(lessons(...red(1, "s"), sent(2), ...red(3, "t"), sent(4), ended(2), done(2)), [
    "s: did 2",
  ]);
});

test("nothing is learned unless the subtask ended verified, nor from what says nothing of the work", () => {
  for (const phase of ["unverified", "answered"])
    assert.deepEqual(facts(...red(1, "s"), sent(2), ended(2), done(2, phase)), []);
  assert.deepEqual(facts(sent(1), failed(1, "s", false), ...green(2)), []);
});

test("what ends once is learned once", () => {
  assert.deepEqual(lessons(...red(1, "s"), ...green(2), ...red(3, "t"), ...green(4), done(2)), [
    "s: did 2",
    "t: did 4",
  ]);
});

test("attempts whose start was not seen are passed over", () => {
  assert.deepEqual(facts(ended(9), failed(9, "s"), done(9)), []);
  assert.deepEqual(facts(ended(1), ...red(2, "s"), failed(9, "t"), done(9)), []);
});

test("a told lesson held where its failure was gone: verified, or another failure", () => {
  const told = (signature: string): object => sent(2, { recalled: { id: lessonId(signature) } });
  const held = (...events: readonly object[]): readonly boolean[] =>
    facts(...events).flatMap((fact) => (fact.kind === "told" ? [fact.held] : []));
  assert.deepEqual(held(told("s"), ended(2), failed(2, "s")), [false]);
  assert.deepEqual(held(told("s"), ended(2), failed(2, "t")), [true]);
  assert.deepEqual(held(told("s"), ended(2), done(2)), [true]);
  assert.deepEqual(held(sent(2), ended(2), failed(2, "t"), done(2)), []);
});

test("a person's words overcame it in the attempt that answered them first, not in later ones", () => {
  const words = { words: "use npm ci" };
  const answered = [...red(1, "s"), sent(2, words), ended(2)];
  assert.deepEqual(lessons(...answered, done(2)), ["s: use npm ci"]);
  const later = [...answered, failed(2, "t"), sent(3, words, "feedback"), ended(3), done(3)];
  const [, last] = facts(...later);
  assert.ok(last?.kind === "lesson");
  assert.deepEqual(
    [last.lesson.summary, last.lesson.recovery, last.lesson.byPerson],
    ["did 3", "feedback", undefined],
  );
});

test("an attempt without words of its own is told by the end of its last paragraph", () => {
  const overcame = (output: string): readonly string[] =>
    lessons(...red(1, "s"), ...green(2, { approach: "", output }));
  assert.deepEqual(overcame("First I looked.\n \nThen I fixed it.\n"), ["s: Then I fixed it."]);
  assert.deepEqual(overcame("First I looked.\n\nThen I\nfixed it."), ["s: Then I\nfixed it."]);
  assert.deepEqual(overcame(`${"x".repeat(400)}y`), [`s: ${"x".repeat(299)}y`]);
  assert.deepEqual(overcame(""), ["s: "]);
});

test("of a subtask the newest forty attempts count", () => {
  const many = Array.from({ length: 39 }, (_, at) => red(at + 2, `t${at}`)).flat();
  assert.equal(lessons(...red(1, "s"), ...many.slice(3), ...green(50))[0], "s: did 3");
  assert.equal(lessons(...red(1, "s"), ...many, ...green(50))[0], "t0: did 3");
});
