// proves: U7
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLargeForm } from "../large-form.ts";
import type { Command } from "../../src/core/run/command.ts";
import { freeze, restoredRun } from "../../src/engines/restored.ts";
import { foldAll } from "../../src/core/run/fold/fold.ts";
import type { RunInput } from "../../src/core/run/input.ts";
import { NEW_RUN } from "../../src/core/run/new-run.ts";
import { ladder } from "../../src/core/policy/ladder.ts";
import { PRESETS } from "../../src/core/policy/presets.ts";
import { goodAnswer, runStarted, scriptedPlan } from "./contract/script.ts";
import { embeddedStore } from "./embedded-store.ts";

const EVENTS = 100_000;
const policy = ladder(PRESETS.standard);

/** Checks never pass: a subtask costs as many events as it can. */
function answerTo(command: Command): RunInput | undefined {
  const good = goodAnswer(command, 1000);
  if (good?.kind !== "checks-ended") return good;
  const failing = [`case ${good.attempt}`];
  return { ...good, result: { kind: "failed", failing, evidence: { stdout: failing.join() } } };
}

test(
  "a run of 100,000 events resumes from its snapshot: few rows are read",
  inLargeForm("engines"),
  async () => {
    const store = await embeddedStore();
    try {
      const { engine, journal } = await store.start();
      const ids = Array.from({ length: 600 }, (_, index) => `s${index}`);
      const done = Promise.withResolvers<void>();
      const owned = await engine.own("r", policy, (command) => {
        const answer = answerTo(command);
        if (answer !== undefined) engine.deliver("r", answer).catch(done.reject);
        if (command.kind === "ask" && owned.state().openCheckpoints === ids.length) done.resolve();
      });
      const plan = { ...scriptedPlan(ids, "beside"), concurrency: 250 };
      await engine.deliver("r", runStarted("r", plan, 1000));
      await done.promise;
      await owned.release();

      const rows = await journal.read("r", 1, 1_000_000);
      assert.ok(rows.length >= EVENTS, `only ${rows.length} events`);
      let read = 0;
      let size = 0;
      const started = performance.now();
      const before = process.cpuUsage();
      const restored = await restoredRun(
        {
          ...journal,
          async read(run, from, limit) {
            const some = await journal.read(run, from, limit);
            read += some.length;
            for (const row of some) size += row.size;
            return some;
          },
        },
        "r",
      );
      const elapsed = performance.now() - started;
      const { user, system } = process.cpuUsage(before);
      const snapshot = (await journal.snapshot("r")) ?? assert.fail("no snapshot was made");
      console.log(
        `${rows.length} events, snapshot of ${snapshot.state.length} characters, ` +
          `${read} rows read, ${elapsed.toFixed(0)} ms (${Math.round((user + system) / 1000)} ms of CPU)`,
      );
      assert.equal(restored.seq, rows.length);
      assert.ok(read < rows.length / 5, `${read} of ${rows.length} rows were read`);
      const batch = 256 * 8 * 600;
      assert.ok(size <= 2 * snapshot.state.length + batch, `${size} characters`);
      const whole = foldAll(
        NEW_RUN,
        rows.map(({ event }) => event),
      );
      const plain = (state: typeof whole): unknown => JSON.parse(JSON.stringify(freeze(state)));
      assert.deepEqual(plain(restored.state), plain(whole));
    } finally {
      await store.close();
    }
  },
);
