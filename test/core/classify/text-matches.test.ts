// proves: B1
import assert from "node:assert/strict";
import { test } from "node:test";
import { matchesIn, strongest } from "../../../src/core/classify/text-matches.ts";
import type { Match, TextToRead } from "../../../src/core/classify/text-matches.ts";
import type { Rule } from "../../../src/core/classify/rule.ts";
import { buildRuleBook, expressionOf, isMatch } from "../../../src/core/classify/rule-book.ts";
import { windowOf } from "../../../src/core/classify/text-window.ts";

const rule = (lines: string, more: Partial<Rule> = {}): Rule => ({
  id: "r",
  kind: "file_not_found",
  level: "exact",
  confidence: 0.8,
  lines,
  ...more,
});
const read = (text: string, rules: readonly Rule[], more: Partial<TextToRead> = {}, best = 0) =>
  matchesIn(
    { window: windowOf(text), field: "stderr", source: "shell", bonus: 0, ...more },
    buildRuleBook(rules),
    best,
  );
const kinds = (matches: readonly Match[]): readonly string[] => matches.map(({ kind }) => kind);
const LOST = rule("cart => cart lost");

test("a match has its kind, its place, its line and a score that grows towards the end", () => {
  assert.deepEqual(read("cart lost", [LOST]), [
    {
      kind: "file_not_found",
      score: 80,
      confidence: 0.8,
      place: "stderr line 1",
      text: "cart lost",
    },
  ]);
  assert.deepEqual(read("a\nmy cart lost it\nb\nc", [LOST], { bonus: 6, field: "message" }), [
    {
      kind: "file_not_found",
      score: 82,
      confidence: 0.8,
      place: "message line 2",
      text: "my cart lost it",
    },
  ]);
  assert.deepEqual(read("nothing here", [LOST]), []);
  assert.deepEqual(read("a cart is here", [LOST]), []);
});

test("the level counts for more than the place; a rule says a thing once, at its last place", () => {
  const rules = [
    LOST,
    rule("shelf => shelf fell", { kind: "disk_full", level: "phrase", confidence: 0.6 }),
  ];
  const matches = read("cart lost\ncart lost\nshelf fell", rules);
  assert.deepEqual(
    matches.map(({ kind, place }) => [kind, place]),
    [
      ["disk_full", "stderr line 3"],
      ["file_not_found", "stderr line 2"],
    ],
  );
  assert.equal(strongest(matches)?.kind, "file_not_found");
  assert.deepEqual(kinds(read("shelf fell\ncart lost", rules)), ["file_not_found"]);
});

test("what cannot come near the best so far is not looked for", () => {
  const hint = rule("cart => cart lost", { level: "hint" });
  assert.equal(read("cart lost", [hint], {}, 51).length, 1);
  assert.equal(read("cart lost", [hint], {}, 52).length, 0);
  assert.equal(read("cart lost", [hint], { bonus: 6 }, 57).length, 1);
  assert.equal(read("cart lost", [hint], { bonus: 6 }, 58).length, 0);
});

test("decisive levels are tried first, wherever they stand", () => {
  const rules = [
    rule("cart => cart lost", { level: "exact", kind: "timeout" }),
    rule("shelf => shelf fell", { level: "typed", kind: "disk_full" }),
    rule("roof => roof leaks", { level: "verdict", kind: "billing" }),
  ];
  assert.deepEqual(kinds(read("shelf fell\ncart lost", rules)), ["disk_full"]);
  assert.deepEqual(kinds(read("shelf fell\nroof leaks\ncart lost", rules)), ["billing"]);
  assert.deepEqual(kinds(read("cart lost\na\nb\nc", rules)), ["timeout"]);
});

test("a warning or a log line is believed less, an echo or a listing not at all", () => {
  const scores = (text: string, more: Partial<Rule> = {}): readonly (readonly number[])[] =>
    read(text, [rule("cart => cart lost", more)]).map(({ score, confidence }) => [
      score,
      Math.round(confidence * 1000) / 1000,
    ]);
  assert.deepEqual(scores("warning: cart lost"), [[54, 0.68]]);
  assert.deepEqual(scores("DEBUG: cart lost, an error"), [[60, 0.68]]);
  assert.deepEqual(scores("3 | cart lost"), []);
  assert.deepEqual(scores("a.ts:3: cart lost"), []);
  const even = { evenInWarnings: true } as const;
  assert.deepEqual(scores("warning: cart lost", even), [[80, 0.8]]);
  assert.deepEqual(scores("a.ts:3: cart lost", even), [[80, 0.8]]);
  assert.deepEqual(scores("3 | cart lost", even), []);
  for (const kind of [
    "broken_build",
    "syntax_error",
    "verification_failed",
    "merge_conflict",
  ] as const) {
    assert.deepEqual(scores("a.ts:3: cart lost", { kind }), [[80, 0.8]]);
    assert.deepEqual(scores("warning: cart lost", { kind }), [[54, 0.68]]);
  }
});

test("what is worth too little is no match", () => {
  const hint = rule("cart => cart lost", { level: "hint" });
  assert.equal(read("warning: cart lost", [hint]).length, 0);
  assert.equal(read("DEBUG: cart lost, an error", [hint])[0]?.score, 28);
  assert.equal(read(`DEBUG: cart lost, an error\n1`, [hint])[0]?.score, 24);
  assert.equal(read(`DEBUG: cart lost, an error\n1\n2`, [hint]).length, 0);
});

test("a line below a Python frame is an echo; the frame above is found however far it is", () => {
  const frame = '  File "a.py", line 3, in total';
  assert.equal(read(`${frame}\n    cart lost`, [LOST]).length, 0);
  assert.equal(read(`x\n${frame}\n    cart lost`, [LOST]).length, 0);
  assert.equal(read(`${frame}\nx\n    cart lost`, [LOST]).length, 1);
  assert.equal(read("\n    cart lost", [LOST]).length, 1);
});

test("a line that only looks like a frame is its own", () => {
  assert.equal(read('    File "a.py", line 3: cart lost', [LOST]).length, 1);
});

test("a rule that matched a warning is still looked for on plain lines", () => {
  assert.deepEqual(
    read("cart lost\nwarning: cart lost", [LOST]).map(({ place, score }) => [place, score]),
    [
      ["stderr line 2", 54],
      ["stderr line 1", 76],
    ],
  );
});

test("a rule is tried only in texts from its sources", () => {
  const sources = ["shell", "model", "agent", "call"] as const;
  for (const own of sources)
    for (const source of sources)
      assert.equal(
        read("cart lost", [rule("cart => cart lost", { sources: [own] })], { source }).length,
        own === source ? 1 : 0,
      );
  const both = rule("cart => cart lost", { sources: ["model", "call"] });
  assert.deepEqual(
    sources.map((source) => read("cart lost", [both], { source }).length),
    [0, 1, 0, 1],
  );
});

test("a pattern is tried on its sixteen last lines only", () => {
  const after = (lines: number): number =>
    read(`cart lost${"\ncart found".repeat(lines)}`, [LOST]).length;
  assert.equal(after(15), 1);
  assert.equal(after(16), 0);
});

test("of the matches the strongest is believed, of equals the first", () => {
  const match = (score: number, place: string): Match => ({
    kind: "timeout",
    score,
    confidence: 0.5,
    place,
    text: "",
  });
  assert.equal(strongest([]), undefined);
  assert.equal(strongest([match(1, "a"), match(3, "b"), match(3, "c"), match(2, "d")])?.place, "b");
});

test("the written form of rules: words, continuations, exceptions, case", () => {
  const book = buildRuleBook([
    rule(`
      cart,shelf => (?:cart|shelf)
      ...  lost
      roof,
      ... tower => (?:roof|tower) leaks
    `),
    rule("door => door (?:open|shut)", {
      ignoreCase: true,
      unless: `
        door shut
        nobody
        ...  cares
      `,
    }),
  ]);
  assert.deepEqual(book.ruleOf, [0, 0, 1]);
  assert.deepEqual(
    [0, 1, 2].map((pattern) => expressionOf(book, pattern)),
    ["(?:cart|shelf) lost", "(?:roof|tower) leaks", "door (?:open|shut)"],
  );
  const matched = (line: string): readonly number[] =>
    [0, 1, 2].filter((pattern) => isMatch(book, pattern, line));
  assert.deepEqual(matched("the shelf lost"), [0]);
  assert.deepEqual(matched("the Shelf lost"), []);
  assert.deepEqual(matched("tower leaks"), [1]);
  assert.deepEqual(matched("Door Open"), [2]);
  assert.deepEqual(matched("door shut"), []);
  assert.deepEqual(matched("door open, Nobody cares"), []);
  assert.deepEqual(matched("door open, nobody"), [2]);
  assert.equal(isMatch(book, 2, "door open"), true);
});

test("each word of a pattern leads to it, folded ones too", () => {
  const rules = [rule("cart,shelf,\n  ... roof => (?:cart|shelf|roof) lost")];
  for (const word of ["cart", "shelf", "roof"])
    assert.equal(read(`${word} lost`, rules).length, 1, word);
  assert.equal(read("tower lost", rules).length, 0);
});
