// proves: C7, U23
// Learning from a run's journal: once, whoever reads it and however often; side by side; and never in the way of a run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellKey, cellOf } from "../../../src/core/learning/counts.ts";
import type { StoredJournal } from "../../../src/journal/journal.ts";
import { knownHere, learnedAtStart } from "../../../src/operations/learning/known-here.ts";
import { learnFromRun } from "../../../src/operations/learning/learn-from-run.ts";
import { Driver, plan, subtask } from "../../core/run/driver.ts";
import { appendOf } from "../../journal/appends.ts";
import { newPath, opened, rowsOf } from "../../journal/journals.ts";

const FEEDBACK = cellKey({
  ...{ symptom: "verification_failed", move: "feedback", tierStep: 0, agent: "small" },
});

const open = (path: string): Promise<StoredJournal> => opened({ path }) as Promise<StoredJournal>;

function recovered(): Driver {
  const run = new Driver("standard", plan([subtask("a")]));
  run.red("a");
  run.green("a");
  return run;
}

/** Writes the events from here on into the journal, as their owner would. */
async function record(journal: StoredJournal, run: string, { journal: events }: Driver) {
  const claim = await journal.claim(run, 1);
  const { seq = 0 } = (await journal.run(run)) ?? {};
  await journal.append(appendOf(claim, seq, events.slice(seq)));
  await journal.release(claim);
}

const learnAll = (journal: StoredJournal, run: string, { state }: Driver, repository = "/r") =>
  learnFromRun({ run, repository, journal, state: () => state, now: () => 5 })();

const won = async (journal: StoredJournal, repository = "/r"): Promise<number> =>
  cellOf((await knownHere(journal, repository)).counts, FEEDBACK).won;

test("what a crash kept from being learned is learned later, and nothing twice", async () => {
  const journal = await open(newPath());
  const run = recovered();
  await record(journal, "r1", run);
  assert.equal(await won(journal), 0, "its owner died before it learned");
  await learnAll(journal, "r1", run);
  await learnAll(journal, "r1", run);
  assert.equal(await won(journal), 1);
  await record(journal, "r2", run);
  await learnAll(journal, "r2", run);
  assert.equal(await won(journal), 1.98);
});

test("two processes that learn at once lose nothing of each other", async () => {
  const path = newPath();
  const [one, other] = [await open(path), await open(path)];
  const run = recovered();
  for (const id of ["r1", "r2", "r3", "r4"]) await record(one, id, run);
  await Promise.all([
    ...["r1", "r2"].map((id) => learnAll(one, id, run)),
    ...["r3", "r4"].map((id) => learnAll(other, id, run)),
  ]);
  assert.ok((await won(one)) > 3.8);
});

test("it is written once when a subtask ends, not with every event", async () => {
  const path = newPath();
  const journal = await open(path);
  const run = new Driver("standard", plan([subtask("a")]));
  const end = learnFromRun({
    ...{ run: "r1", repository: "/r", journal, state: () => run.state, now: () => 5 },
  });
  run.red("a");
  await record(journal, "r1", run);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(rowsOf(path, "SELECT repository FROM learned"), []);
  run.green("a");
  await record(journal, "r1", run);
  await end();
  assert.equal(await won(journal), 1);
});

test("other repositories of the user count for a share at the start of a run; lessons stay where they were made", async () => {
  const journal = await open(newPath());
  const run = recovered();
  for (let index = 1; index <= 8; index += 1) {
    await record(journal, `r${index}`, run);
    await learnAll(journal, `r${index}`, run, "/other");
  }
  const clean = (text: string): string => text;
  const here = await learnedAtStart(journal, "/r", { now: 5, clean });
  const cell = here.learned?.cells[FEEDBACK];
  assert.ok(cell !== undefined && cell.won > 1 && cell.won < 2, JSON.stringify(cell));
  assert.equal(here.lessons, undefined);
  const there = await learnedAtStart(journal, "/other", { now: 5, clean });
  assert.equal(there.lessons?.length, 1);
});

test("a journal that is closed, or a text that was damaged, never fails a run", async () => {
  const path = newPath();
  const journal = await open(path);
  const run = recovered();
  await record(journal, "r1", run);
  await journal.learned.change("/r", 1, () => '{"counts": 7, "lessons": "x", "taken": [');
  await learnAll(journal, "r1", run);
  assert.equal(await won(journal), 1);
  const end = learnFromRun({
    ...{ run: "r1", repository: "/r", journal, state: () => run.state, now: () => 5 },
  });
  await journal.close();
  await end();
});

test("of many repositories the ones that learned last are kept", async () => {
  const path = newPath();
  const journal = await open(path);
  await Promise.all(
    Array.from({ length: 230 }, (_, index) =>
      journal.learned.change(`/r${index}`, index, () => "{}"),
    ),
  );
  const rows = rowsOf<{ repository: string }>(path, "SELECT repository FROM learned");
  assert.equal(rows.length, 200);
  assert.ok(!rows.some(({ repository }) => repository === "/r0"));
});
