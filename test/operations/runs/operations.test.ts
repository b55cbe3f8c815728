import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Context, Operation } from "../../../src/operations/operation.ts";
import { answerQuestion } from "../../../src/operations/questions/answer.ts";
import { cleanRuns } from "../../../src/operations/runs/clean.ts";
import { followRun } from "../../../src/operations/follow/follow.ts";
import {
  explainRun,
  exportRun,
  importRun,
  measureRecovery,
} from "../../../src/operations/runs/history.ts";
import { reviewQuestions } from "../../../src/operations/questions/review.ts";
import { inbox } from "../../../src/operations/questions/inbox.ts";
import { reportRun } from "../../../src/operations/report/report.ts";
import { applyRun, diffRun, undoRun } from "../../../src/operations/runs/result.ts";
import { cancelRun, resumeRun, stopRun } from "../../../src/operations/runs/resume.ts";
import { startRun } from "../../../src/operations/runs/start.ts";
import { listRuns } from "../../../src/operations/runs/status.ts";
import { readRun } from "../../../src/operations/status/read-run.ts";
import { repository } from "../../end-to-end/run/repository.ts";

const here = repository();
after(() => here.remove());
Object.assign(process.env, here.env);
const context: Context = { cwd: here.path };

/** The value, which fits the operation's own schemas wholly, as its input did. */
async function done<Input, Output, Happening>(
  operation: Operation<Input, Output, Happening>,
  input: Input,
): Promise<Output> {
  const schemas = await operation.schemas();
  const result = await operation.run(context, schemas.input.parse(input));
  assert.ok(result.ok, JSON.stringify(result));
  schemas.output.parse(result.value);
  assert.doesNotMatch(JSON.stringify(schemas.input.safeParse({ nothing: 1 })), /"success":true/);
  return result.value;
}

const agent = here.agent({
  goal: [
    { error: "Error: the gate said no to us", exit: 1 },
    { error: "Error: the gate said no to us", exit: 1 },
    { write: { "value.txt": "2\n" }, print: "done" },
  ],
});
const goal = { goal: "make it 2", checks: ["sh check.sh"], agent, grounding: false } as const;

test("a run from its start to its removal, without a terminal: what comes in and out fits the schemas", async () => {
  const started = await done(startRun, { ...goal, view: "end" });
  assert.ok("end" in started && started.end === "needs-person", JSON.stringify(started));
  const { run } = started;
  assert.equal(started.card?.state, "needs you");

  const { runs } = await done(listRuns, {});
  assert.deepEqual(
    runs.map(({ id, state }) => [id, state]),
    [[run, "needs you"]],
  );
  const { subtasks } = await done(readRun, { run });
  assert.deepEqual(
    subtasks.map(({ id, phase }) => [id, phase]),
    [["goal", "asking"]],
  );
  const { questions } = await done(inbox, {});
  assert.equal(questions[0]?.id, "goal/c1");
  const [question] = await done(reviewQuestions, {});
  assert.match(question?.report ?? "", /the gate said no/);
  assert.ok((await done(reportRun, {})).markdown.includes("waits for a person"));
  assert.ok((await done(explainRun, {})).decisions.length > 0);
  assert.equal((await done(measureRecovery, {})).runs, 1);
  assert.equal((await done(stopRun, {})).paused, true);

  const answer = { kind: "retry", words: "again" } as const;
  const answered = await done(answerQuestion, { question: "goal/c1", answer });
  assert.equal(answered.ownerAlive, false);
  const late = await answerQuestion.run(context, { question: "goal/c1", answer });
  assert.ok(!late.ok && late.problem.code === "not-now", JSON.stringify(late));

  const left = await done(resumeRun, { run });
  assert.deepEqual([left.end, left.outcome?.kind], ["verified", "verified"]);
  const seen: number[] = [];
  const on = ({ kind, ...more }: { readonly kind: string }): void =>
    void (kind === "recorded" && "seq" in more && seen.push(Number(more.seq)));
  const followed = await followRun.run(context, { run, from: 3, until: "ended" }, on);
  assert.ok(followed.ok && !followed.value.goesOn && seen[0] === 3);

  assert.match((await done(diffRun, {})).text, /^\+2$/m);
  assert.equal((await done(applyRun, {})).result, "applied");
  assert.ok("files" in (await done(undoRun, {})));
  const exported = await done(exportRun, { run });
  assert.ok("history" in exported);
  const text = JSON.stringify(exported.history);
  assert.equal((await done(importRun, { text, name: "a file" })).subtasks, 1);
  assert.equal((await done(cancelRun, { run })).before, "ended");
  const { runs: cleaned } = await done(cleanRuns, { runs: [run], olderThanDays: 7 });
  assert.match(cleaned[0]?.wouldLose ?? "", /not applied/);
});

test("what goes wrong comes back as a value, with its code", async () => {
  const nobody = await readRun.run(context, { run: "nobody" });
  assert.ok(!nobody.ok && nobody.problem.code === "not-found", JSON.stringify(nobody));
  const elsewhere = await listRuns.run({ cwd: "/" }, {});
  assert.ok(elsewhere.ok && elsewhere.value.all);
  const noPlace = await startRun.run({ cwd: "/" }, goal);
  assert.ok(!noPlace.ok && noPlace.problem.code === "not-now", JSON.stringify(noPlace));
});
