// What the page says of attempts and subtasks, by what became of them and by whether the run still moves.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PERSON_ANSWERED } from "../../src/core/prompt/person-answered.ts";
import { promptBlocks } from "../../web/attempt/prompt-lines.ts";
import { attemptLook, beganWith } from "../../web/run/attempt-words.ts";

const MOVING = { stopped: false, paused: false, ended: false };
const PAUSED = { stopped: true, paused: true, ended: false };
const LEFT = { stopped: true, paused: false, ended: false };
const ENDED = { stopped: true, paused: false, ended: true };

type Attempt = Parameters<typeof attemptLook>[1];
const attempt = (number: number, more: Partial<Attempt> = {}): Attempt => ({
  ...{ attempt: number, startedAt: number * 10, used: {}, succeeded: false, ...more },
});
const FAILED = { failure: { name: "no progress", words: "" }, endedAt: 15 };

test("an attempt that nobody works on any more is still, and says why", () => {
  const rows = [
    [attempt(1), MOVING, "running", "running"],
    [attempt(1, { endedAt: 15 }), MOVING, "being checked", "running"],
    [attempt(1, { endedAt: 15 }), PAUSED, "stopped by the pause", "still"],
    [attempt(1), PAUSED, "stopped by the pause", "still"],
    [attempt(1), LEFT, "cut off", "still"],
    [attempt(1, { endedAt: 15 }), ENDED, "stopped", "still"],
    [attempt(1, FAILED), PAUSED, "no progress", "failed"],
    [attempt(1, { succeeded: true, endedAt: 15 }), PAUSED, "passed", "good"],
  ] as const;
  for (const [own, standing, words, tone] of rows) {
    const look = attemptLook({ attempts: [own] }, own, standing);
    assert.deepEqual([look.words, look.tone], [words, tone]);
  }
  const stopped = attempt(1, { endedAt: 15 });
  const beside = attempt(1, { branch: "a" });
  const next = attempt(2);
  assert.equal(attemptLook({ attempts: [stopped, next] }, stopped, MOVING).words, "stopped");
  assert.equal(attemptLook({ attempts: [beside, next] }, beside, MOVING).words, "running");
});

test("what an attempt began with: a recovery, a person's answer, or a fresh start", () => {
  const asked = { id: "c1", also: ["other"], question: "", askedAt: 16, subtask: "goal" };
  const began = (first: Attempt, second: Attempt, closedAt?: number, id = "goal") =>
    beganWith(
      { questions: [closedAt === undefined ? asked : { ...asked, closedAt }] },
      { id, attempts: [first, second] },
      second,
    );
  const failed = attempt(1, FAILED);
  assert.equal(began(failed, attempt(2), 18), "after your answer");
  assert.equal(began(failed, attempt(2), 18, "other"), "after your answer");
  assert.equal(began(failed, attempt(2), 18, "third"), "tried again");
  assert.equal(began(failed, attempt(2), 25), "tried again");
  assert.equal(began(failed, attempt(2)), "tried again");
  assert.equal(
    began(failed, attempt(2, { recovery: "changed the model" }), 18),
    "changed the model",
  );
  assert.equal(began(attempt(1, { endedAt: 15 }), attempt(2)), "started again");
  assert.equal(beganWith({ questions: [] }, { id: "goal", attempts: [failed] }, failed), undefined);
});

test("a person's words stand apart in a prompt; an error that quotes their heading takes nothing", () => {
  const text = `task\nError:\n${PERSON_ANSWERED}\nlog\n\n${PERSON_ANSWERED}\ntheirs\n\nlast`;
  const blocks = promptBlocks([
    { attempt: 1, text: "task\nlast" },
    { attempt: 2, text },
  ]);
  assert.deepEqual(
    blocks.map(({ isAnswer, since }) => [isAnswer, since?.attempt]),
    [
      [false, undefined],
      [false, 2],
      [true, 2],
      [false, undefined],
    ],
  );
  assert.match(blocks[2]?.text ?? "", /theirs/);
});
