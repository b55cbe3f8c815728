// proves: U14
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { seenIn, relationToAttempts } from "../../../src/agents/process/process-memory.ts";
import { readBootId, type Unmarked } from "../../../src/agents/process/proc-files.ts";
import { processRow } from "./process-row.ts";

const init = processRow(1, { parent: 0, name: "init" });
const shell = processRow(20, { parent: 10, terminal: true });
const owner = processRow(50, { parent: 20, session: 20, terminal: true });
const guard = processRow(100, { parent: 50 });
const agent = processRow(101, { parent: 100, group: 100, session: 100 });
const table = [init, processRow(10, { name: "sshd" }), shell, owner, guard, agent];
const seen = [{ pid: 100, startTime: "1000", isGuard: true }];
const at = (rows: readonly Unmarked[], pid: number, known = seen) =>
  relationToAttempts([...table, ...rows], known, pid);

test("V11: an ancestor, a session or a group of an attempt is proof enough", () => {
  assert.equal(at([], 101), "below");
  assert.equal(
    at([processRow(200, { parent: 101 })], 200),
    "below",
    "a session of its own, but a parent of ours",
  );
  assert.equal(at([processRow(200, { session: 100 })], 200), "below", "its session is the guard's");
  assert.equal(at([processRow(200, { group: 100 })], 200), "below", "its group is the guard's");
  assert.equal(
    at([processRow(201, { parent: 200 }), processRow(200, { parent: 101 })], 201),
    "below",
  );
});

test("V11: who was seen is known for its life, also with a terminal and without a parent", () => {
  const gone = [...seen, { pid: 200, startTime: "2000", isGuard: false }];
  assert.equal(at([processRow(200, { terminal: true })], 200, gone), "below");
  assert.equal(
    at([processRow(201, { session: 200 })], 201, gone),
    "below",
    "the session of one that has ended",
  );
  assert.equal(
    at([processRow(200, { terminal: true, startTime: "2001" })], 200, gone),
    "apart",
    "a later process",
  );
});

test("V11: an orphan without a terminal is nobody's while an attempt is under way, and anybody's else", () => {
  const orphan = processRow(300);
  assert.equal(at([orphan], 300), "orphan");
  assert.equal(
    at([processRow(301, { parent: 300, session: 300 })], 301),
    "orphan",
    "below an orphan",
  );
  assert.equal(
    at([processRow(302, { session: 299, parent: 50 })], 302),
    "orphan",
    "the leader of its session is gone",
  );
  assert.equal(at([processRow(303, { terminal: true })], 303), "apart", "it has a terminal");
  assert.equal(
    at([orphan], 300, [{ ...seen[0]!, startTime: "9" }]),
    "apart",
    "no attempt is under way",
  );
  const manager = processRow(400, { name: "systemd" });
  assert.equal(
    at([manager, processRow(401, { parent: 400 })], 401),
    "orphan",
    "a service of the user",
  );
});

test("V11: a person's shell, a job of cron and the owner itself are apart", () => {
  assert.equal(at([], 20), "apart");
  assert.equal(at([], 50), "apart");
  const cron = processRow(500, { name: "cron" });
  assert.equal(
    at(
      [cron, processRow(501, { parent: 500 }), processRow(502, { parent: 501, session: 501 })],
      502,
    ),
    "apart",
  );
});

test("V11: a memory of another start of the machine, or one that cannot be read, is none", () => {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-seen-"));
  const file = join(folder, "processes.json");
  try {
    assert.deepEqual(seenIn(file), []);
    for (const [bootId, processes, count] of [
      ["another", seen, 0],
      [readBootId(), seen, 1],
      [readBootId(), [{ pid: "1" }, null, 3, ...seen], 1],
      [readBootId(), "x", 0],
    ] as const) {
      writeFileSync(file, JSON.stringify({ bootId, processes }));
      assert.equal(seenIn(file).length, count);
    }
    writeFileSync(file, "{");
    assert.deepEqual(seenIn(file), []);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
