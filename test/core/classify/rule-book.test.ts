// proves: B1
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  buildRuleBook,
  expressionOf,
  isMatch,
  neededText,
} from "../../../src/core/classify/rule-book.ts";
import { RULES } from "../../../src/core/rules/standard.ts";
import { EXAMPLES } from "../rules/examples.ts";

const rows: readonly [source: string, needed: string][] = [
  [String.raw`\bcommand not found: \S`, "command not found: "],
  [String.raw`^sudo: [\w.+-]{1,80}: command not found`, ": command not found"],
  [String.raw`\*\* \(Argument\)`, "** (Argument)"],
  [String.raw`tests? failed`, " failed"],
  [String.raw`lines* read`, " read"],
  [String.raw`a+bcd`, "bcd"],
  [String.raw`ab{0,3}cde`, "cde"],
  [String.raw`(?:one|two) three`, " three"],
  [String.raw`(?:a(?:b|[)])c) three`, " three"],
  [String.raw`[(|] three`, " three"],
  [String.raw`[\]|] three`, " three"],
  [String.raw`(?!not here)here`, "here"],
  [String.raw`\u2713abc\x41defg\d`, "defg"],
  [String.raw`no.way$`, "way"],
  // nothing that is sure
  [String.raw`one|two`, ""],
  [String.raw`ab`, ""],
  [String.raw`\d\d\d`, ""],
  ["größer", ""],
  ["abcdef{", "abcde"],
];
for (const [source, needed] of rows)
  test(`what ${source} needs`, () => assert.equal(neededText(source), needed));

test("no line that a rule's pattern fits is without what the pattern needs", () => {
  const book = buildRuleBook(RULES);
  const lines = Object.values(EXAMPLES).flatMap(({ example }) => example.split("\n"));
  let fitting = 0;
  for (let pattern = 0; pattern < book.ruleOf.length; pattern += 1) {
    const { ignoreCase, unless } = RULES[book.ruleOf[pattern] ?? 0] ?? {};
    if (unless !== undefined) continue;
    const matcher = new RegExp(expressionOf(book, pattern), ignoreCase === true ? "i" : "");
    for (const line of lines) {
      if (!matcher.test(line)) continue;
      fitting += 1;
      assert.ok(isMatch(book, pattern, line), `${matcher.source} on ${line}`);
    }
  }
  assert.ok(fitting > 300, String(fitting));
});
