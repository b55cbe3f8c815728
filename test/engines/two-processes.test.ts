// proves: U7
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { attemptEnded, POLICY, runStarted, scriptedPlan, serially } from "./contract/script.ts";
import { embeddedStore, eventually } from "./embedded-store.ts";

const POSTER = join(import.meta.dirname, "poster-program.ts");

test("two processes post while the owner works: every input once, each process's in its order", async () => {
  const store = await embeddedStore();
  try {
    const { engine, journal, problems } = await store.start();
    const run = await engine.own("r", POLICY, () => {});
    const ids = Array.from({ length: 60 }, (_, index) => `s${index}`);
    const share = (rest: number): string[] => ids.filter((_, index) => index % 3 === rest);
    await engine.deliver("r", runStarted("r", scriptedPlan(ids, "beside"), 1000));
    const exits = [share(0), share(1)].map(async (subtasks) => {
      const poster = spawn(process.execPath, [POSTER, store.path, subtasks.join()], {
        stdio: ["ignore", "inherit", "inherit"],
      });
      assert.deepEqual(await once(poster, "exit"), [0, null]);
    });
    for (const subtask of share(2)) {
      await engine.deliver("r", attemptEnded({ subtask, attempt: 1 }, 2000));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await Promise.all(exits);
    await eventually(async () => (await journal.posted("r", 0, 1)).length === 0);
    assert.deepEqual(problems, []);
    assert.equal(run.state().agents, 0);
    const events = (await engine.read("r", 1, 10_000)).map(({ event }) => event);
    const inputs = events.flatMap((event) => (event.kind === "received" ? [event.input] : []));
    assert.equal(inputs.length, 61);
    assert.deepEqual(serially(inputs, POLICY).events, events);
    const order = inputs.flatMap((input) => ("subtask" in input ? [input.subtask] : []));
    for (const rest of [0, 1, 2])
      assert.deepEqual(
        order.filter((subtask) => share(rest).includes(subtask)),
        share(rest),
      );
  } finally {
    await store.close();
  }
});
