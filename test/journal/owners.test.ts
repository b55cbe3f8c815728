// proves: U7
import assert from "node:assert/strict";
import { test } from "node:test";
import { appendOf, numbered } from "./appends.ts";
import { newPath, opened, pretendedProcess } from "./journals.ts";

test("a living owner keeps its run; a dead one loses it, and what it still writes is refused", async () => {
  const path = newPath();
  const dead = new Set<number>();
  const first = await opened({ path, processes: pretendedProcess(1, dead) });
  const second = await opened({ path, processes: pretendedProcess(2, dead) });
  const claim = await first.claim("r", 1);
  await first.append(appendOf(claim, 0, [numbered(1)]));
  await assert.rejects(second.claim("r", 2), {
    code: "run-owned",
    message: /Run r .* process 1\. Attach to it, or stop/,
  });
  dead.add(1);
  const taken = await second.claim("r", 3);
  assert.ok(taken.epoch > claim.epoch);
  assert.deepEqual(await first.append(appendOf(claim, 1, [numbered(2)])), {
    ok: false,
    why: "owner",
    seq: 1,
  });
  await first.release(claim);
  assert.equal((await second.run("r"))?.owner?.pid, 2, "an old owner cannot release it");
  assert.ok((await second.append(appendOf(taken, 1, [numbered(2)]))).ok);
});

test("of many that claim a free run at once, one gets it", async () => {
  const path = newPath();
  const journals = await Promise.all(
    [1, 2, 3, 4].map((pid) => opened({ path, processes: pretendedProcess(pid) })),
  );
  for (let round = 1; round <= 10; round += 1) {
    const claims = await Promise.allSettled(
      journals.map((journal) => journal.claim(`r${round}`, round)),
    );
    assert.equal(claims.filter(({ status }) => status === "fulfilled").length, 1);
    for (const claim of claims)
      if (claim.status === "rejected")
        assert.equal((claim.reason as { code: string }).code, "run-owned");
  }
});

test("of many that take over a dead owner's run at once, one gets it", async () => {
  const path = newPath();
  const dead = new Set([9]);
  const before = await opened({ path, processes: pretendedProcess(9) });
  await before.claim("r", 1);
  const journals = await Promise.all(
    [1, 2, 3].map((pid) => opened({ path, processes: pretendedProcess(pid, dead) })),
  );
  const claims = await Promise.allSettled(journals.map((journal) => journal.claim("r", 2)));
  assert.equal(claims.filter(({ status }) => status === "fulfilled").length, 1);
});

test("a released run is free, also for its old owner, and the old claim stays void", async () => {
  const journal = await opened();
  const claim = await journal.claim("r", 1);
  await assert.rejects(journal.claim("r", 1), { code: "run-owned" });
  await journal.release(claim);
  assert.equal((await journal.run("r"))?.owner, undefined);
  assert.equal((await journal.append(appendOf(claim, 0, [numbered(1)]))).ok, false);
  const again = await journal.claim("r", 2);
  assert.equal((await journal.append(appendOf(claim, 0, [numbered(1)]))).ok, false);
  assert.ok((await journal.append(appendOf(again, 0, [numbered(1)]))).ok);
});
