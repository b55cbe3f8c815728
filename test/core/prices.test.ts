// proves: U4
import assert from "node:assert/strict";
import { test } from "node:test";
import { estimateUsd, PRICES_DATE } from "../../src/core/prices.ts";

const million = { input: 1_000_000, cached: 0, output: 0 };

for (const [model, usd] of [
  ["claude-sonnet-4-5-20250929", 3],
  ["anthropic/claude-sonnet-4-5", 3],
  ["claude-opus-4-5", 5],
  ["claude-opus-4-1-20250805", 15],
  ["Sonnet", 3],
  ["opus[1m]", 5],
  ["gpt-5.1-codex", 1.25],
  ["gpt-5.1", 1.25],
  ["gpt-5.1-codex-mini", 0.25],
  ["gemini-2.5-flash", 0.3],
  ["gemini-2.5-flash-lite", 0.1],
  ["gemini-2.5-flash@001", 0.3],
] as const)
  test(`a million tokens sent to ${model} are estimated at ${usd}`, () => {
    assert.equal(estimateUsd(model, million), usd);
  });

for (const model of ["", "my-model", "gpt-5.10", "sonnets", "claude", "gpt-5.1x", "my-sonnet"])
  test(`no price is made up for ${model === "" ? "no model" : model}`, () => {
    assert.equal(estimateUsd(model, million), undefined);
  });

test("what is sent, what is read from a cache and what is answered each have their price", () => {
  const usd = estimateUsd("claude-sonnet-4-5", { input: 1000, cached: 10_000, output: 200 });
  assert.ok(Math.abs((usd ?? 0) - (0.003 + 0.003 + 0.003)) < 1e-12);
});

test("every known model: what a million tokens sent, read from a cache and answered cost", () => {
  for (const [model, input, cached, output] of [
    ["claude-opus-4-5", 5, 0.5, 25],
    ["claude-opus-4", 15, 1.5, 75],
    ["claude-sonnet-4", 3, 0.3, 15],
    ["claude-haiku-4-5", 1, 0.1, 5],
    ["claude-3-5-haiku", 0.8, 0.08, 4],
    ["opus", 5, 0.5, 25],
    ["sonnet", 3, 0.3, 15],
    ["haiku", 1, 0.1, 5],
    ["gpt-5-nano", 0.05, 0.005, 0.4],
    ["gpt-5-mini", 0.25, 0.025, 2],
    ["gpt-5.1-codex-mini", 0.25, 0.025, 2],
    ["gpt-5-codex", 1.25, 0.125, 10],
    ["gpt-5.1", 1.25, 0.125, 10],
    ["gpt-4.1-mini", 0.4, 0.1, 1.6],
    ["gpt-4.1", 2, 0.5, 8],
    ["o4-mini", 1.1, 0.275, 4.4],
    ["gemini-2.5-flash-lite", 0.1, 0.01, 0.4],
    ["gemini-2.5-flash", 0.3, 0.03, 2.5],
    ["gemini-2.5-pro", 1.25, 0.125, 10],
    ["gemini-3-pro:preview", 2, 0.2, 12],
  ] as const) {
    const none = { input: 0, cached: 0, output: 0 };
    const near = (counts: Partial<typeof none>, usd: number): void => {
      const estimate = estimateUsd(model, { ...none, ...counts }) ?? Number.NaN;
      assert.ok(Math.abs(estimate - usd) < 1e-9, `${model}: ${estimate}, not ${usd}`);
    };
    near({ input: 1_000_000 }, input);
    near({ cached: 1_000_000 }, cached);
    near({ output: 1_000_000 }, output);
  }
});

test("the table has a date", () => {
  assert.match(PRICES_DATE, /^\d{4}-\d{2}-\d{2}$/);
});
