/** The journal in memory is the journal: the same operations give the same answers as the one on disk. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import type { RunInput } from "../../src/core/run/input.ts";
import { JournalError } from "../../src/journal/error.ts";
import { eventText } from "../../src/journal/event-text.ts";
import { openJournal, type Journal } from "../../src/journal/journal.ts";
import type { Claim } from "../../src/journal/owners.ts";
import { chanceOf } from "./world/chance.ts";
import { memoryJournal } from "./world/memory-journal.ts";
import { memoryStore } from "./world/memory-store.ts";
import { simulatedProcess, type SimulatedProcess } from "./world/process.ts";
import { virtualTime, type VirtualTime } from "./world/virtual-time.ts";

interface Shelf {
  /** One journal for each of two processes. */
  readonly journals: readonly Journal[];
  /** Waits for an answer. */
  readonly answer: <T>(asked: Promise<T>) => Promise<T>;
  readonly claims: (Claim | undefined)[];
  readonly dead: Set<number>;
}

const RUNS = ["r1", "r2"] as const;
const EVENT = eventText({
  ...{ kind: "budget-warned", of: "run", measure: "usd" },
  ...{ spent: 4, limit: 5 },
});

const stop = (at: number): RunInput => ({
  ...{ kind: "cancel-requested", reason: "enough", chance: 0.5 },
  at,
});

type Step = (shelf: Shelf) => Promise<unknown>;

const process = fc.nat(1);
const run = fc.constantFrom(...RUNS);

/** Uses the claim a process took last, whether it still holds or not. */
const withClaim =
  (of: number, use: (journal: Journal, claim: Claim) => Promise<unknown>): Step =>
  async ({ journals, claims, answer }) => {
    const [journal, claim] = [journals[of], claims[of]];
    return journal && claim ? answer(use(journal, claim)) : "no claim";
  };

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(process, run).map(([of, id]): Step => async (shelf) => {
    const claim = await shelf.answer(shelf.journals[of]!.claim(id, 1000));
    shelf.claims[of] = claim;
    return claim;
  }),
  process.map((of) => withClaim(of, (journal, claim) => journal.release(claim))),
  fc
    .tuple(process, fc.nat(4), fc.nat(3), fc.array(fc.nat(6), { maxLength: 2 }))
    .map(([of, expected, count, taken]) =>
      withClaim(of, (journal, claim) =>
        journal.append({
          ...{ claim, expected, taken, phase: "active", at: 2000 },
          events: Array.from({ length: count }, () => EVENT),
        }),
      ),
    ),
  fc
    .tuple(process, fc.nat(3))
    .map(([of, seq]) =>
      withClaim(of, (journal, claim) =>
        journal.saveSnapshot(claim, { seq, shape: "s", state: "{}" }),
      ),
    ),
  fc.tuple(process, run, fc.nat(9)).map(
    ([of, id, at]): Step =>
      ({ journals, answer }) =>
        answer(journals[of]!.post(id, stop(at))),
  ),
  process.map(
    (of): Step =>
      async ({ dead }) =>
        void dead.add(of + 1),
  ),
);

/** Everything that can be read of both runs. */
async function readAll({ journals, answer }: Shelf): Promise<unknown> {
  const [journal] = journals;
  assert.ok(journal !== undefined);
  const of = async (id: string): Promise<unknown> => [
    await answer(journal.run(id)),
    await answer(journal.read(id, 2, 3)),
    await answer(journal.posted(id, 1, 3)),
    (await answer(journal.snapshot(id))) ?? "none",
  ];
  return [await of("r1"), await of("r2"), (await answer(journal.runs())).length];
}

async function outcomes(shelf: Shelf, taken: readonly Step[]): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (const step of taken) {
    const outcome = await step(shelf).catch((error: unknown) =>
      error instanceof JournalError ? error.code : String(error),
    );
    seen.push(JSON.parse(JSON.stringify([outcome ?? "done", await readAll(shelf)])));
  }
  return seen;
}

async function onDisk(taken: readonly Step[]): Promise<unknown[]> {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-sim-"));
  const dead = new Set<number>();
  const open = (pid: number): Promise<Journal> =>
    openJournal({
      path: join(folder, "journal.db"),
      processes: { self: { pid, startTime: "1", bootId: "boot" }, isDead: (o) => dead.has(o.pid) },
    });
  const journals = [await open(1), await open(2)];
  try {
    return await outcomes({ journals, dead, claims: [], answer: (asked) => asked }, taken);
  } finally {
    for (const journal of journals) await journal.close();
    rmSync(folder, { recursive: true });
  }
}

function simulated(time: VirtualTime, pid: number, isFatal: () => boolean): SimulatedProcess {
  return simulatedProcess({ name: `p${pid}`, pid, time, isFatal, chance: chanceOf(pid) });
}

async function settled<T>(time: VirtualTime, asked: Promise<T>): Promise<T> {
  let over = false;
  asked.then(
    () => (over = true),
    () => (over = true),
  );
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    if (over || !time.step()) return asked;
  }
}

function storageOf(time: VirtualTime, dead: ReadonlySet<number>) {
  return {
    ...{ time, store: memoryStore(), watchers: new Set<never>(), chance: chanceOf(3) },
    fault: () => undefined,
    onCommit: () => undefined,
    isDead: ({ pid }: { readonly pid: number }) => dead.has(pid),
  };
}

async function inMemory(taken: readonly Step[]): Promise<unknown[]> {
  const time = virtualTime(chanceOf(1));
  const dead = new Set<number>();
  const storage = storageOf(time, dead);
  const journals = [1, 2].map((pid) =>
    memoryJournal(
      storage,
      simulated(time, pid, () => false),
    ),
  );
  return outcomes({ journals, dead, claims: [], answer: (asked) => settled(time, asked) }, taken);
}

test("the journal in memory answers as the one on disk does", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 12, maxLength: 25 }), async (taken) => {
      assert.deepEqual(await inMemory(taken), await onDisk(taken));
    }),
    { numRuns: 15 },
  );
});

test("what was not answered before the process died has happened or has not; what was answered has", async () => {
  const written = { answered: 0, unanswered: 0 };
  for (let seed = 1; seed <= 60; seed += 1) {
    const time = virtualTime(chanceOf(seed));
    const storage = storageOf(time, new Set());
    const chance = chanceOf(seed);
    const owner = simulated(time, 1, () => chance.happens(0.1));
    const journal = memoryJournal(storage, owner);
    let acknowledged = 0;
    const work = async (): Promise<void> => {
      const claim = await journal.claim("r1", 1);
      for (let expected = 0; expected < 20; expected += 1) {
        await journal.append({ claim, expected, events: [EVENT], taken: [], phase: "", at: 1 });
        acknowledged = expected + 1;
      }
    };
    await Promise.race([settled(time, work()), dry(time)]);
    const stored = storage.store.run("r1")?.events.length ?? 0;
    assert.ok(stored === acknowledged || stored === acknowledged + 1, `seed ${seed}`);
    if (!owner.alive()) written[stored === acknowledged ? "answered" : "unanswered"] += 1;
  }
  assert.ok(written.answered > 5 && written.unanswered > 5, JSON.stringify(written));
});

/** Settles when nothing can happen any more. */
async function dry(time: VirtualTime): Promise<void> {
  for (let quiet = 0; quiet < 20; quiet += 1) {
    const before = time.planned();
    await new Promise((resolve) => setImmediate(resolve));
    if (time.planned() !== before) quiet = 0;
  }
}
