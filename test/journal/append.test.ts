// proves: U7
import assert from "node:assert/strict";
import { StatementSync } from "node:sqlite";
import { test } from "node:test";
import fc from "fast-check";
import { appendOf, numbered } from "./appends.ts";
import { counting, newPath, opened, rowsOf } from "./journals.ts";

test("events are appended at the expected place and read back in order", async () => {
  const journal = await opened();
  const claim = await journal.claim("r", 1);
  assert.deepEqual(await journal.append(appendOf(claim, 0, [numbered(1), numbered(2)])), {
    ok: true,
    seq: 2,
  });
  assert.deepEqual(await journal.append(appendOf(claim, 2, [numbered(3)])), { ok: true, seq: 3 });
  const rows = await journal.read("r", 2, 10);
  assert.deepEqual(
    rows.map(({ seq, event }) => ({ seq, event })),
    [2, 3].map((seq) => ({ seq, event: numbered(seq) })),
  );
  assert.deepEqual((await journal.read("r", -5, 1))[0]?.event, numbered(1));
  assert.deepEqual(await journal.read("r", 4, 10), []);
  assert.deepEqual(await journal.read("another", 1, 10), []);
});

test("events are read alike where SQLite gives rows as objects alone, as in Node 22", async (t) => {
  const path = newPath();
  const journal = await opened({ path });
  const events = [1, 2, 3].map((number) => numbered(number));
  await journal.append(appendOf(await journal.claim("r", 1), 0, events));
  const rows = await journal.read("r", 2, 10);
  const { prototype } = StatementSync;
  const own = Object.getOwnPropertyDescriptor(prototype, "setReturnArrays") ?? assert.fail();
  t.after(() => Object.defineProperty(prototype, "setReturnArrays", own));
  Reflect.deleteProperty(prototype, "setReturnArrays");
  const older = await opened({ path });
  assert.deepEqual(await older.read("r", 2, 10), rows);
  assert.equal(rows.length, 2);
});

test("a wrong expected place is a value and writes nothing", async () => {
  const journal = await opened();
  const claim = await journal.claim("r", 1);
  await journal.append(appendOf(claim, 0, [numbered(1)]));
  for (const expected of [0, 2])
    assert.deepEqual(await journal.append(appendOf(claim, expected, [numbered(9)])), {
      ok: false,
      why: "sequence",
      seq: 1,
    });
  assert.equal((await journal.read("r", 1, 10)).length, 1);
  assert.equal((await journal.run("r"))?.seq, 1);
});

const anyAppend = fc.record({
  run: fc.nat(3),
  off: fc.constantFrom(0, 0, 0, -1, 1),
  size: fc.nat(3),
});

test("any mix of right and wrong places, from many runs at once, is what a model says", async () => {
  const journal = await opened();
  let world = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyAppend, { maxLength: 6 }), { maxLength: 6 }),
      async (turns) => {
        world += 1;
        const names = [0, 1, 2, 3].map((run) => `${world}/${run}`);
        const claims = await Promise.all(names.map((name) => journal.claim(name, 1)));
        const model: number[][] = names.map(() => []);
        let next = 0;
        for (const turn of turns)
          await Promise.all(
            turn.map(async ({ run, off, size }) => {
              const [claim, there] = [claims[run], model[run]];
              assert.ok(claim !== undefined && there !== undefined);
              const numbers = Array.from({ length: size }, () => (next += 1));
              const events = numbers.map((number) => numbered(number));
              const request = appendOf(claim, there.length + off, events);
              if (off === 0) there.push(...numbers);
              assert.equal((await journal.append(request)).ok, off === 0);
            }),
          );
        for (const [run, name] of names.entries())
          assert.deepEqual(
            (await journal.read(name, 1, 1000)).map(({ event }) => event),
            model[run]?.map((number) => numbered(number)),
          );
      },
    ),
    { numRuns: 40 },
  );
});

test("appends of one turn, from many runs, share one commit", async () => {
  const commits = counting("COMMIT");
  const journal = await opened({ onConnect: commits.onConnect });
  const names = Array.from({ length: 50 }, (_, index) => `r${index}`);
  const claims = await Promise.all(names.map((name) => journal.claim(name, 1)));
  const before = commits.times();
  await Promise.all(claims.map((claim) => journal.append(appendOf(claim, 0, [numbered(1)]))));
  assert.equal(commits.times(), before + 1);
});

test("an append is acknowledged only when another process can see it", async () => {
  const path = newPath();
  const journal = await opened({ path });
  const claim = await journal.claim("r", 1);
  const seen = (): number => rowsOf(path, "SELECT seq FROM events").length;
  const appending = journal.append(appendOf(claim, 0, [numbered(1)])).then(seen);
  assert.equal(seen(), 0);
  assert.equal(await appending, 1);
});

test("rows cannot be changed once they are written", async () => {
  const path = newPath();
  let change = (): void => {};
  const journal = await opened({
    path,
    onConnect: (database) => {
      change = () => database.exec("UPDATE events SET event = '{}'");
    },
  });
  const claim = await journal.claim("r", 1);
  await journal.append(appendOf(claim, 0, [numbered(1)]));
  assert.throws(change, /append-only/);
});

test("the list of runs tells what is known of each, newest first", async () => {
  const journal = await opened();
  await journal.describe("r1", { repo: "/some/repo", title: "a goal", at: 10 });
  const claim = await journal.claim("r2", 20);
  await journal.append(
    appendOf(claim, 0, [numbered(1)], { phase: "ended", outcome: "verified", at: 30 }),
  );
  assert.deepEqual(await journal.runs(), [
    {
      ...{ id: "r2", created: 20, repo: "", title: "", phase: "ended", outcome: "verified" },
      ...{ seq: 1, changed: 30, owner: { pid: 1, startTime: "start of 1", bootId: "boot" } },
    },
    { id: "r1", created: 10, repo: "/some/repo", title: "a goal", phase: "new", seq: 0 },
  ]);
  await journal.describe("r2", { repo: "/other", title: "named later", at: 99 });
  const row = await journal.run("r2");
  assert.deepEqual([row?.title, row?.created, row?.seq], ["named later", 20, 1]);
  assert.equal(await journal.run("r3"), undefined);
});

test("a snapshot replaces the one before, unless the claim no longer holds", async () => {
  const journal = await opened();
  const claim = await journal.claim("r", 1);
  assert.equal(await journal.snapshot("r"), undefined);
  await journal.saveSnapshot(claim, { seq: 1, shape: "s", state: "one" });
  await journal.saveSnapshot(claim, { seq: 2, shape: "s", state: "two" });
  await journal.release(claim);
  await journal.saveSnapshot(claim, { seq: 3, shape: "s", state: "three" });
  const { seq, shape, state } = (await journal.snapshot("r")) ?? {};
  assert.deepEqual([seq, shape, state], [2, "s", "two"]);
});

test("a closed journal says so", async () => {
  const journal = await opened();
  const claim = await journal.claim("r", 1);
  const late = journal.append(appendOf(claim, 0, [numbered(1)]));
  await journal.close();
  assert.deepEqual(await late, { ok: true, seq: 1 });
  await assert.rejects(journal.append(appendOf(claim, 1, [])), { code: "closed" });
  await assert.rejects(journal.read("r", 1, 1), { code: "closed" });
  await journal.close();
});

test("the summary of a run stands in its row, and is of the last append", async () => {
  const journal = await opened();
  const claim = await journal.claim("r", 1);
  const cost = { amount: 0.5, known: true, told: 1, attempts: 1 };
  const summary = { cost, questions: 1, needsPerson: true };
  await journal.append(appendOf(claim, 0, [numbered(1)], { summary }));
  assert.deepEqual((await journal.run("r"))?.summary, summary);
  await journal.append(appendOf(claim, 1, [numbered(2)]));
  assert.equal((await journal.run("r"))?.summary, undefined);
});
