// proves: U24
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { lostIn, newFleet, planOf, until } from "./fleet.ts";
import { WITHOUT_RESTATE } from "./server.ts";

/** The engine forgets what is done after a second: what a run needs is not the engine's history. */
const FORGETFUL = {
  RESTATE_DEFAULT_JOURNAL_RETENTION: "1s",
  RESTATE_DEFAULT_IDEMPOTENCY_RETENTION: "1s",
};

test(
  "U24: a run that waits for a person survives that everything is started anew, and the engine's retention",
  { skip: WITHOUT_RESTATE },
  async () => {
    const fleet = await newFleet({ env: FORGETFUL });
    const mended = join(fleet.folder, "mended");
    const worker = await fleet.worker("w1", ["--slots", "1"]);
    const plan = `${planOf(1, `[ -e ${mended} ] || exit 1`, 1)}budget: { attempts: 1 }\n`;
    const run = await fleet.submit(plan);
    await until(
      async () => (await fleet.questions()).length === 1,
      () => worker.log(),
    );
    await Promise.all([worker.kill(), fleet.server.kill()]);
    await fleet.server.start();
    await fleet.worker("another", ["--slots", "1"]);
    await sleep(5000);
    const [question] = await fleet.questions();
    assert.ok(question !== undefined, "the question is still there");
    writeFileSync(mended, "");
    const answer = ["resolve", question.id, "--run", run, "--top-up", "attempts=3", "--json"];
    const answered = await fleet.laptop(...answer);
    assert.equal(answered.code, 0, answered.err);
    assert.deepEqual(await fleet.ended(run), { kind: "verified" });
    const events = await fleet.events(run);
    assert.deepEqual(lostIn(events), [], "nothing was under way");
    assert.equal(events[0]?.["kind"], "received", "its history is whole");
  },
);
