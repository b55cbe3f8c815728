// proves: U7
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { membersOf } from "../../../src/agents/process/attempt-members.ts";
import type { ProcessRow } from "../../../src/agents/process/proc-files.ts";
import { processRow } from "./process-row.ts";

const identity = { attemptId: "r/s/1", groupId: 100, startTime: "777", bootId: "b" };
const row = (pid: number, more: Partial<ProcessRow> = {}): ProcessRow => ({
  ...processRow(pid),
  marked: false,
  ...more,
});
const leader = row(100, { parent: 50, startTime: "777" });
const owner = row(50, { parent: 1 });
const pids = (rows: readonly ProcessRow[]): number[] => rows.map(({ pid }) => pid);
const ask = (rows: ProcessRow[], asking = 50) => {
  const { ours, above, unproven } = membersOf(rows, identity, asking);
  return { ours: pids(ours), above: pids(above), unproven: pids(unproven) };
};

test("the group of our living leader is ours, the owner and strangers are not", () => {
  const rows = [owner, leader, row(101, { group: 100 }), row(200), row(201, { group: 200 })];
  assert.deepEqual(ask(rows), { ours: [100, 101], above: [], unproven: [] });
});

test("a leader with another start time is a stranger with our number: nothing of it is ours", () => {
  const rows = [owner, { ...leader, startTime: "778" }, row(101, { group: 100, session: 100 })];
  assert.deepEqual(ask(rows), { ours: [], above: [], unproven: [] });
});

test("a group with our number but no leader is touched only where a mark proves it", () => {
  const rows = [owner, row(101, { group: 100, marked: true }), row(102, { group: 100 })];
  assert.deepEqual(ask(rows), { ours: [101], above: [], unproven: [102] });
});

test("a leader that is dead but not yet collected still holds its number", () => {
  const rows = [owner, { ...leader, ended: true }, row(102, { group: 100 })];
  assert.deepEqual(ask(rows), { ours: [102], above: [], unproven: [] });
});

test("marked processes are found wherever they went, with their children, groups and sessions", () => {
  const rows = [
    row(300, { marked: true }),
    row(301, { parent: 300, group: 301 }),
    row(302, { group: 300 }),
    row(303, { session: 300 }),
    row(304, { parent: 303 }),
    row(305, { parent: 306 }),
    row(306),
  ];
  assert.deepEqual(ask(rows).ours, [300, 301, 302, 303, 304]);
});

test("the asking process and its ancestors are never ours; an ancestor that would be is named", () => {
  const rows = [row(300, { marked: true }), row(301, { parent: 300 }), row(302, { parent: 301 })];
  assert.deepEqual(ask(rows, 302), { ours: [], above: [300, 301], unproven: [] });
});

test("the dead are not ours", () => {
  assert.deepEqual(ask([row(300, { marked: true, ended: true })]).ours, []);
});

test("whatever the table: a process without proof is never ours", () => {
  const anyRow = fc.record({
    pid: fc.integer({ min: 1, max: 30 }),
    parent: fc.integer({ min: 0, max: 30 }),
    group: fc.integer({ min: 0, max: 30 }),
    session: fc.integer({ min: 0, max: 30 }),
    startTime: fc.constantFrom("1", "2"),
    terminal: fc.boolean(),
    cpuMs: fc.constant(0),
    ended: fc.boolean(),
    marked: fc.integer({ max: 9, min: 0 }).map((n) => n === 0),
    name: fc.constant("p"),
  });
  const tables = fc.uniqueArray(anyRow, { selector: ({ pid }) => pid, maxLength: 25 });
  fc.assert(
    fc.property(tables, fc.integer({ min: 1, max: 30 }), (rows, asking) => {
      const suspect = { attemptId: "a", groupId: 7, startTime: "1", bootId: "b" };
      const { ours, unproven } = membersOf(rows, suspect, asking);
      const first = rows.find(({ pid }) => pid === 7);
      const proven = first?.startTime === "1";
      const linked = new Set(rows.filter(({ marked }) => marked).map(({ pid }) => pid));
      for (const one of rows)
        if (proven && (one.group === 7 || one.session === 7)) linked.add(one.pid);
      for (const one of ours) {
        assert.ok(one.pid !== asking && !one.ended);
        let known = linked.has(one.pid);
        const seen = new Set<number>();
        const queue = [one];
        for (let at = queue.pop(); at !== undefined && !known; at = queue.pop()) {
          seen.add(at.pid);
          for (const up of [at.parent, at.group, at.session]) {
            known ||= linked.has(up);
            const next = rows.find(({ pid }) => pid === up);
            if (next !== undefined && !seen.has(up)) queue.push(next);
          }
        }
        assert.ok(known, `${one.pid} has no proof`);
      }
      if (first !== undefined) assert.deepEqual(unproven, []);
    }),
    { numRuns: 500 },
  );
});
