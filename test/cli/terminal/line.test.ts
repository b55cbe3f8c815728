import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import stringWidth from "string-width";
import {
  cutToWidth,
  fitted,
  folded,
  lineWidth,
  padToWidth,
  painted,
  plain,
  textWidth,
  wrapped,
} from "../../../src/cli/screen/line.ts";

for (const [text, width] of [
  ["", 0],
  ["plain words", 11],
  ["über", 4],
  ["日本語", 6],
  ["한글", 4],
  ["e\u0301", 1],
  ["👍", 2],
  ["👩‍👩‍👧", 2],
  ["❤\ufe0f", 2],
  ["✓ ✗ ▸ →", 7],
  ["ｆｕｌｌ", 8],
] as const)
  test(`the width of ${JSON.stringify(text)} is ${width}`, () => {
    assert.equal(textWidth(text), width);
  });

test("what is measured without the tables is as wide as with them", () => {
  const known = [..."·…±»›→─│└├█░▏▀▟▸◔✓✗", "\ufe0f", "\u20e3", "\u0301", "é", "👍", "\x1b[1m"];
  const characters = fc.oneof(
    fc.constantFrom(...known),
    fc.string({ minLength: 1, maxLength: 1 }),
    fc.integer({ min: 0x2500, max: 0x259f }).map((code) => String.fromCharCode(code)),
  );
  fc.assert(
    fc.property(fc.array(characters, { maxLength: 8 }), (parts) => {
      const text = parts.join("");
      assert.equal(textWidth(text), stringWidth(text, { countAnsiEscapeCodes: true }));
    }),
  );
});

for (const [text, columns, cut] of [
  ["short", 5, "short"],
  ["longer", 5, "long…"],
  ["日本語", 5, "日本…"],
  ["日本語", 4, "日…"],
  ["👩‍👩‍👧ab", 3, "👩‍👩‍👧…"],
  ["anything", 1, "…"],
  ["anything", 0, ""],
] as const)
  test(`${JSON.stringify(text)} cut to ${columns} columns is ${JSON.stringify(cut)}`, () => {
    assert.equal(cutToWidth(text, columns), cut);
  });

test("wrapped lines hold all words, none wider than asked", () => {
  assert.deepEqual(wrapped("one two three", 7), ["one two", "three"]);
  assert.deepEqual(wrapped("unbreakable", 4), ["unb…"]);
});

const anyText = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }));

test("wrapped lines are indented as the text is", () => {
  assert.deepEqual(wrapped("  failed: it", 20), ["  failed: it"]);
  assert.deepEqual(wrapped("  failed: the check", 12), ["  failed:", "  the check"]);
});

test("folded lines hold every character, none wider than asked", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }),
      fc.integer({ min: 2, max: 30 }),
      (text, columns) => {
        const lines = folded(text, columns);
        assert.equal(lines.join(""), text);
        for (const line of lines) assert.ok(textWidth(line) <= columns, line);
      },
    ),
  );
});

test("nothing is ever wider than asked", () => {
  fc.assert(
    fc.property(anyText, fc.nat(40), (text, columns) => {
      assert.ok(textWidth(cutToWidth(text, columns)) <= columns);
      assert.ok(textWidth(padToWidth(cutToWidth(text, columns), columns)) >= columns);
      for (const line of wrapped(text, columns)) assert.ok(textWidth(line) <= columns);
    }),
  );
});

test("a line is cut before it is coloured: colours change neither its words nor its width", () => {
  const loud = (style: string, text: string): string => `<${style}>${text}</>`;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(anyText, fc.constantFrom("red" as const, "bold" as const))),
      fc.nat(40),
      (line, columns) => {
        const fit = fitted(line, columns);
        assert.ok(lineWidth(fit) <= columns);
        assert.equal(
          painted(fit, (_, text) => text),
          plain(fit),
        );
        if (lineWidth(line) <= columns) assert.equal(plain(fit), plain(line));
      },
    ),
  );
  assert.equal(painted([["a", "red"], ["b"]], loud), "<red>a</>b");
});

test("a line that loses a piece says so", () => {
  assert.equal(plain(fitted([["abcd"], ["e"]], 4)), "abc…");
  assert.equal(plain(fitted([["abcd"], ["e"]], 5)), "abcde");
});
