// proves: B1
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { RULES, classifyByStandardRules as classify } from "../../../src/core/rules/standard.ts";
import { buildRuleBook, expressionOf, isMatch } from "../../../src/core/classify/rule-book.ts";
import type { TextSource } from "../../../src/core/classify/rule.ts";
import { FULL } from "../../large-form.ts";
import { candidatesIn } from "../../../src/core/classify/word-index.ts";
import { FAILURE_KINDS, hasTrait, KINDS } from "../../../src/core/kinds.ts";
import type { Example } from "./example.ts";
import { EXAMPLES } from "./examples.ts";
import { sampleOf } from "./pattern-samples.ts";

const TOOL_OF: Readonly<Record<TextSource, string>> = {
  shell: "run_bash",
  model: "llm",
  agent: "agent_cli",
  call: "tool_call",
};
const book = buildRuleBook(RULES);
const patterns = book.ruleOf.map((rule, pattern) => ({ rule, pattern }));
const matching = (rule: number, line: string): readonly number[] =>
  patterns
    .filter((one) => one.rule === rule && isMatch(book, one.pattern, line))
    .map(({ pattern }) => pattern);

test("the tables hold rules for every kind that evidence can show, each id once", () => {
  assert.ok(RULES.length > 300 && patterns.length > 2_000);
  assert.equal(new Set(RULES.map(({ id }) => id)).size, RULES.length);
  const covered = new Set(RULES.map(({ kind }) => kind));
  for (const kind of FAILURE_KINDS)
    assert.equal(covered.has(kind), !hasTrait(kind, "runtime-only"), kind);
});

test("every rule has an example and a near miss, and there are none of rules that are gone", () => {
  const ids = new Set(RULES.map(({ id }) => id));
  for (const id of ids) assert.ok(Object.hasOwn(EXAMPLES, id), `${id} has no example`);
  const made = /^code-/;
  for (const id of Object.keys(EXAMPLES)) assert.ok(ids.has(id) || made.test(id), id);
});

const exampleOf = (id: string): Example => {
  const found = EXAMPLES[id];
  assert.ok(found !== undefined && found.example !== "" && found.nearMiss !== "", id);
  return found;
};

test("every rule's example is its kind, and the rule is among the reasons", () => {
  RULES.forEach(({ id, kind, sources }, number) => {
    const { example, before = "" } = exampleOf(id);
    assert.notEqual(matching(number, example).length, 0, `${id} misses its example`);
    const tool = TOOL_OF[sources?.[0] ?? "shell"];
    const failure = classify({ tool, stderr: before === "" ? example : `${before}\n${example}` });
    assert.equal(failure.kind, kind, `${id}: ${failure.because.join("; ")}`);
  });
});

test("a rule that asks for a line before says nothing without it", () => {
  const asking = RULES.filter(({ after }) => after !== undefined);
  assert.ok(asking.length > 0);
  for (const { id, kind } of asking) {
    const { example, before } = exampleOf(id);
    assert.ok(before !== undefined, id);
    const { kind: alone, confidence } = classify({ tool: "run_bash", stderr: example });
    assert.ok(alone !== kind || confidence < 0.8, id);
  }
});

test("no rule matches its near miss", () => {
  RULES.forEach(({ id }, number) => {
    assert.deepEqual(matching(number, exampleOf(id).nearMiss), [], `${id} takes its near miss`);
  });
});

test("confidences are probabilities, and a fatal kind is never only a hint", () => {
  for (const { id, confidence, kind, level } of RULES) {
    assert.ok(confidence >= 0.5 && confidence <= 0.99, id);
    if (KINDS[kind].category === "fatal") assert.notEqual(level, "hint", id);
  }
});

test("every pattern compiles and repeats nothing without a bound", () => {
  for (const { pattern } of patterns) {
    const source = expressionOf(book, pattern);
    assert.notEqual(source, "");
    assert.doesNotThrow(() => new RegExp(source), source);
    const bare = source.replace(/\\./g, "_").replace(/\[[^\]]*\]/g, "_");
    assert.doesNotMatch(bare, /[*+]|\{\d+,\}/, source);
    for (const [, most] of bare.matchAll(/\)\{\d+,(\d+)\}/g)) assert.ok(Number(most) <= 12, source);
  }
});

test("whatever a pattern matches, the word index leads to it", () => {
  const seeds = fc.array(fc.nat({ max: 11 }), { minLength: 8, maxLength: 24 });
  fc.assert(
    fc.property(seeds, (picks) => {
      let turn = 0;
      const choose = (count: number): number => (picks[turn++ % picks.length] ?? 0) % count;
      for (const { pattern } of patterns) {
        const line = sampleOf(expressionOf(book, pattern), choose);
        if (!isMatch(book, pattern, line)) continue;
        const found = candidatesIn(line, book.index).some((one) => one.patterns.includes(pattern));
        assert.ok(found, `${expressionOf(book, pattern)} matches ${JSON.stringify(line)} unseen`);
      }
    }),
    { numRuns: FULL ? 25 : 8 },
  );
});
