/** Worlds: those that claims are made about stay as they are; tables fit them; a change on the way is one. */
// proves: E11
import assert from "node:assert/strict";
import { test } from "node:test";
import { hashText } from "../../src/core/hash.ts";
import { CAUSES } from "../../src/core/adaptive/causes.ts";
import { playWorld } from "../../src/simulator/compare/compare.ts";
import { recoveredShare } from "../../src/simulator/compare/tally.ts";
import { dependenciesOf, USUAL_DEPENDENCIES } from "../../src/simulator/play/dependencies.ts";
import { isDown, quotaIn } from "../../src/simulator/play/outages.ts";
import { untilMorning } from "../../src/simulator/play/person.ts";
import { CONTESTANTS } from "../../src/simulator/policies/all.ts";
import { luby } from "../../src/simulator/policies/fixed.ts";
import { tablesOf } from "../../src/simulator/policies/true-tables.ts";
import { dirichlet, pick, streamOf } from "../../src/simulator/random.ts";
import { BASE_WORLD } from "../../src/simulator/world/base-world.ts";
import {
  changedWorld,
  CLAIMED_SEEDS,
  randomWorld,
} from "../../src/simulator/world/random-world.ts";
import { ROOT_CAUSES } from "../../src/core/adaptive/causes.ts";
import { symptomShares, worldSchema } from "../../src/simulator/world/world.ts";

/** Six digits: the last ones may differ between machines. */
const figures = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === "number" ? +one.toFixed(6) : one));

test("the 200 random worlds are those that claims are made about", () => {
  const { first, last } = CLAIMED_SEEDS;
  const worlds = Array.from({ length: last - first + 1 }, (_, index) => randomWorld(first + index));
  for (const world of worlds.slice(0, 20)) worldSchema.parse(world);
  assert.equal(worlds.length, 200);
  assert.equal(hashText(worlds.map(figures).join("\n")), "3ff81ae083411aa2");
});

test("shares of symptoms sum to 1; the look of the cause is the likeliest", () => {
  for (const cause of [...ROOT_CAUSES, "pollution"] as const) {
    const shares = symptomShares(BASE_WORLD, cause);
    const sum = Object.values(shares).reduce((all, one) => all + one, 0);
    assert.ok(Math.abs(sum - 1) < 1e-9, `${cause}: ${sum}`);
    const [likeliest] = Object.entries(shares).sort(([, a], [, b]) => b - a)[0] ?? [];
    assert.ok(Object.hasOwn(BASE_WORLD.symptoms[cause], likeliest ?? ""), `${cause}: ${likeliest}`);
  }
});

test("tables that fit a world: every chance is one, and shares sum to 1", () => {
  const tables = tablesOf(randomWorld(3));
  const prior = CAUSES.reduce((sum, cause) => sum + tables.prior[cause], 0);
  assert.ok(Math.abs(prior - 1) < 1e-9);
  for (const row of [...Object.values(tables.success), ...Object.values(tables.symptoms)])
    for (const chance of Object.values(row)) assert.ok(chance > 0 && chance < 1, `${chance}`);
});

test("a world that changes half-way is another one from there on", () => {
  const change = { after: 0.5, odds: { fresh: 0.01 } };
  const world = { ...BASE_WORLD, change };
  assert.ok(changedWorld(world).success.mistake.fresh[0]! < 0.02);
  const fresh = CONTESTANTS.find(({ id }) => id === "fresh")!;
  const share = (skip: number): number =>
    recoveredShare(
      playWorld({ seed: 1, world }, fresh, { tasks: 150 - skip, skip, budget: 8, person: false }),
    );
  assert.ok(share(75) < share(0) / 1.4, "the second half is harder");
});

test("outages are the same for every task of a seed, and as long as the world says", () => {
  const minutes = Array.from({ length: 20_000 }, (_, minute) => minute * 10);
  const down = minutes.filter((minute) => isDown(BASE_WORLD, { seed: 4, index: 0 }, minute));
  assert.ok(down.length > 300 && down.length < 1100, `down in ${down.length} of 20000`);
  for (const minute of down.slice(0, 20))
    assert.ok(isDown(BASE_WORLD, { seed: 4, index: 1 }, minute - 20), "the same clock for all");
  const { outages: _, ...calm } = BASE_WORLD;
  assert.ok(!minutes.some((minute) => isDown(calm, { seed: 4, index: 0 }, minute)));
});

test("quota: windows are the same for every task of a seed, and run out as often as the world says", () => {
  const world = { ...BASE_WORLD, quota: { hours: 5, runsOut: 0.4 } };
  const windows = Array.from({ length: 400 }, (_, window) => window);
  const out = windows.filter(
    (window) => quotaIn(world, { seed: 3, index: 0 }, window * 300 + 299.9) !== undefined,
  );
  assert.ok(out.length > 130 && out.length < 190, `${out.length} of 400`);
  for (const window of out.slice(0, 20)) {
    assert.equal(quotaIn(world, { seed: 3, index: 1 }, window * 300 + 270)?.toFixed(0), "10");
    assert.notEqual(quotaIn(world, { seed: 3, index: 0 }, (window + 1) * 300), 300);
  }
  assert.equal(quotaIn(BASE_WORLD, { seed: 3, index: 0 }, 299), undefined);
  const settings = { tasks: 40, skip: 0, budget: 8, person: false };
  const fresh = CONTESTANTS.find(({ id }) => id === "fresh")!;
  const { outages: _, ...always } = BASE_WORLD;
  const [calm, tight] = [always, { ...always, quota: { hours: 5, runsOut: 1 } }].map((one) =>
    playWorld({ seed: 3, world: one }, fresh, settings),
  );
  assert.equal(tight!.recovered, calm!.recovered, "waiting uses no attempt");
  assert.ok(tight!.hours > calm!.hours + 20, `${tight!.hours} after ${calm!.hours}`);
});

test("plans: a task depends on earlier ones of its plan only, and what failed blocks them all", () => {
  const before = dependenciesOf({ dependencies: USUAL_DEPENDENCIES }, 5, 500);
  assert.ok(before.length >= 500 && before.some((parents) => parents.length === 3));
  assert.ok(before.every((parents, place) => parents.every((one) => one >= 0 && one < place)));
  assert.deepEqual(dependenciesOf({ dependencies: USUAL_DEPENDENCIES }, 5, 500), before);
  assert.deepEqual(dependenciesOf(BASE_WORLD, 5, 500), []);
  const chain = { ...BASE_WORLD, dependencies: { least: 50, most: 50, parents: 9 } };
  const none = CONTESTANTS.find(({ id }) => id === "none")!;
  const settings = { tasks: 50, skip: 0, budget: 8, person: false };
  const { tasks, blocked, succeeded } = playWorld({ seed: 5, world: chain }, none, settings);
  assert.equal(tasks + blocked, 50);
  assert.ok(blocked > 25 && succeeded < tasks, `${blocked} blocked, ${tasks} played`);
});

test("whoever is asked at night answers in the morning", () => {
  const person = { ...BASE_WORLD.person, night: { from: 22, hours: 8 } };
  const hours = [0, 5, 6, 12, 21.5, 22, 23].map((hour) => untilMorning(person, hour * 60) / 60);
  assert.deepEqual(hours, [6, 1, 0, 0, 0, 8, 7]);
  assert.equal(untilMorning(BASE_WORLD.person, 0), 0);
});

test("chance: shares around those given, a pick by its share, Luby's sequence", () => {
  const drawn = dirichlet(streamOf(5), { a: 0.5, b: 0.5, c: 0 }, 10);
  assert.ok(Math.abs(drawn.a + drawn.b - 1) < 1e-9 && drawn.c === 0);
  assert.deepEqual(
    [0, 0.49, 0.51, 0.999].map((at) => pick({ a: 1, b: 1 }, at)),
    ["a", "a", "b", "b"],
  );
  assert.deepEqual([1, 2, 3, 4, 5, 6, 7, 8, 15].map(luby), [1, 1, 2, 1, 1, 2, 4, 1, 8]);
});
