// proves: U7, U16
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { RunEvent } from "../../src/core/run/decision.ts";
import type { CrashPoint } from "../../src/engines/run-inputs.ts";
import { runStarted, scriptedPlan } from "./contract/script.ts";
import { embeddedStore } from "./embedded-store.ts";

const OWNER = join(import.meta.dirname, "owner-program.ts");

interface Told {
  readonly events: readonly unknown[];
  readonly log: readonly string[];
  /** Whether the point was reached, and so the first owner killed. */
  readonly killed: boolean;
}

/** A whole run, its start posted by another process, its first owner killed at a point. */
async function told(point?: CrashPoint, nth = 1): Promise<Told> {
  const store = await embeddedStore();
  try {
    const log = `${store.path}.log`;
    const poster = await store.start();
    const plan = scriptedPlan(["a", "b", "c"], "row");
    await poster.engine.deliver("r", runStarted("r", plan, 1000));
    const first = await ownerEnds([store.path, log, point ?? "", String(nth)]);
    const killed = first === "SIGKILL";
    assert.ok(killed || first === 0, `the first owner ended with ${first}`);
    if (killed) assert.equal(await ownerEnds([store.path, log]), 0);
    const rows = await poster.engine.read("r", 1, 10_000);
    return {
      events: rows.map(({ event }) => timeless(event)),
      log: readFileSync(log, "utf8").trim().split("\n"),
      killed,
    };
  } finally {
    await store.close();
  }
}

async function ownerEnds(args: readonly string[]): Promise<number | string | null> {
  const owner = spawn(process.execPath, [OWNER, ...args], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code, signal] = (await once(owner, "exit")) as [number | null, string | null];
  return code ?? signal;
}

/** Times differ between a run that was killed and one that was not. */
const timeless = (event: RunEvent): unknown =>
  JSON.parse(
    JSON.stringify(event, (name, value: unknown) =>
      ["at", "dueAt", "since", "time", "duration"].includes(name) ? undefined : value,
    ),
  );

/** At which of its passes each point kills. */
const PASSES: Readonly<Record<CrashPoint, readonly number[]>> = {
  claimed: [1],
  "inbox-taken": [1],
  "timer-fired": [1],
  "before-append": [1, 4],
  "after-append": [1, 4],
  "before-perform": [1, 4],
  "after-perform": [1, 4],
  "snapshot-before": [1],
  "snapshot-after": [1],
};

const undisturbed = told();

test("an undisturbed run performs every command once, and none again", async () => {
  const { log, events } = await undisturbed;
  assert.equal(new Set(log).size, log.length);
  assert.ok(log.every((line) => line.endsWith(" false")));
  assert.ok(log.includes("r/b/2 false"), "b was tried again after its wait");
  assert.equal((events.at(-1) as RunEvent).kind, "run-ended");
});

for (const [point, passes] of Object.entries(PASSES) as [CrashPoint, readonly number[]][])
  test(`kill -9 at ${point}: the next owner ends with the same journal`, async () => {
    const expected = await undisturbed;
    for (const nth of passes) {
      const { events, log, killed } = await told(point, nth);
      assert.ok(killed, "the point was reached");
      assert.deepEqual(events, expected.events);
      const fresh = log.filter((line) => line.endsWith(" false"));
      assert.equal(new Set(fresh).size, fresh.length, "nothing is performed twice as if new");
      const ids = new Set(log.map((line) => line.split(" ")[0]));
      for (const line of expected.log)
        assert.ok(ids.has(line.split(" ")[0] ?? ""), `${line} was performed`);
    }
  });
