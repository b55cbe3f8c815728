// proves: U7
import assert from "node:assert/strict";
import { test } from "node:test";
import { DatabaseSync } from "node:sqlite";
import type { Change } from "../../src/journal/changes.ts";
import { openJournalToRead } from "../../src/journal/journal.ts";
import { runStarted, scriptedPlan, stopRequested } from "../engines/contract/script.ts";
import { appendOf, numbered } from "./appends.ts";
import { newPath, opened, pretendedProcess } from "./journals.ts";

const begin = (run: string) => runStarted(run, scriptedPlan(["a"], "row"), 7);

test("inputs wait in the inbox in the order they came, each run's apart", async () => {
  const journal = await opened();
  await journal.post("r", begin("r"));
  await journal.post("s", begin("s"));
  for (let at = 1; at <= 3; at += 1) await journal.post("r", stopRequested(at));
  const rows = await journal.posted("r", 0, 10);
  assert.deepEqual(
    rows.map((row) => ("input" in row ? row.input.at : undefined)),
    [7, 1, 2, 3],
  );
  assert.deepEqual(await journal.posted("r", rows[1]?.id ?? 0, 1), rows.slice(2, 3));
  assert.equal((await journal.run("r"))?.created, 7);
});

test("only a start makes a run; other inputs for an unknown run are refused and leave nothing", async () => {
  const journal = await opened();
  const [refused, accepted] = await Promise.allSettled([
    journal.post("typo", stopRequested(1)),
    journal.post("r", begin("r")),
  ]);
  assert.equal(
    refused.status === "rejected" && (refused.reason as { code: string }).code,
    "unknown-run",
  );
  assert.equal(accepted.status, "fulfilled");
  assert.deepEqual(
    (await journal.runs()).map(({ id }) => id),
    ["r"],
  );
  await assert.rejects(journal.post("r", { kind: "nonsense" } as never), { code: "invalid" });
});

test("an input leaves the inbox with the append it led to, and not without", async () => {
  const journal = await opened();
  await journal.post("r", begin("r"));
  await journal.post("r", stopRequested(2));
  const claim = await journal.claim("r", 1);
  const ids = (await journal.posted("r", 0, 10)).map(({ id }) => id);
  const refused = await journal.append(appendOf(claim, 5, [numbered(1)], { taken: ids }));
  assert.equal(refused.ok, false);
  assert.equal((await journal.posted("r", 0, 10)).length, 2);
  await journal.append(appendOf(claim, 0, [numbered(1)], { taken: ids.slice(0, 1) }));
  assert.deepEqual(
    (await journal.posted("r", 0, 10)).map(({ id }) => id),
    ids.slice(1),
  );
  await journal.append(appendOf(claim, 1, [], { taken: ids, phase: "other", at: 99 }));
  assert.deepEqual(await journal.posted("r", 0, 10), []);
  const row = await journal.run("r");
  assert.deepEqual([row?.phase, row?.changed], ["active", 5], "nothing happened to the run");
});

test("an append takes nothing from another run's inbox", async () => {
  const journal = await opened();
  await journal.post("r", begin("r"));
  const [posted] = await journal.posted("r", 0, 10);
  const claim = await journal.claim("other", 1);
  await journal.append(appendOf(claim, 0, [numbered(1)], { taken: [posted?.id ?? 0] }));
  assert.equal((await journal.posted("r", 0, 10)).length, 1);
});

test("an input that cannot be read does not hide the others", async () => {
  const path = newPath();
  const journal = await opened({ path });
  await journal.post("r", begin("r"));
  const other = new DatabaseSync(path);
  other.exec("INSERT INTO inbox (run, v, input) VALUES (1, 99, '{}'), (1, 1, 'no JSON')");
  other.close();
  await journal.post("r", stopRequested(3));
  const rows = await journal.posted("r", 0, 10);
  assert.deepEqual(
    rows.map((row) => ("input" in row ? row.input.kind : (row.problem as { code: string }).code)),
    ["run-started", "newer-version", "damaged", "cancel-requested"],
  );
});

test("changes are noticed at once here, and soon from other connections; none when nobody watches", async () => {
  const path = newPath();
  const here = await opened({ path });
  const there = await opened({ path, processes: pretendedProcess(2) });
  const reader = await openJournalToRead(path);
  const heard: Change[][] = [[], [], []];
  const journals = [here, there, reader];
  const unwatch = journals.map((journal, index) =>
    journal.watch((change) => heard[index]?.push(change)),
  );
  await here.post("r", begin("r"));
  assert.deepEqual(heard[0], [{ kind: "inbox", run: "r" }]);
  await waitFor(() => (heard[1]?.length ?? 0) > 0 && (heard[2]?.length ?? 0) > 0);
  assert.deepEqual(heard[1], [{ kind: "foreign" }]);
  assert.deepEqual(heard[2], [{ kind: "foreign" }]);
  const claim = await here.claim("r", 1);
  await here.append(appendOf(claim, 0, [numbered(1)]));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(heard[0]?.at(-1), { kind: "events", run: "r" });
  await waitFor(() => (heard[1]?.length ?? 0) > 1);
  for (const stop of unwatch) stop();
  const before = heard.map(({ length }) => length);
  await here.post("r", stopRequested(1));
  assert.deepEqual(
    heard.map(({ length }) => length),
    before,
  );
  await reader.close();
});

async function waitFor(holds: () => boolean): Promise<void> {
  for (const until = Date.now() + 300_000; !holds();) {
    assert.ok(Date.now() < until, "it did not happen in time");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
