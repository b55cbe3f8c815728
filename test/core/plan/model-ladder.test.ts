// proves: A5
import assert from "node:assert/strict";
import { test } from "node:test";
import { PLAN_AGENTS } from "../../../src/agents/registry.ts";
import {
  entryForTier,
  rankUp,
  sidegradeOf,
  tierUp,
  topEntry,
} from "../../../src/core/plan/model-ladder.ts";
import type { ModelEntry } from "../../../src/core/plan/plan.ts";

const SOURCE_LADDER = PLAN_AGENTS.sourceLadder;

const models = (entries: readonly ModelEntry[]): (string | undefined)[] =>
  entries.map(({ model }) => model);
const entry = (model: string, tier: number, disabled?: boolean): ModelEntry => ({
  agent: "x",
  model,
  tier,
  ...(disabled === undefined ? {} : { disabled }),
});

test("the source's five entries, in its order, are the default ladder", () => {
  assert.deepEqual(
    SOURCE_LADDER.map(({ agent, model }) => [agent, model]),
    [
      ["gemini", "gemini-3-flash"],
      ["gemini", "gemini-3-pro"],
      ["codex", "gpt-5.2"],
      ["claude", "claude-sonnet-4"],
      ["claude", "claude-opus-4.5"],
    ],
  );
});

test("one rank up from each entry; nothing at the top", () => {
  const next = SOURCE_LADDER.map((current) => rankUp(SOURCE_LADDER, current)?.model);
  assert.deepEqual(next, [...models(SOURCE_LADDER).slice(1), undefined]);
});

test("an unknown current entry goes on at the first that is not weaker", () => {
  assert.equal(rankUp(SOURCE_LADDER, entry("mine", 2))?.model, "gpt-5.2");
  assert.equal(rankUp(SOURCE_LADDER, entry("mine", 4)), undefined);
});

test("disabled entries are left out everywhere", () => {
  const ladder = [entry("a", 1), entry("b", 2, true), entry("c", 2), entry("d", 3, true)];
  assert.equal(rankUp(ladder, entry("a", 1))?.model, "c");
  assert.equal(tierUp(ladder, entry("a", 1))?.model, "c");
  assert.equal(topEntry(ladder)?.model, "c");
  assert.equal(entryForTier(ladder, 3)?.model, "c");
  assert.equal(sidegradeOf(ladder, entry("c", 2), []), undefined);
  assert.equal(topEntry([entry("a", 1, true)]), undefined);
});

test("tier up takes the first entry of the next tier that exists", () => {
  const ladder = [entry("a", 1), entry("b", 3), entry("c", 3), entry("d", 2)];
  assert.equal(tierUp(ladder, entry("a", 1))?.model, "d");
  assert.equal(tierUp(ladder, entry("d", 2))?.model, "b");
  assert.equal(tierUp(ladder, entry("b", 3)), undefined);
  assert.equal(topEntry(ladder)?.model, "c");
});

test("a sidegrade stays in the tier and is never an entry already used", () => {
  const ladder = [entry("a", 1), entry("b", 1), entry("c", 1), entry("d", 2)];
  assert.equal(sidegradeOf(ladder, entry("a", 1), [])?.model, "b");
  assert.equal(sidegradeOf(ladder, entry("a", 1), [entry("b", 1)])?.model, "c");
  assert.equal(sidegradeOf(ladder, entry("a", 1), [entry("b", 1), entry("c", 1)]), undefined);
});

test("a subtask starts at its planned tier, never above it when it exists", () => {
  assert.equal(entryForTier(SOURCE_LADDER, 1)?.model, "gemini-3-flash");
  assert.equal(entryForTier(SOURCE_LADDER, 2)?.model, "gpt-5.2");
  assert.equal(entryForTier(SOURCE_LADDER, 3)?.model, "claude-opus-4.5");
  assert.equal(entryForTier([], 1), undefined);
});
