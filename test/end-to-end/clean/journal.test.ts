// proves: U6
import assert from "node:assert/strict";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { systemProcesses } from "../../../src/engines/system.ts";
import { eventText } from "../../../src/journal/event-text.ts";
import { openJournal } from "../../../src/journal/journal.ts";
import { repository, type Repository } from "../run/repository.ts";

const EVENTS = 2000;

/** An ended run whose events take about 2 MB. */
async function longRun(here: Repository, run: string): Promise<void> {
  const path = join(here.home, "unstuck.db");
  const journal = await openJournal({ path, processes: systemProcesses() });
  const at = Date.now();
  await journal.describe(run, { repo: here.path, title: "a long one", at });
  const claim = await journal.claim(run, at);
  const input = { kind: "cancel-requested", reason: "x".repeat(900), at, chance: 0 } as const;
  const events = Array.from({ length: EVENTS }, () =>
    eventText({ kind: "received", input, seq: 1 } as never),
  );
  await journal.append({
    claim,
    expected: 0,
    events,
    taken: [],
    phase: "ended",
    outcome: "failed",
    at,
  });
  await journal.release(claim);
  await journal.close();
}

const bytesOf = (here: Repository): number =>
  ["", "-wal"].reduce(
    (sum, end) =>
      sum + (statSync(join(here.home, `unstuck.db${end}`), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

const clean = (here: Repository): string => {
  const { code, out, err } = here.unstuck("clean", "--older-than", "0");
  assert.equal(code, 0, err);
  return out;
};

test("V35: the journal shrinks after clean, and a removed run is listed by nothing any more", async () => {
  const here = repository();
  try {
    await longRun(here, "long");
    const before = bytesOf(here);
    assert.ok(before > 1_500_000, String(before));
    assert.match(clean(here), /^long: removed/);
    assert.ok(bytesOf(here) < before / 3, `${before} bytes before, ${bytesOf(here)} after`);
    assert.equal(clean(here), "nothing to clean\n");
    assert.doesNotMatch(here.unstuck("status", "--all").out, /long/);
    assert.equal(here.unstuck("events", "long").code, 2);
  } finally {
    here.remove();
  }
});

test(
  "V35: a journal of before shrinks too, once nobody works with it; a live owner puts it off",
  inLargeForm("clean"),
  async () => {
    const here = repository();
    try {
      const path = join(here.home, "unstuck.db");
      await longRun(here, "first");
      const old = new DatabaseSync(path);
      old.exec("PRAGMA auto_vacuum = NONE; VACUUM");
      old.close();
      await longRun(here, "second");
      const journal = await openJournal({ path, processes: systemProcesses() });
      await journal.describe("alive", { repo: "/elsewhere", title: "", at: 1 });
      const claim = await journal.claim("alive", 1);
      const before = bytesOf(here);
      assert.match(clean(here), /second: removed[^]*first: removed/);
      assert.ok(bytesOf(here) >= before / 2, "put off while a run is worked on");
      await journal.release(claim);
      await journal.close();
      clean(here);
      assert.ok(bytesOf(here) < before / 3, `${before} bytes before, ${bytesOf(here)} after`);
    } finally {
      rmSync(join(here.home, "unstuck.db"), { force: true });
      here.remove();
    }
  },
);
