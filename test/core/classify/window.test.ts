// proves: B1
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { classify } from "../../../src/core/classify/classify.ts";
import { shapeOf } from "../../../src/core/classify/line-shape.ts";
import { unwrapped } from "../../../src/core/classify/unwrap.ts";
import { placeOf, windowOf } from "../../../src/core/classify/window.ts";

test("a short text is read whole, a long one at both ends", () => {
  assert.equal(windowOf("one\r\ntwo\rthree\0").text, "one\ntwo\nthree");
  const long = `first line\n${"middle line\n".repeat(20_000)}last line`;
  const window = windowOf(long);
  assert.ok(window.text.length < 33_000);
  assert.ok(window.text.startsWith("first line\n") && window.text.endsWith("\nlast line"));
  assert.equal(placeOf(0, window), "line 1");
  assert.equal(placeOf(window.lineCount - 1, window), "line 1 from the end");
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

test("shapes of lines", () => {
  for (const [line, shape] of [
    ["  3 | const a = 1", "echo"],
    ["> 3 | const a = 1", "echo"],
    ["    at total (/srv/cart.js:1:2)", "echo"],
    ["\tat org.example.Cart.total(Cart.java:3)", "echo"],
    ["$ cartctl total", "echo"],
    ["npm warn old cart", "echo"],
    ["warning: old cart", "warning"],
    ["cart.c:3:5: warning: unused", "warning"],
    ["hint: try a bigger cart", "warning"],
    ["DEBUG cart failed to load", "log"],
    ["[INFO] cart loaded", "echo"],
    ["src/cart.ts:3: const a = 1", "listing"],
    ["src/cart.ts:3: error: bad", "plain"],
    ["Error: cart", "plain"],
    ["", "plain"],
  ] as const)
    assert.equal(shapeOf(line, ""), shape, line);
  assert.equal(shapeOf("    raise PermissionError", '  File "cart.py", line 3, in total'), "echo");
  assert.equal(shapeOf("PermissionError: no", '  File "cart.py", line 3, in total'), "plain");
});
