// proves: B1
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { evidenceOfText } from "../../../src/operations/advice/evidence.ts";
import { openPackedRules, packRules } from "../../../src/operations/advice/packed-rules.ts";
import { matchesIn } from "../../../src/core/classify/text-matches.ts";
import {
  buildRuleBook,
  expressionOf,
  type RuleBook,
} from "../../../src/core/classify/rule-book.ts";
import { classifyByStandardRules as classify, RULES } from "../../../src/core/rules/standard.ts";
import { windowOf } from "../../../src/core/classify/text-window.ts";
import { EXAMPLES } from "../../core/rules/examples.ts";
import { inFolder, unstuck } from "../../cli/command.ts";

const built = buildRuleBook(RULES);

test("packed rules are the rules", () => {
  const packed = inFolder(opened);
  assert.equal(packed.ruleOf.length, built.ruleOf.length);
  for (let pattern = 0; pattern < built.ruleOf.length; pattern += 1)
    assert.equal(expressionOf(packed, pattern), expressionOf(built, pattern));
  RULES.forEach((rule, number) => assert.deepEqual(packed.ruleAt(number), rule));
});

test("packed rules find what the rules find", () => {
  const packed = inFolder(opened);
  const found = (book: RuleBook, text: string): unknown =>
    (["shell", "model", "agent", "call"] as const).map((source) =>
      matchesIn({ window: windowOf(text), field: "stderr", source, bonus: 0 }, book, 0),
    );
  for (const { example, nearMiss } of Object.values(EXAMPLES))
    for (const text of [example, nearMiss])
      assert.deepEqual(found(packed, text), found(built, text), text);
});

test("the built command answers what the classifier answers", () => {
  for (const { example } of Object.values(EXAMPLES).filter((_, number) => number % 90 === 0)) {
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
