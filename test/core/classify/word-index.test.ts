// proves: B1
import assert from "node:assert/strict";
import { test } from "node:test";
import { addWord, candidatesIn, emptyWordIndex } from "../../../src/core/classify/word-index.ts";
import type { Candidate, WordIndex } from "../../../src/core/classify/word-index.ts";

/** Pattern n has the words of entry n. */
function indexOf(...patterns: readonly string[]): WordIndex {
  const index = emptyWordIndex();
  patterns.forEach((words, pattern) => {
    for (const word of words.split(" ")) addWord(index, word, 0, word.length, pattern);
  });
  return index;
}
const found = (text: string, ...patterns: readonly string[]): readonly Candidate[] =>
  candidatesIn(text, indexOf(...patterns));
const isFound = (text: string, word: string): boolean => found(text, word).length > 0;

test("the lines that hold a word, in order, with their place and patterns", () => {
  assert.deepEqual(found("", "cart"), []);
  assert.deepEqual(found("no\nsuch\nthing", "cart"), []);
  assert.deepEqual(found("cart", "cart"), [{ line: 0, start: 0, end: 4, patterns: [0] }]);
  assert.deepEqual(found("one\n\na cart\nlast cart\n", "cart"), [
    { line: 2, start: 5, end: 11, patterns: [0] },
    { line: 3, start: 12, end: 21, patterns: [0] },
  ]);
  assert.deepEqual(found("the lost cart of carts", "cart", "lost", "shelf", "carts cart"), [
    { line: 0, start: 0, end: 22, patterns: [1, 3, 0] },
  ]);
});

test("a pattern is named once a line, whichever and however many of its words are in it", () => {
  assert.deepEqual(found("cart shelf cart\nshelf", "cart shelf"), [
    { line: 0, start: 0, end: 15, patterns: [0] },
    { line: 1, start: 16, end: 21, patterns: [0] },
  ]);
});

test("words are whole, and begin anew at a change of case or at a digit", () => {
  for (const [text, word] of [
    ["Cart", "cart"],
    ["CART", "cart"],
    ["(cart)", "cart"],
    ["cart_total", "cart"],
    ["no-cart", "cart"],
    ["lostCart", "cart"],
    ["lostCart", "lost"],
    ["lostCart", "lostcart"],
    ["LostCartError", "error"],
    ["LostCartError", "lostcarterror"],
    ["cart42", "cart"],
    ["cart42", "42"],
    ["cart42", "cart42"],
    ["E2BIG", "e2big"],
    ["E2BIG", "e"],
    ["error429!", "429"],
    ["z0aZ9", "z0az9"],
    ["@cart[", "cart"],
    ["`cart{", "cart"],
    ["/cart:", "cart"],
    ["zz cart", "zz"],
    ["ZZ", "zz"],
    ["AA", "aa"],
    ["a9", "9"],
    ["a0", "0"],
    ["the lostCart", "lostcart"],
    ["lost\u00a0cart", "cart"],
    ["lost\u2000cart", "cart"],
    ["\u{1f6d2}cart", "cart"],
    ["\u00bfcart", "cart"],
  ] as const)
    assert.ok(isFound(text, word), `${word} in ${text}`);
  for (const [text, word] of [
    ["carts", "cart"],
    ["mycart", "cart"],
    ["LOSTcart", "cart"],
    ["42cart", "cart"],
    ["42Cart", "cart"],
    ["429", "42"],
    ["lostCart", "ost"],
    ["LostCartError", "carterror"],
    ["ca rt", "cart"],
    ["ca\nrt", "cart"],
  ] as const)
    assert.ok(!isFound(text, word), `${word} in ${text}`);
});

test("letters beyond ASCII: accents, Cyrillic, CJK by pairs, marks of test runners", () => {
  for (const [text, word] of [
    ["\u00c9chec", "\u00e9chec"],
    ["\u00c0\u00de", "\u00e0\u00fe"],
    ["r\u00e9seau", "r\u00e9seau"],
    ["\u041e\u0428\u0418\u0411\u041a\u0410", "\u043e\u0448\u0438\u0431\u043a\u0430"],
    ["\u0410\u042f", "\u0430\u044f"],
    ["\u6743\u9650\u4e0d\u8db3", "\u6743\u9650"],
    ["\u6743\u9650\u4e0d\u8db3", "\u4e0d\u8db3"],
    ["\u6743\u9650\u4e0d\u8db3", "\u9650\u4e0d\u8db3"],
    ["x\u6743\u9650y", "\u6743\u9650"],
    ["\u2713 adds", "\u2713"],
    ["\u25cf adds", "\u25cf"],
    ["\u274e adds", "\u274e"],
    ["a \u2717 b", "\u2717"],
    ["\u2717\u2717", "\u2717"],
  ] as const)
    assert.ok(isFound(text, word), `${word} in ${text}`);
  for (const [text, word] of [
    ["\u6743 \u9650", "\u6743\u9650"],
    ["\u9650\u6743", "\u6743\u9650"],
    ["\u00e9cart", "cart"],
    ["\u25ce adds", "\u25ce"],
    ["\u274f adds", "\u274f"],
    ["adds\u2717", "\u2717"],
    ["\u00d7", "\u00f8"],
  ] as const)
    assert.ok(!isFound(text, word), `${word} in ${text}`);
});

test("a long line is taken in pieces that end between words and overlap by 240", () => {
  const text = `${"error ".repeat(500)}\nerror`;
  assert.deepEqual(found(text, "error"), [
    { line: 0, start: 0, end: 1445, patterns: [0] },
    { line: 0, start: 965, end: 2405, patterns: [0] },
    { line: 0, start: 1925, end: 3000, patterns: [0] },
    { line: 1, start: 3001, end: 3006, patterns: [0] },
  ]);
  assert.deepEqual(found(`${"error ".repeat(200)}x`, "error"), [
    { line: 0, start: 0, end: 1201, patterns: [0] },
  ]);
  assert.deepEqual(found(`${"error ".repeat(201)}x`, "x"), [
    { line: 0, start: 965, end: 1207, patterns: [0] },
  ]);
});

test("a word without an end is cut all the same; pieces that hold nothing are left out", () => {
  const text = `error ${"x".repeat(5000)} error`;
  assert.deepEqual(found(text, "error"), [
    { line: 0, start: 0, end: 2640, patterns: [0] },
    { line: 0, start: 4320, end: 5012, patterns: [0] },
  ]);
});

test("thousands of words are kept apart", () => {
  const words = Array.from(
    { length: 4_000 },
    (_, n) => `w${String.fromCharCode(97 + (n % 26), 97 + ((n / 26) % 26), 97 + n / 676)}`,
  );
  const index = indexOf(...words);
  words.forEach((word, pattern) =>
    assert.deepEqual(candidatesIn(`- ${word} -`, index), [
      { line: 0, start: 0, end: 8, patterns: [pattern] },
    ]),
  );
  assert.deepEqual(candidatesIn("none of them", index), []);
});

test("the same index gives the same answer again and again, also when its count runs over", () => {
  const index = indexOf("cart", "shelf cart");
  const text = "cart cart\nshelf\ncart shelf cart";
  const first = candidatesIn(text, index);
  assert.equal(first.length, 3);
  assert.deepEqual(candidatesIn(text, index), first);
  for (const pieces of [0x7ffffffc, 0x7ffffffd, 0x7ffffffe, 0x7fffffff]) {
    index.pieces = pieces;
    index.seenIn.fill(0);
    index.seenIn.fill(1, 0, 1);
    for (let round = 0; round < 3; round += 1) assert.deepEqual(candidatesIn(text, index), first);
  }
});
