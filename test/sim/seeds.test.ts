// proves: U7, D7
/** The small form of the simulation: every seed holds every property. `npm run simulate` runs more of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { embeddedEngine } from "../../src/engines/embedded.ts";
import { findingText, firstFinding, judgeSeed } from "../../src/testing/simulator.ts";
import type { History } from "../../src/testing/world/history.ts";

const OPTIONS = { makeEngine: embeddedEngine };
const SEEDS = 300;
const GROUP = 50;

for (let from = 1; from <= SEEDS; from += GROUP)
  test(`seeds ${from} to ${from + GROUP - 1} hold every property`, async () => {
    const found = await firstFinding({ from, seeds: GROUP }, OPTIONS);
    assert.ok(found === undefined, found && findingText(found, OPTIONS));
  });

test("the same seed gives the same history, another one another", async () => {
  const text = async (seed: number): Promise<string> =>
    JSON.stringify((await judgeSeed(seed, OPTIONS)).history);
  for (const seed of [3, 24, 58]) assert.equal(await text(seed), await text(seed));
  assert.notEqual(await text(3), await text(4));
});

test("the seeds go where it hurts", async () => {
  const seen = new Map<string, number>();
  const count = (name: string): void => void seen.set(name, (seen.get(name) ?? 0) + 1);
  for (let seed = 1; seed <= 120; seed += 1)
    countAll((await judgeSeed(seed, OPTIONS)).history, count);
  const expected: Readonly<Record<string, number>> = {
    ...{ "died at engine": 20, "died at journal": 20, "died at workspace": 10, "agent guard": 5 },
    ...{ "agent proven-dead": 3, "agent killed": 20, "clock-jumped": 10, "owner-refused": 5 },
    ...{ "outcome verified": 5, "outcome failed": 5, "outcome budget": 2, "outcome stopped": 2 },
    ...{ "answer retry": 5, "answer manual": 5, "answer top-up": 5, "answer skip": 5 },
    ...{ "merge red": 3, "merge merged": 20, "checks could-not-run": 5, "kind lost": 20 },
    ...{ "recovery wait": 20, "recovery fresh": 2, "recovery explore": 1, "recovery escalate": 2 },
  };
  for (const [name, least] of Object.entries(expected))
    assert.ok((seen.get(name) ?? 0) >= least, `${name}: ${seen.get(name) ?? 0} of ${least}`);
});

function countAll({ happened }: History, count: (name: string) => void): void {
  for (const one of happened) {
    if (one.kind === "owner-died") count(`died at ${one.where.split(" ")[0] ?? ""}`);
    else if (one.kind === "agent-ended") count(`agent ${one.how}`);
    else count(one.kind);
    if (one.kind !== "committed") continue;
    const { event } = one;
    if (event.kind === "run-ended") count(`outcome ${event.outcome}`);
    if (event.kind === "failure-classified") count(`kind ${event.failure.kind}`);
    if (event.kind === "checkpoint-closed") count(`answer ${event.answer.kind}`);
    if (event.kind === "recovery-chosen") count(`recovery ${event.recoveries[0]?.kind ?? ""}`);
    if (event.kind !== "received") continue;
    const { input } = event;
    if (input.kind === "merge-ended") count(`merge ${input.result.kind}`);
    if (input.kind === "checks-ended") count(`checks ${input.result.kind}`);
  }
}
