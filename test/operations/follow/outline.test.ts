// proves: E12, U8
// What the page draws of a run, and the prompts it shows, of one real run with a failed attempt and a question.
import assert from "node:assert/strict";
import { test } from "node:test";
import { outlineRun } from "../../../src/operations/follow/outline.ts";
import { readPrompt } from "../../../src/operations/logs/read-prompt.ts";
import { inRepository } from "../../end-to-end/run/repository.ts";
import { planFile } from "../../end-to-end/run/runs.ts";

const ASKS = "Which number should it be, 2 or 3?";

test("attempts, questions and what waits for what, with their times; the exact prompts so far", () =>
  inRepository(async (here) => {
    const agent = here.agent({
      goal: [
        { write: { "value.txt": "7\n" }, print: "done" },
        { print: ASKS },
        { print: ASKS, exit: 1 },
      ],
    });
    const plan = planFile(here, agent, [
      "id: goal, prompt: make it right, checks: [sh check.sh]",
      "id: later, prompt: then this, checks: [sh check.sh], dependsOn: [goal]",
    ]);
    assert.equal(here.unstuck("run", plan, "--trust").code, 3);
    process.env["UNSTUCK_HOME"] = here.home;
    const context = { cwd: here.path };
    const outlined = await outlineRun.run(context, {});
    assert.ok(outlined.ok);
    (await outlineRun.schemas()).output.parse(outlined.value);
    const { subtasks, questions, startedAt = 0, at, stopped, run } = outlined.value;
    assert.equal(stopped, true, "nobody works on it");
    assert.deepEqual([outlined.value.ended, outlined.value.paused], [false, false]);
    const [goal, later] = subtasks;
    assert.deepEqual(
      [goal?.phase, later?.phase, later?.dependsOn],
      ["asking", "blocked", ["goal"]],
    );
    assert.deepEqual(
      goal?.attempts.map(({ failure, recovery }) => [failure?.name, recovery]),
      [
        ["checks failed", undefined],
        ["no progress", "sent the failing output back"],
        ["unknown error", "tried again"],
      ],
    );
    let last = startedAt;
    for (const { startedAt: began = 0, endedAt = 0 } of goal?.attempts ?? []) {
      assert.ok(last <= began && began <= endedAt && endedAt <= at);
      last = endedAt;
    }
    const [question] = questions;
    assert.equal(question?.subtask, "goal");
    assert.ok((question?.askedAt ?? 0) >= last && question?.closedAt === undefined);

    const told = await readPrompt.run(context, { run, at: "goal/2" });
    assert.ok(told.ok);
    (await readPrompt.schemas()).output.parse(told.value);
    const [first, second] = told.value.prompts;
    assert.equal(told.value.prompts.length, 2);
    assert.match(first?.text ?? "", /^make it right/);
    assert.equal(second?.recovery, "sent the failing output back");
    assert.match(second?.text ?? "", /What failed last/);
    for (const wrong of ["goal/9", "nobody/1", "../../goal/1"]) {
      const refused = await readPrompt.run(context, { run, at: wrong });
      assert.equal(refused.ok ? "told" : refused.problem.code, "not-found", wrong);
    }
  }));
