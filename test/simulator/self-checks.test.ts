/**
 * What must hold in any simulator that compares recoveries: nobody beats the best possible, harder worlds never help,
 * budgets hold, and the same seed gives the same result.
 */
// proves: E11
import assert from "node:assert/strict";
import { test } from "node:test";
import { bootstrap, compared, playWorld } from "../../src/simulator/compare/compare.ts";
import { recoveredShare, type Tally } from "../../src/simulator/compare/tally.ts";
import { play } from "../../src/simulator/play/play.ts";
import { drawTask } from "../../src/simulator/play/task.ts";
import { CONTESTANTS, fitFor } from "../../src/simulator/policies/all.ts";
import type { Contestant } from "../../src/simulator/policies/contestant.ts";
import { BASE_WORLD } from "../../src/simulator/world/base-world.ts";
import { randomWorld } from "../../src/simulator/world/random-world.ts";
import { SMALL_WORLD } from "../../src/simulator/world/small-world.ts";
import type { World } from "../../src/simulator/world/world.ts";
import { rowsOf } from "../large-form.ts";
import { MEMORYLESS } from "./small-world.ts";

const named = (id: string): Contestant => {
  const found = CONTESTANTS.find((contestant) => contestant.id === id);
  assert.ok(found !== undefined, id);
  return found;
};

const tally = (world: World, id: string, tasks: number, seed = 1, budget = 8): Tally =>
  playWorld({ seed, world }, named(id), { tasks, skip: 0, budget, person: false });

test("the oracle plays in small worlds only, and nobody recovers more than it there", () => {
  assert.ok(!fitFor([BASE_WORLD]).some(({ id }) => id === "oracle"));
  const seeds = [1, 2, 3];
  for (const budget of [3, 6]) {
    const of = ({ id }: Contestant): number[] =>
      seeds.map((seed) => recoveredShare(tally(SMALL_WORLD, id, 70, seed, budget)));
    const most = of(named("oracle"));
    for (const contestant of fitFor([SMALL_WORLD])) {
      const own = of(contestant);
      const lead = bootstrap(seeds.length, (at) =>
        at.reduce((sum, place) => sum + own[place]! - most[place]!, 0),
      );
      const said = `${contestant.id} at budget ${budget}: ${JSON.stringify(lead)}`;
      assert.ok(lead.low <= 0 && lead.mean / seeds.length < 0.04, said);
    }
  }
});

test("whoever plans without seeing the cause sees as much as symptoms tell, and loses what they do not", () => {
  const shown = { ...SMALL_WORLD, accuracy: 1, pollution: { ...BASE_WORLD.pollution, start: 0 } };
  const clear = { ...shown, pollution: { ...shown.pollution, later: 0 } };
  const recovered = (world: World, id: string) => tally(world, id, 150, 1, 3).recovered;
  assert.equal(recovered(clear, "unseeing"), recovered(clear, "oracle"), "nothing is hidden");
  const [hidden, seen] = [recovered(SMALL_WORLD, "unseeing"), recovered(SMALL_WORLD, "oracle")];
  assert.ok(hidden < seen, `${hidden} of ${seen}`);
  assert.ok(hidden >= recovered(SMALL_WORLD, "adaptive-true") - 1, "its choices cost nothing");
});

/** Each makes the world harder than the base, and the second harder than the first. */
const HARDER: Readonly<Record<string, readonly [World, World]>> = {
  "more pollution": [0, 0.6].map((start) => ({
    ...BASE_WORLD,
    pollution: { ...BASE_WORLD.pollution, start },
  })) as [World, World],
  "pollution that spreads": [0, 0.5].map((later) => ({
    ...BASE_WORLD,
    pollution: { ...BASE_WORLD.pollution, later },
  })) as [World, World],
  "faster decay": [0.8, 0.25].map((decay) => ({ ...BASE_WORLD, decay })) as [World, World],
  "less telling symptoms": [0.95, 0.4].map((accuracy) => ({ ...BASE_WORLD, accuracy })) as [
    World,
    World,
  ],
};

/** They make the same moves whatever they see: what holds for the mean holds for each task. */
const BLIND = ["retry", "feedback", "fresh", "fresh-cut", "luby", "escalate"];

test("a harder world never helps: exactly so for those that look at nothing", () => {
  for (const [what, [easier, harder]] of Object.entries(HARDER))
    for (const id of BLIND)
      for (let index = 0; index < 60; index += 1) {
        const won = [easier, harder].map((world) => {
          const { playerFor } = named(id).enter(world, 1);
          const rules = { budget: 8, person: false };
          return play(world, drawTask(world, 1, index), playerFor, rules).succeeded;
        });
        assert.ok(won[0] || !won[1], `${what} helped ${id} with task ${index}`);
      }
});

const CHOOSING = ["standard", "symptom-map", "adaptive", "clairvoyant"].map((name) => ({ name }));

for (const { name } of rowsOf("simulator", CHOOSING, ["standard", "adaptive"]))
  test(`a harder world never helps ${name}, within what chance explains`, () => {
    const seeds = [1, 2, 3];
    const shares = (world: World): number[] =>
      seeds.map((seed) => recoveredShare(tally(world, name, 80, seed)));
    for (const [what, [easier, harder]] of Object.entries(HARDER)) {
      const [before, after] = [shares(easier), shares(harder)];
      const gain = bootstrap(seeds.length, (at) =>
        at.reduce((sum, place) => sum + (after[place]! - before[place]!) / seeds.length, 0),
      );
      assert.ok(gain.low <= 0, `${what} helped ${name}: ${JSON.stringify(gain)}`);
    }
  });

test("no policy uses more than the budget, in attempts or in cost", () => {
  for (const contestant of fitFor([BASE_WORLD])) {
    const { playerFor } = contestant.enter(BASE_WORLD, 2);
    for (let index = 0; index < 40; index += 1) {
      const rules = { budget: 3, person: false };
      const result = play(BASE_WORLD, drawTask(BASE_WORLD, 2, index), playerFor, rules);
      assert.ok(result.usedShare <= 1 + 1e-9, `${contestant.id} used ${result.usedShare}`);
    }
  }
});

test("with one cause and no memory all that start over are equal, task by task", () => {
  const results = ["fresh", "retry", "feedback", "clairvoyant"].map((id) =>
    recoveredShare(tally(MEMORYLESS, id, 800)),
  );
  // Eight tries with a chance of 0.3 each.
  const expected = 1 - 0.7 ** 8;
  for (const share of results) assert.ok(Math.abs(share - expected) < 0.03, `${results.join()}`);
});

test("the same seed gives the same bytes, another seed others; luck is that of task, attempt and move", () => {
  const world = randomWorld(7);
  for (const id of ["thompson-prior", "adaptive", "standard"]) {
    const once = JSON.stringify(tally(world, id, 60, 7));
    assert.equal(JSON.stringify(tally(world, id, 60, 7)), once);
    assert.notEqual(JSON.stringify(tally(world, id, 60, 8)), once);
  }
  assert.equal(JSON.stringify(randomWorld(7)), JSON.stringify(world));
  const shared = ["fresh", "fresh-cut"].map((id) => {
    const { playerFor } = named(id).enter(world, 7);
    return Array.from(
      { length: 60 },
      (_, index) =>
        play(world, drawTask(world, 7, index), playerFor, { budget: 8, person: false }).attempts,
    );
  });
  for (const [index, attempts] of shared[0]!.entries()) {
    const [, second] = attempts;
    const other = shared[1]![index]![1];
    if (second !== undefined && other?.cut === false) assert.equal(second.solved, other.solved);
  }
});

test("a policy compared with itself differs by nothing", () => {
  const tallies = [1, 2, 3].map((seed) => tally(BASE_WORLD, "fresh", 40, seed));
  const [row] = compared(new Map([[named("fresh"), tallies]]), "fresh");
  assert.deepEqual(row?.recovered, { mean: 0, low: 0, high: 0 });
  assert.deepEqual(row?.costPerSuccess, { mean: 0, low: 0, high: 0 });
});
