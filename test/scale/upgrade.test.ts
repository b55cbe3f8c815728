// proves: U24
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { VERSION } from "../../src/operations/version.ts";
import { ROW_VERSION } from "../../src/journal/row-text.ts";
import { lostIn, newFleet, planOf, until, type Fleet, type Worker } from "./fleet.ts";
import { OLDER, olderProgram } from "./older.ts";
import { WITHOUT_RESTATE } from "./server.ts";

const ONE_SLOT = ["--slots", "1"];

interface Row {
  readonly v: number;
  readonly text: string;
}

async function rowsOf(fleet: Fleet, run: string): Promise<readonly Row[]> {
  const response = await fetch(`${fleet.server.ingressUrl}/unstuck-run/${run}/read`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ from: 1, limit: 500 }),
  });
  return (await response.json()) as readonly Row[];
}

const addressOf = (worker: Worker): string => /at (http:\S+),/.exec(worker.log())?.[1] ?? "";

async function addresses(fleet: Fleet): Promise<readonly string[]> {
  const response = await fetch(`${fleet.server.adminUrl}/deployments`);
  const { deployments } = (await response.json()) as { deployments: readonly { uri: string }[] };
  return deployments.map(({ uri }) => uri.replace(/\/$/, "")).toSorted();
}

async function versions(fleet: Fleet): Promise<readonly string[]> {
  const { out } = await fleet.laptop("workers", "--json");
  const { workers } = JSON.parse(out) as { workers: readonly { id: string; version: string }[] };
  return workers.map(({ id, version }) => `${id} ${version}`).toSorted();
}

test(
  "U24: the code is upgraded while a run waits for a person: what the older one recorded is read, and the run ends",
  { skip: WITHOUT_RESTATE },
  async () => {
    const fleet = await newFleet();
    const mended = join(fleet.folder, "mended");
    const launcher = olderProgram(join(fleet.folder, "older"));
    const older = await fleet.worker("w1", ONE_SLOT, [], launcher);
    const plan = `${planOf(1, `[ -e ${mended} ] || exit 1`, 1)}budget: { attempts: 1 }\n`;
    const run = await fleet.submit(plan);
    await until(
      async () => (await fleet.questions()).length === 1,
      () => older.log(),
    );
    assert.deepEqual(await versions(fleet), [`w1 ${OLDER.version}`]);
    const before = await rowsOf(fleet, run);
    assert.deepEqual([...new Set(before.map(({ v }) => v))], [OLDER.rows]);
    assert.ok(
      before.some(({ text }) => text.includes('"rule":')),
      "a row has the form that it had then",
    );

    const other = await fleet.worker("w2", ONE_SLOT);
    assert.deepEqual(await versions(fleet), [`w1 ${OLDER.version}`, `w2 ${VERSION}`]);
    await older.stop();
    const newer = await fleet.worker("w1", ONE_SLOT);
    await until(
      async () => (await addresses(fleet)).join() === [newer, other].map(addressOf).sort().join(),
      () => `the older one is still registered: ${addressOf(older)}`,
    );

    const [question] = await fleet.questions();
    assert.ok(question !== undefined, "the question is still there");
    writeFileSync(mended, "");
    const answer = ["resolve", question.id, "--run", run, "--top-up", "attempts=3", "--json"];
    const answered = await fleet.laptop(...answer);
    assert.equal(answered.code, 0, answered.err);
    assert.deepEqual(await fleet.ended(run), { kind: "verified" });
    const after = await rowsOf(fleet, run);
    assert.deepEqual(after.slice(0, before.length), before, "what was recorded stays as it was");
    assert.deepEqual([...new Set(after.map(({ v }) => v))], [OLDER.rows, ROW_VERSION]);
    const events = await fleet.events(run);
    const chosen = events.filter(({ kind }) => kind === "recovery-chosen");
    assert.ok(chosen.length > 0 && chosen.every(({ chosenBy }) => chosenBy !== undefined));
    assert.deepEqual(lostIn(events), []);
  },
);
