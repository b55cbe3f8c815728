// proves: U15
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cutMiddle,
  escapeHtml,
  escapeMarkdown,
  fence,
  stripEscapes,
  cleanText,
  cleanLine,
} from "../../src/core/foreign-text.ts";

test("terminal escapes go with all that belongs to them, and nothing else does", () => {
  for (const [given, left] of [
    // strings to the terminal, by each opener and each end
    ["a\x1b]0;title\x07b", "ab"],
    ["a\x1b]0;title\x1b\\b", "ab"],
    ["a\x1b]0;title\x9cb", "ab"],
    ["a\x1bPq1;2\x1b\\b", "ab"],
    ["a\x1bXsos\x1b\\b", "ab"],
    ["a\x1b^pm\x1b\\b", "ab"],
    ["a\x1b_apc\x1b\\b", "ab"],
    ["a\x90dcs\x9cb", "ab"],
    ["a\x98sos\x9cb", "ab"],
    ["a\x9dosc\x07b", "ab"],
    ["a\x9epm\x9cb", "ab"],
    ["a\x9fapc\x9cb", "ab"],
    ["a\x1b]never ended", "a"],
    ["a\x1b]one\x1b[1mtwo", "atwo"],
    // colours, cursor moves and modes
    ["\x1b[31mred\x1b[0m", "red"],
    ["\x1b[1;38;5;208mred\x1b[m", "red"],
    ["\x9b31mred\x9b0m", "red"],
    ["\x1b[?25lhidden\x1b[?25h", "hidden"],
    ["\x1b[0 qcursor", "cursor"],
    ["\x1b[2Jclear\x1b[H", "clear"],
    ["cut\x1b[12", "cut"],
    // short ones
    ["\x1b(Bascii", "ascii"],
    ["\x1b7save\x1b8", "save"],
    ["\x1bcreset", "reset"],
    ["\x1b#8x", "x"],
    ["end\x1b", "end"],
    // what only looks like one
    ["array[31m] (B ]0;", "array[31m] (B ]0;"],
    ["", ""],
    ["plain\ttext\n", "plain\ttext\n"],
  ] as const)
    assert.equal(stripEscapes(given), left, JSON.stringify(given));
});

/** Which characters of a range are gone after taming. */
function removed(from: number, to: number): string[] {
  const gone: string[] = [];
  for (let unit = from; unit <= to; unit += 1)
    if (!cleanText(`(${String.fromCodePoint(unit)})`).includes(String.fromCodePoint(unit)))
      gone.push(unit.toString(16));
  return gone;
}
const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => (from + n).toString(16));

test("of the Latin characters exactly the controls are removed; tab and line end stay", () => {
  assert.deepEqual(removed(0, 0xff), [
    ...range(0x00, 0x08),
    ...range(0x0b, 0x1f),
    ...range(0x7f, 0x9f),
  ]);
  assert.equal(cleanText("a\r\nb\rc\n\rd"), "a\nb\nc\n\nd");
});

test("of the others exactly the invisible, the direction marks and the tags are removed", () => {
  assert.deepEqual(removed(0x600, 0x2100), [
    "61c",
    ...range(0x200b, 0x200f),
    ...range(0x202a, 0x202e),
    ...range(0x2060, 0x2064),
    ...range(0x2066, 0x206f),
  ]);
  assert.deepEqual(removed(0xfe00, 0xffff), ["feff", ...range(0xfff9, 0xfffb)]);
  assert.deepEqual(removed(0xdfff0, 0xe0090), range(0xe0000, 0xe007f));
});

test("half a character becomes the mark for one, a whole one stays", () => {
  const [MARK, CART] = ["\ufffd", "\u{1f6d2}"];
  assert.equal(cleanText("a\ud83db"), `a${MARK}b`);
  assert.equal(cleanText("a\uded2b"), `a${MARK}b`);
  assert.equal(cleanText("\ud83d"), MARK);
  assert.equal(cleanText(CART), CART);
  assert.equal(cleanText(`\ud83d${CART}\uded2`), `${MARK}${CART}${MARK}`);
});

test("a text is cut in its middle only past the bound, and says how much is missing", () => {
  const text = "0123456789".repeat(10);
  assert.equal(cutMiddle(text, 100), text);
  assert.equal(
    cutMiddle(text, 99),
    `${text.slice(0, 22)}\n[... 1 characters left out ...]\n${text.slice(-44)}`,
  );
  assert.equal(
    cutMiddle(text, 60),
    `${text.slice(0, 8)}\n[... 40 characters left out ...]\n${text.slice(-18)}`,
  );
  assert.equal(cutMiddle(text, 5), "\n[...");
  assert.equal(cutMiddle("", 0), "");
});

test("a bound counts what is left after taming", () => {
  assert.equal(cleanText("x".repeat(4000)), "x".repeat(4000));
  assert.equal(cleanText("x".repeat(4001)).length, 4000);
  assert.equal(cleanText(`${"\x1b[31m".repeat(60)}end`, { maxChars: 80 }), "end");
  assert.match(cleanText(`${"\x1b[31m".repeat(70)}end`, { maxChars: 80 }), /left out/);
});

test("a line longer than its bound ends with an ellipsis in its place", () => {
  assert.equal(cleanLine("x".repeat(160)), "x".repeat(160));
  assert.equal(cleanLine("x".repeat(161)), `${"x".repeat(159)}…`);
  assert.equal(cleanLine("x".repeat(5000), 2000), `${"x".repeat(1999)}…`);
  assert.equal(cleanLine("0123456789", 10), "0123456789");
  assert.equal(cleanLine("01234567890", 10), "012345678…");
  assert.equal(cleanLine("01234567 90", 10), "01234567…");
  assert.equal(cleanLine("  a\n\n\t b  ", 10), "a b");
});

test("a fence is one tick longer than the longest inside, and at least three", () => {
  for (const [text, fenced] of [
    ["a", "```text\na\n```"],
    ["a``b", "```text\na``b\n```"],
    ["a```b", "````text\na```b\n````"],
    ["``` ````` ````", "``````text\n``` ````` ````\n``````"],
    ["a\n\n\n", "```text\na\n```"],
    ["\n\na\n\nb", "```text\n\n\na\n\nb\n```"],
    ["", "```text\n\n```"],
  ] as const)
    assert.equal(fence(text), fenced);
  assert.equal(fence("a", { language: "json" }), "```json\na\n```");
  assert.equal(
    fence("x".repeat(200), { maxChars: 90 }),
    `\`\`\`text\n${cutMiddle("x".repeat(200), 90)}\n\`\`\``,
  );
});

test("Markdown: every mark, address and mention is dead, the rest is as it was", () => {
  assert.equal(
    escapeMarkdown("\\`*_{}[]()#+!|<>~&"),
    "\\\\\\`\\*\\_\\{\\}\\[\\]\\(\\)\\#\\+\\!\\|\\<\\>\\~\\&",
  );
  for (const scheme of ["http", "https", "ftp", "file", "data", "javascript", "HTTPS"])
    assert.equal(escapeMarkdown(`${scheme}:x`), `${scheme}\\:x`);
  assert.equal(escapeMarkdown("www.a www.b"), "www\\.a www\\.b");
  assert.equal(escapeMarkdown("@a and b@c"), "\\@a and b\\@c");
  assert.equal(
    escapeMarkdown("a - b: c, 1. d; 'e' \"f\" 5% $6 = ?"),
    "a - b: c, 1. d; 'e' \"f\" 5% $6 = ?",
  );
  assert.equal(escapeMarkdown("x".repeat(400)), "x".repeat(400));
  assert.equal(escapeMarkdown("x".repeat(401)), `${"x".repeat(399)}…`);
});

test("HTML: nothing opens a tag, an entity or an attribute", () => {
  assert.equal(
    escapeHtml(`<b a="1" c='2'>&amp;</b>\n<b>`),
    "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;&lt;/b&gt;\n&lt;b&gt;",
  );
  assert.equal(escapeHtml("0123456789", { maxChars: 5 }), "\n[...");
});
