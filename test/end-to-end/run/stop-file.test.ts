// proves: A11, U9
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repository } from "./repository.ts";
import { pause } from "./runs.ts";

test("a stop file in the run's folder pauses it; what was said is kept, with its hash recorded", async () => {
  const here = repository();
  try {
    const agent = here.agent({ goal: [{ print: "at work", hang: true }] });
    const owner = here.start("run", "--goal", "g", "--no-grounding", "--agent", agent);
    const ended = once(owner, "exit");
    const isStarted = (): boolean =>
      here.runs().length > 0 &&
      here.events().some(({ event }) => JSON.stringify(event).includes('"attempt-started"'));
    while (!isStarted()) await pause(100);
    const [run = ""] = here.runs();
    const file = join(here.home, "runs", run, "attempts", "goal", "1", "transcript");
    while (!existsSync(file) || !readFileSync(file, "utf8").includes("at work")) await pause(50);
    writeFileSync(join(here.home, "runs", run, "stop"), "");
    assert.deepEqual(await ended, [5, null]);
    const paused = here.events().find(({ event }) => event.kind === "run-paused")?.event;
    assert.equal(paused?.["by"], "user");
    const recorded = here.events().flatMap(({ event }) => {
      const { input } = event as { input?: { remains?: { transcript?: { sha256: string } } } };
      return input?.remains?.transcript?.sha256 ?? [];
    });
    const hash = createHash("sha256").update(readFileSync(file)).digest("hex");
    assert.deepEqual(recorded, [hash]);
  } finally {
    here.remove();
  }
});
