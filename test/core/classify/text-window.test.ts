// proves: B1
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { classifyByStandardRules as classify } from "../../../src/core/rules/standard.ts";
import {
  placeOf,
  unwrapped,
  windowAround,
  windowOf,
} from "../../../src/core/classify/text-window.ts";

test("a short text is read whole, a long one at both ends", () => {
  assert.equal(windowOf("one\r\ntwo\rthree\0").text, "one\ntwo\nthree");
  const long = `first line\n${"middle line\n".repeat(20_000)}last line`;
  const window = windowOf(long);
  assert.ok(window.text.length < 33_000);
  assert.ok(window.text.startsWith("first line\n") && window.text.endsWith("\nlast line"));
  assert.equal(placeOf(0, window), "line 1");
  assert.equal(placeOf(window.lineCount - 1, window), "line 1 from the end");
});

test("up to 32,000 characters are read whole, of more the first 8,000 and the last 24,000", () => {
  const whole = `${"a".repeat(31_000)}\n${"b".repeat(999)}`;
  assert.deepEqual(windowOf(whole), { text: whole, headLines: 2, lineCount: 2 });
  const long = `${"a\n".repeat(4_000)}-${"b\n".repeat(12_000)}`;
  const window = windowOf(long);
  assert.equal(window.text, `${"a\n".repeat(4_000)}\n${"b\n".repeat(12_000)}`);
  assert.deepEqual([window.headLines, window.lineCount], [4_001, 16_002]);
  assert.equal(placeOf(4_000, window), "line 4001");
  assert.equal(placeOf(4_001, window), "line 12001 from the end");
});

test("what a text is cleaned of, and that places count clean lines", () => {
  const window = windowOf("\x1b[31mone\x1b[0m\r\n\0two\rthree\n");
  assert.deepEqual(window, { text: "one\ntwo\nthree\n", headLines: 4, lineCount: 4 });
  assert.deepEqual(
    [0, 1, 3].map((line) => placeOf(line, window)),
    ["line 1", "line 2", "line 4"],
  );
  assert.deepEqual(windowOf("\nx"), { text: "\nx", headLines: 2, lineCount: 2 });
  assert.deepEqual(windowOf(""), { text: "", headLines: 1, lineCount: 1 });
});

test("a second look takes what stands around a place, and counts its lines from the end", () => {
  const text = "0123456789\nabcdefghij";
  assert.deepEqual(windowAround(text, 12, 6), { text: "9\nabcd", headLines: 0, lineCount: 2 });
  assert.deepEqual(windowAround(text, 1, 6), { text: "012345", headLines: 0, lineCount: 1 });
  assert.deepEqual(windowAround(text, 20, 5), { text: "hij", headLines: 0, lineCount: 1 });
  const window = windowAround(text, 12, 6);
  assert.equal(placeOf(0, window), "line 2 from the end");
  assert.equal(placeOf(1, window), "line 1 from the end");
});

test("windows of any text are bounded and keep the last characters", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.nat(80_000), (end, size) => {
      const window = windowOf("x".repeat(size) + end);
      assert.ok(window.text.length <= 32_002);
      assert.ok(window.lineCount >= 1 && window.headLines <= window.lineCount);
    }),
  );
});

test("text wrapped by a narrow console is joined, other text is left alone", () => {
  const wrapped = [
    "sh: cartctl: comm",
    "and not found in ",
    "this very narrow ",
    "console window ok",
    "bye",
  ];
  assert.ok(unwrapped(wrapped.join("\n"))?.includes("command not found"));
  assert.equal(unwrapped("one\ntwo"), undefined);
  assert.equal(unwrapped(`${"x".repeat(300)}\na\nb\nc\nd\ne`), undefined);
  assert.equal(unwrapped("a\nb\nc\nd\ne\nf\nthis line alone is long enough"), undefined);
});

test("what counts as wrapped: five lines, a common width of 16 to 132, three of ten lines near it", () => {
  const block = (width: number, full: number, short: number): string =>
    [
      ...Array.from({ length: full }, () => "x".repeat(width)),
      ...Array.from({ length: short }, () => "y"),
    ].join("\n");
  const isWrapped = (text: string): boolean => unwrapped(text) !== undefined;
  assert.ok(isWrapped(block(20, 5, 0)) && !isWrapped(block(20, 4, 0)));
  assert.ok(isWrapped(block(16, 5, 0)) && !isWrapped(block(15, 5, 0)));
  assert.ok(isWrapped(block(132, 5, 0)) && !isWrapped(block(133, 5, 0)));
  assert.ok(isWrapped(block(20, 3, 7)) && !isWrapped(block(20, 3, 8)));
  assert.ok(!isWrapped(block(20, 2, 4)));
  assert.ok(isWrapped(`${block(20, 3, 7)}${"\n ".repeat(9)}`), "empty lines do not count");
  const near = ["x".repeat(20), "y".repeat(15), "z".repeat(15), "a", "b"].join("\n");
  const far = ["x".repeat(20), "y".repeat(14), "z".repeat(14), "a", "b"].join("\n");
  assert.ok(isWrapped(near) && !isWrapped(far));
});

test("joined again: a line of half the width ends there, an empty one too, a fuller one goes on", () => {
  const full = "x".repeat(20);
  assert.equal(
    unwrapped([full, full, full, "y".repeat(10), full, "z".repeat(11), "end"].join("\n")),
    `${full}${full}${full}${"y".repeat(10)}\n${full}${"z".repeat(11)}end\n`,
  );
  assert.equal(
    unwrapped([full, full, " ".repeat(18), full, full].join("\n")),
    `${full}${full}${" ".repeat(18)}\n${full}${full}`,
  );
});

test("an error broken in two by a narrow console is still known", () => {
  const stdout = [
    "Traceback in a nar",
    "row console: OSErr",
    "or: [Errno 28] No ",
    "space left on devi",
    "ce: 'cart.db', bye",
  ];
  assert.equal(classify({ stdout: stdout.join("\n") }).kind, "disk_full");
});
