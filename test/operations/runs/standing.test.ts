// proves: E12
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JournalReader, RunRow } from "../../../src/journal/reader.ts";
import { standingRow } from "../../../src/operations/runs/status.ts";

const GONE = { pid: 2 ** 30, startTime: "1", bootId: "another" };
const WORKING: RunRow = {
  ...{ id: "r1", created: 1, repo: "/repo", title: "t", phase: "active", seq: 4, owner: GONE },
  summary: { questions: 0 } as unknown as NonNullable<RunRow["summary"]>,
};

const journalWith = (row: RunRow): JournalReader =>
  ({
    run: () => Promise.resolve(row),
    posted: () => Promise.resolve([]),
  }) as Partial<JournalReader> as JournalReader;

test("E12: a run that its process ended since it was looked at is not taken for one that its process left", async () => {
  const { owner: _, ...released } = WORKING;
  const ended: RunRow = { ...released, phase: "ended", outcome: "verified", seq: 9 };
  const found = await standingRow(journalWith(ended), WORKING);
  assert.deepEqual([found.standing.state, found.row.seq], ["verified", 9]);
  const left = await standingRow(journalWith(WORKING), WORKING);
  assert.equal(left.standing.state, "interrupted");
});
