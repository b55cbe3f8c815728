// proves: E11
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  baseWorld,
  comparePolicies,
  type CompareInput,
  type Progress,
} from "../../../src/operations/simulate/compare-policies.ts";
import { SMALL_WORLD } from "../../../src/simulator/world/small-world.ts";

const SMALL: CompareInput = { worlds: 2, tasks: 30, policies: ["adaptive", "none"] };

async function compare(input: CompareInput, cwd = "/") {
  const seen: Progress[] = [];
  const result = await comparePolicies.run({ cwd }, input, (progress) => void seen.push(progress));
  assert.ok(result.ok, JSON.stringify(result));
  const { output } = await comparePolicies.schemas();
  return { value: output.parse(result.value), seen };
}

async function problem(input: CompareInput): Promise<string> {
  const result = await comparePolicies.run({ cwd: "/" }, input);
  assert.ok(!result.ok);
  assert.equal(result.problem.code, "bad-input");
  return result.problem.message;
}

test("policies in pairs, most recovered first, with the one they are compared with", async () => {
  const { value, seen } = await compare(SMALL);
  const names = value.policies.map(({ policy }) => policy);
  assert.deepEqual([...names].sort(), ["adaptive", "fresh", "none"]);
  assert.equal(names.at(-1), "none");
  for (const row of value.policies) {
    const { mean, low, high } = row.recoveredAgainst;
    assert.ok(low <= mean && mean <= high, JSON.stringify(row));
    assert.ok(row.area <= row.recovered && row.questionsPer100 <= 100);
  }
  const adaptive = value.policies.find(({ policy }) => policy === "adaptive");
  assert.ok((adaptive?.confidence?.bins.length ?? 0) > 1, "says how sure it was");
  assert.deepEqual(seen.at(-1), { done: 6, total: 6, policy: "" });
  assert.deepEqual(
    seen.map(({ done }) => done),
    [0, 1, 2, 3, 4, 5, 6],
  );
});

test("the same settings give the same bytes; a person makes a difference", async () => {
  const once = JSON.stringify((await compare(SMALL)).value);
  assert.equal(JSON.stringify((await compare(SMALL)).value), once);
  const { value } = await compare({ ...SMALL, person: true });
  const [asks] = value.policies.filter(({ policy }) => policy === "none");
  assert.ok((asks?.recovered ?? 0) > 0.7, "whoever asks at once gets an answer");
  assert.ok((asks?.costPerSuccess ?? 0) > 5, "which has its price");
});

test("a world of one's own: the one that ships, and a small one, which the oracle can play", async () => {
  const world: unknown = JSON.parse(JSON.stringify({ ...baseWorld(), name: "mine" }));
  const { value } = await compare({ ...SMALL, world });
  assert.equal(value.settings.world, "mine");
  const small = await compare({ worlds: 1, tasks: 20, budget: 3, world: SMALL_WORLD });
  assert.ok(small.value.policies.some(({ policy }) => policy === "oracle"));
});

test("the best there is can be worked out in small worlds only, and it is said how to have them", async () => {
  const of = { worlds: 1, tasks: 15, budget: 2, policies: ["oracle", "unseeing"] };
  const { value } = await compare({ ...of, small: true });
  assert.equal(value.settings.world, "small random");
  const ids = value.policies.map(({ policy }) => policy).toSorted();
  assert.deepEqual(ids, ["fresh", "oracle", "unseeing"]);
  await assert.rejects(compare(of), /oracle plays in small worlds only: add --small/);
});

test("where tasks depend on each other, whoever recovers more is blocked less", async () => {
  const { value } = await compare({ ...SMALL, tasks: 120, dependent: true });
  const of = (name: string) => value.policies.find(({ policy }) => policy === name)!;
  assert.equal(value.settings.dependent, true);
  assert.ok(of("none").blockedPer100 > of("adaptive").blockedPer100 + 10, JSON.stringify(value));
  assert.ok(of("none").success < of("adaptive").success);
  assert.ok(of("adaptive").success + of("adaptive").blockedPer100 / 100 <= 1);
  const alone = await compare(SMALL);
  assert.equal(alone.value.policies[0]?.blockedPer100, 0);
});

test("the chart is an SVG that names each policy and what it recovered", async () => {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-chart-"));
  try {
    const { value } = await compare({ ...SMALL, chart: "out.svg" }, folder);
    assert.equal(value.chart, join(folder, "out.svg"));
    const svg = readFileSync(join(folder, "out.svg"), "utf8");
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    for (const name of ["adaptive", "fresh", "none"])
      assert.match(svg, new RegExp(`>${name} \\d+ %<`));
    assert.equal(svg.match(/<polyline/g)?.length, 3);
    assert.doesNotMatch(svg, /NaN|undefined/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("what cannot be used is said with what could be", async () => {
  assert.match(
    await problem({ policies: ["adaptiv"] }),
    /"adaptiv" to simulate: did you mean adaptive\?/,
  );
  assert.match(await problem({ policies: ["zzzzzzzz"] }), /there are none, retry, feedback, fresh/);
  assert.match(
    await problem({ against: "oracle" }),
    /oracle plays in small worlds only: add --small/,
  );
  assert.match(await problem({ worlds: 0 }), /^worlds: /);
  assert.match(await problem({ world: { version: 1 } }), /the world cannot be used: name: /);
  const hostile = { ...baseWorld(), decay: 7, name: "\u001b[31mred" };
  assert.match(await problem({ world: hostile }), /the world cannot be used: decay: /);
});
