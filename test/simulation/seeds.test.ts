// proves: U7, D7
/** Every seed holds every property. `UNSTUCK_FULL=1 npm test -- simulation` runs 2,000, `npm run simulate` any number. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { embeddedEngine } from "../../src/engines/embedded.ts";
import { findingText, judgeSeed } from "./simulator.ts";
import type { History } from "./world/history.ts";

const OPTIONS = { makeEngine: embeddedEngine };
const SEEDS = process.env["UNSTUCK_FULL"] === "1" ? 2000 : 40;
const GROUP = Math.min(SEEDS, 250);
const seen = new Map<string, number>();

for (let from = 1; from <= SEEDS; from += GROUP)
  test(`seeds ${from} to ${from + GROUP - 1} hold every property`, async () => {
    const failing: string[] = [];
    for (let seed = from; seed < from + GROUP; seed += 1) {
      const verdict = await judgeSeed(seed, OPTIONS);
      countAll(verdict.history);
      if (verdict.violations.length > 0) failing.push(findingText(verdict, OPTIONS));
    }
    assert.equal(failing.length, 0, failing[0]);
  });

test("the seeds went where it hurts", () => {
  /** The least that 750 seeds have to meet. */
  const expected: Readonly<Record<string, number>> = {
    ...{ "died at engine": 50, "died at journal": 50, "died at workspace": 25, "agent guard": 12 },
    ...{ "agent proven-dead": 8, "agent killed": 50, "clock-jumped": 25, "owner-refused": 12 },
    ...{
      "outcome verified": 12,
      "outcome failed": 12,
      "outcome budget": 5,
      "outcome cancelled": 5,
    },
    ...{ "paused in order": 12, "cut off by a pause": 12 },
    ...{ "answer retry": 12, "answer manual": 12, "answer top-up": 12, "answer skip": 12 },
    ...{ "permission allowed": 12, "permission refused": 50, "asked while it waits": 30 },
    ...{ "merge red": 8, "merge conflict": 2, "merge merged": 50, "checks could-not-run": 12 },
    ...{ "recovery wait": 50, "recovery fresh": 5, "recovery explore": 3, "kind lost": 50 },
  };
  for (const [name, of750] of Object.entries(expected)) {
    const least = Math.floor((of750 * SEEDS) / 750);
    assert.ok((seen.get(name) ?? 0) >= least, `${name}: ${seen.get(name) ?? 0} of ${least}`);
  }
});

test("the same seed gives the same history, another one another", async () => {
  const text = async (seed: number): Promise<string> =>
    JSON.stringify((await judgeSeed(seed, OPTIONS)).history);
  for (const seed of [3, 24, 58]) assert.equal(await text(seed), await text(seed));
  assert.notEqual(await text(3), await text(4));
});

const count = (name: string): void => void seen.set(name, (seen.get(name) ?? 0) + 1);

function countAll({ happened }: History): void {
  for (const one of happened) {
    if (one.kind === "owner-died") count(`died at ${one.where.split(" ")[0] ?? ""}`);
    else if (one.kind === "agent-ended") count(`agent ${one.how}`);
    else count(one.kind);
    if (one.kind !== "committed") continue;
    const { event } = one;
    if (event.kind === "run-ended") count(`outcome ${event.outcome}`);
    if (event.kind === "run-paused") count("paused in order");
    if (event.kind === "attempt-cut-off") count("cut off by a pause");
    if (event.kind === "failure-classified") count(`kind ${event.failure.kind}`);
    if (event.kind === "checkpoint-opened" && event.checkpoint.waiting !== undefined)
      count("asked while it waits");
    if (event.kind === "permission-settled")
      count(`permission ${event.allowed ? "allowed" : "refused"}`);
    if (event.kind === "checkpoint-closed") count(`answer ${event.answer.kind}`);
    if (event.kind === "recovery-chosen") count(`recovery ${event.recoveries[0]?.kind ?? ""}`);
    if (event.kind !== "received") continue;
    const { input } = event;
    if (input.kind === "merge-ended") count(`merge ${input.result.kind}`);
    if (input.kind === "checks-ended") count(`checks ${input.result.kind}`);
  }
}
