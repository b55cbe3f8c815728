// proves: A1, A10, D7, U7, U16
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Command } from "../../src/core/run/command.ts";
import { foldAll } from "../../src/core/run/fold/fold.ts";
import type { InputOf, RunInput } from "../../src/core/run/input.ts";
import { NEW_RUN } from "../../src/core/run/new-run.ts";
import { subtaskAt, type RunState } from "../../src/core/run/state.ts";
import { freeze } from "../../src/engines/restored.ts";
import { ladder } from "../../src/core/policy/ladder.ts";
import { PRESETS } from "../../src/core/policy/presets.ts";
import type { Engine } from "../../src/runtime/ports.ts";
import {
  attemptEnded,
  attemptFailed,
  attemptOverloaded,
  FIRST_WAIT_MS,
  POLICY,
  runStarted,
  scriptedPlan,
  stopRequested,
} from "./contract/script.ts";
import { embeddedStore, eventually, manualClock, type EmbeddedStore } from "./embedded-store.ts";

type Start = Extract<Command, { readonly kind: "start" }>;
const startOf = (subtask: string, attempt = 1): Start =>
  ({ kind: "start", id: `r/${subtask}/${attempt}`, subtask, attempt }) as Start;
const begin = (...ids: string[]): RunInput => runStarted("r", scriptedPlan(ids, "beside"), 1000);
const ignore = (): void => {};
const plain = (state: RunState): unknown => JSON.parse(JSON.stringify(freeze(state)));

async function inputs(engine: Engine, run = "r"): Promise<readonly RunInput[]> {
  const rows = await engine.read(run, 1, 10_000);
  return rows.flatMap(({ event }) => (event.kind === "received" ? [event.input] : []));
}

function withStore(title: string, body: (store: EmbeddedStore) => Promise<void>): void {
  test(title, async () => {
    const store = await embeddedStore();
    try {
      await body(store);
    } finally {
      await store.close();
    }
  });
}

withStore(
  "an owner that was taken for dead is fenced off: it hears of it and does no more",
  async (store) => {
    const old = await store.start();
    const performed: string[] = [];
    await old.engine.own("r", POLICY, ({ id }) => performed.push(id));
    await old.engine.deliver("r", begin("a", "b"));
    assert.deepEqual(performed, ["r/a/1", "r/b/1"]);
    old.forsake();
    const next = await store.start();
    await next.engine.own("r", POLICY, ignore);
    await assert.rejects(
      old.engine.deliver("r", attemptEnded({ subtask: "a", attempt: 1 }, 2000)),
      {
        code: "owner-lost",
      },
    );
    assert.deepEqual(performed, ["r/a/1", "r/b/1"]);
    assert.deepEqual(
      old.problems.map((problem) => (problem as { code: string }).code),
      ["owner-lost"],
    );
    const late = attemptEnded({ subtask: "b", attempt: 1 }, 3000);
    assert.deepEqual(await old.engine.deliver("r", late), { recorded: false, posted: true });
    await eventually(async () => (await inputs(next.engine)).length === 2);
    assert.deepEqual((await inputs(next.engine))[1], late);
    assert.deepEqual(next.problems, []);
  },
);

test("a full disk is waited for: nothing is lost, order is kept, the problem is told once", async () => {
  let database: DatabaseSync | undefined;
  const store = await embeddedStore({ onConnect: (given) => void (database ??= given) });
  const limit = (pages: number): void => database?.exec(`PRAGMA max_page_count = ${pages}`);
  try {
    const clock = manualClock(50_000);
    const { engine, problems } = await store.start({ clock });
    const run = await engine.own("r", POLICY, ignore);
    await engine.deliver("r", begin("a", "b", "c"));
    limit(1);
    const long = (subtask: string): InputOf<"attempt-ended"> => {
      const end = attemptEnded({ subtask, attempt: 1 }, 2000);
      return { ...end, evidence: { stdout: subtask.repeat(200_000) } };
    };
    const deliveries = ["c", "a", "b"].map((id) => engine.deliver("r", long(id)));
    await eventually(() => problems.length === 1);
    for (const time of [51_000, 52_000, 53_000]) {
      clock.set(time);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal((await inputs(engine)).length, 1);
    assert.deepEqual(
      problems.map((problem) => (problem as { code: string }).code),
      ["disk-full"],
    );
    limit(1_000_000);
    clock.set(60_000);
    assert.ok((await Promise.all(deliveries)).every(({ recorded }) => recorded));
    assert.deepEqual(
      (await inputs(engine)).slice(1).map((input) => "subtask" in input && input.subtask),
      ["c", "a", "b"],
    );
    limit(1);
    const refused = engine.deliver("r", stopRequested(1, "x".repeat(200_000)));
    await Promise.all([assert.rejects(refused, { code: "disk-full" }), run.release()]);
  } finally {
    limit(1_000_000);
    await store.close();
  }
});

withStore(
  "an input that cannot be read stays in the inbox and holds up neither others nor timers",
  async (store) => {
    const clock = manualClock(50_000);
    const { engine, problems } = await store.start({ clock });
    const posting = await store.start();
    await engine.own("r", POLICY, ignore);
    await engine.deliver("r", begin("a"));
    const other = new DatabaseSync(store.path);
    other.exec("INSERT INTO inbox (run, v, input) VALUES (1, 99, '{}')");
    await posting.engine.deliver("r", attemptOverloaded(startOf("a"), 50_000));
    await eventually(async () => (await inputs(engine)).length === 2);
    assert.deepEqual(
      problems.map((problem) => (problem as { code: string }).code),
      ["newer-version"],
    );
    const left = other.prepare("SELECT count(*) AS count FROM inbox").get();
    assert.equal(left?.["count"], 1, "what this version cannot read stays for one that can");
    other.close();
    clock.set(50_000 + FIRST_WAIT_MS);
    await eventually(async () => (await inputs(engine)).at(-1)?.kind === "timer-fired");
  },
);

withStore(
  "the due time is stored: a clock put back between two owners loses no timer",
  async (store) => {
    const first = await store.start({ clock: manualClock(90_000) });
    await first.engine.own("r", POLICY, ignore);
    await first.engine.deliver("r", begin("a"));
    await first.engine.deliver("r", attemptOverloaded(startOf("a"), 90_000));
    await first.kill();
    const clock = manualClock(10_000);
    const second = await store.start({ clock });
    const { state } = await second.engine.own("r", POLICY, ignore);
    assert.equal(subtaskAt(state(), 0).timer?.dueAt, 90_000 + FIRST_WAIT_MS);
    clock.set(90_000 + FIRST_WAIT_MS - 1);
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.equal((await inputs(second.engine)).length, 2);
    clock.set(90_000 + FIRST_WAIT_MS);
    await eventually(async () => (await inputs(second.engine)).length === 3);
    clock.set(10_000);
    clock.set(200_000);
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.equal((await inputs(second.engine)).length, 3, "and fires it once");
  },
);

withStore(
  "an input that cannot be recorded is refused alone; others of the same turn are not harmed",
  async (store) => {
    const { engine } = await store.start();
    const { state } = await engine.own("r", POLICY, ignore);
    await engine.deliver("r", begin("a", "b"));
    const end = (subtask: string) => attemptEnded({ subtask, attempt: 1 }, 2000);
    const endless = { ...end("a"), evidence: { stdout: "x".repeat(17 * 1024 * 1024) } };
    const deliveries = await Promise.allSettled([
      engine.deliver("r", { ...end("a"), at: NaN }),
      engine.deliver("r", endless),
      engine.deliver("r", end("b")),
    ]);
    assert.deepEqual(
      deliveries.map((delivery) =>
        delivery.status === "rejected" ? (delivery.reason as { code: string }).code : "recorded",
      ),
      ["invalid", "invalid", "recorded"],
    );
    assert.equal(state().agents, 1, "a still runs");
    assert.deepEqual(
      (await inputs(engine)).map((input) => "subtask" in input && input.subtask),
      [false, "b"],
    );
  },
);

withStore("who hears of new events finds the owner's state moved on", async (store) => {
  const { engine, journal } = await store.start();
  const { state } = await engine.own("r", POLICY, ignore);
  const phases: string[] = [];
  const unwatch = journal.watch(() => phases.push(state().phase));
  await engine.deliver("r", begin("a"));
  await eventually(() => phases.length > 0);
  assert.deepEqual(phases, ["active"]);
  unwatch();
});

withStore("a command whose performing throws is reported and holds up nothing", async (store) => {
  const { engine, problems } = await store.start();
  const performed: string[] = [];
  await engine.own("r", POLICY, ({ id }) => {
    performed.push(id);
    if (id === "r/a/1") throw new Error("no hands");
  });
  assert.ok((await engine.deliver("r", begin("a", "b"))).recorded);
  assert.deepEqual(performed, ["r/a/1", "r/b/1"]);
  assert.match(String(problems), /no hands/);
});

withStore(
  "progress, metrics and open questions are the same after a restart; answers may come before it",
  async (store) => {
    const policy = ladder(PRESETS["stuck-recovery"]);
    const first = await store.start();
    const owned = await first.engine.own("r", policy, ignore);
    await first.engine.deliver("r", begin("a"));
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      const failing = attemptFailed(
        startOf("a", attempt),
        { kind: "agent_crash", origin: "agent" },
        2000,
      );
      const signals = { outputNovelty: 0, change: 0, markers: 0, checklist: 0 };
      await first.engine.deliver("r", { ...failing, remains: { ...failing.remains, signals } });
    }
    const before = owned.state();
    assert.ok(before.metrics.recovery_triggers > 0 && subtaskAt(before, 0).progress.noProgress > 2);
    await first.kill();
    const second = await store.start();
    const resumed = await second.engine.own("r", policy, ignore);
    assert.deepEqual(plain(resumed.state()), plain(before));
    await resumed.release();

    const asking = await store.start();
    const run = await asking.engine.own("s", POLICY, ignore);
    await asking.engine.deliver("s", runStarted("s", scriptedPlan(["a"], "row"), 1000));
    const fatal = attemptFailed(startOf("a"), { kind: "auth_required", origin: "provider" }, 2000);
    await asking.engine.deliver("s", fatal);
    const checkpoint = subtaskAt(run.state(), 0).checkpoint?.id ?? assert.fail("nobody was asked");
    await asking.kill();
    const answer = (words: string): RunInput => ({
      ...{ kind: "checkpoint-answered", checkpoint, by: "alice", at: 9e9, chance: 0.5 },
      answer: { kind: "retry", words },
    });
    await second.engine.deliver("s", answer("first"));
    await second.engine.deliver("s", answer("second"));
    const performed: string[] = [];
    const again = await second.engine.own("s", POLICY, ({ id }) => performed.push(id));
    await eventually(() => performed.includes("s/a/2"));
    assert.equal(subtaskAt(again.state(), 0).words, "first", "the first answer stands");
    assert.equal((await inputs(second.engine, "s")).length, 3);
  },
);

withStore("a snapshot spares the replay; one that cannot be used is passed over", async (store) => {
  const first = await store.start({ snapshotSize: 1 });
  const { state } = await first.engine.own("r", POLICY, ignore);
  await first.engine.deliver("r", begin("a", "b"));
  await first.engine.deliver("r", attemptEnded({ subtask: "a", attempt: 1 }, 2000));
  await eventually(async () => (await first.journal.snapshot("r")) !== undefined);
  await first.engine.deliver("r", attemptEnded({ subtask: "b", attempt: 1 }, 3000));
  const live = plain(state());
  const rows = await first.engine.read("r", 1, 1000);
  assert.deepEqual(
    plain(
      foldAll(
        NEW_RUN,
        rows.map(({ event }) => event),
      ),
    ),
    live,
  );
  await first.kill();

  for (const [change, fromStart] of [
    ["", false],
    ["UPDATE snapshots SET shape = 'of another version'", true],
    ["UPDATE snapshots SET shape = (SELECT shape FROM kept), state = '{\"plan\":'", true],
  ] as const) {
    const other = new DatabaseSync(store.path);
    other.exec("CREATE TABLE IF NOT EXISTS kept AS SELECT shape FROM snapshots");
    other.exec(change);
    other.close();
    const next = await store.start();
    const read: number[] = [];
    const journal = {
      ...next.journal,
      read: (run: string, from: number, limit: number) => {
        read.push(from);
        return next.journal.read(run, from, limit);
      },
    };
    const reading = await store.start({ journal });
    const owned = await reading.engine.own("r", POLICY, ignore);
    assert.deepEqual(plain(owned.state()), live);
    assert.equal(read[0] === 1, fromStart, change);
    await owned.release();
  }
});

withStore(
  "a damaged run cannot be owned, is left as it is, and holds up no other",
  async (store) => {
    const first = await store.start();
    const owned = await first.engine.own("r", POLICY, ignore);
    await first.engine.deliver("r", begin("a"));
    await owned.release();
    const other = new DatabaseSync(store.path);
    other.exec("DELETE FROM events WHERE seq = 1");
    other.close();
    await assert.rejects(first.engine.own("r", POLICY, ignore), { code: "damaged" });
    assert.equal((await first.journal.run("r"))?.owner, undefined);
    await first.engine.own("s", POLICY, ignore);
    assert.ok(
      (await first.engine.deliver("s", runStarted("s", scriptedPlan(["a"], "row"), 1))).recorded,
    );
  },
);
