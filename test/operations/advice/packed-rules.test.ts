// proves: B1
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { evidenceOfText } from "../../../src/operations/advice/evidence.ts";
import { openPackedRules, packRules } from "../../../src/operations/advice/packed-rules.ts";
import { classifyByStandardRules as classify } from "../../../src/core/rules/standard.ts";
import { matchesIn } from "../../../src/core/classify/match.ts";
import { buildRuleBook, sourceOf } from "../../../src/core/classify/rule-book.ts";
import type { RuleBook } from "../../../src/core/classify/rule-book.ts";
import { RULES } from "../../../src/core/rules/standard.ts";
import { windowOf } from "../../../src/core/classify/window.ts";
import { inFolder, unstuck } from "../../cli/command.ts";

const built = buildRuleBook(RULES);

test("packed rules are the rules, without what only tests need", () => {
  const packed = inFolder(opened);
  assert.equal(packed.ruleOf.length, built.ruleOf.length);
  for (let pattern = 0; pattern < built.ruleOf.length; pattern += 1)
    assert.equal(sourceOf(packed, pattern), sourceOf(built, pattern));
  RULES.forEach((rule, number) =>
    assert.deepEqual(packed.ruleAt(number), { ...rule, example: "", nearMiss: "" }),
  );
});

test("packed rules find what the rules find", () => {
  const packed = inFolder(opened);
  const found = (book: RuleBook, text: string): unknown =>
    (["shell", "model", "agent", "call"] as const).map((setting) =>
      matchesIn({ window: windowOf(text), field: "stderr", setting, bonus: 0 }, book, 0),
    );
  for (const { example, nearMiss } of RULES)
    for (const text of [example, nearMiss])
      assert.deepEqual(found(packed, text), found(built, text), text);
});

test("the built command answers what the classifier answers", () => {
  for (const { example } of RULES.filter((_, number) => number % 90 === 0)) {
    const reading = evidenceOfText(example);
    assert.ok(reading.ok);
    const { out } = unstuck(["classify", "--json"], { input: example });
    assert.deepEqual(JSON.parse(out), classify(reading.evidence));
  }
});

function opened(folder: string): RuleBook {
  const file = join(folder, "rules.bin");
  writeFileSync(file, packRules(RULES));
  return openPackedRules(file);
}
