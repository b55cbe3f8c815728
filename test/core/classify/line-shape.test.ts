// proves: B1
import assert from "node:assert/strict";
import { test } from "node:test";
import { shapeOf, type LineShape } from "../../../src/core/classify/line-shape.ts";

/** For each form a line can have: lines that have it, and lines that only come near. */
const FORMS: readonly (readonly [
  name: string,
  shape: LineShape,
  lines: readonly string[],
  near: readonly string[],
])[] = [
  [
    "code frames",
    "echo",
    ["3|a", "3 | a", "123 | a", "  7 | a", ">12 | a", "> 3 | a", " >   45 \u2502 a", "3 \u2503 a"],
    ["error 3 | a", "3 a", "a | b", ">> 3 | a"],
  ],
  [
    "stack frames",
    "echo",
    [
      " at total (/srv/a.js:1:2)",
      "    at total(a.js)",
      "  at async total (a.js)",
      "  at new Cart [as cart] (a.js)",
      "  at Object.<anonymous> (a.js)",
      "  at async file:///srv/a.js:1",
      "  at file:///srv/a.js:1",
      "  at node:internal/x:1",
      "  at /srv/a.js:1",
      "  at C:\\srv\\a.js:1",
      "  at z:\\srv\\a.js:1",
      "  at <anonymous>",
      "\tat cart total",
      "\tat org.example.Cart.total(Cart.java:3)",
      "#0 0x00007f in total",
      "#12 /srv/a.php(3)",
      "  #3 0x1f",
    ],
    [
      "at total (/srv/a.js:1:2)",
      "stop  at total (/srv/a.js:1:2)",
      "  at noon",
      "  at %% (a.js)",
      "  at 1:\\a",
      "stop\tat cart total",
      "issue #3 0x1f",
      "#3 1f",
      "#a 0x1f",
    ],
  ],
  [
    "commands and chatter",
    "echo",
    [
      "$ ls",
      "\u276f ls",
      "PS C:\\carts> ls",
      "+ ls",
      "+++ ls",
      "npm verb x",
      "npm warn x",
      "npm WARN x",
      "#5 [2/3] RUN ls",
      "#12 [base]",
    ],
    [
      "$ : ls",
      "$ls",
      "pay $ 5",
      "a \u276f ls",
      "PS c:\\carts> ls",
      "a + ls",
      "+  ls",
      "npm error x",
      "an npm verb",
      "#a [2/3]",
      "#5 2/3",
    ],
  ],
  [
    "values of an assertion",
    "assertion",
    [
      "Expected: 1",
      "  Received: 2",
      "- Expected: 1",
      "+Received: 2",
      "Expected substring: a",
      "expected: 1",
      "actual: 2",
      "Actual value: 2",
      "   got: 2",
      " right: 2",
      "But was:  2",
      "+'ok'",
      '-"gone"',
    ],
    [
      "we got: 2",
      "- gone",
      "we Expected: 1",
      "* Expected: 1",
      "Expected nothing",
      "Expectedly: 1",
      "-  Expected: 1",
    ],
  ],
  [
    "what a test of pytest raised",
    "raised",
    ["E   ApiError: gone", "E           assert 1 == 2"],
    ["E: Unable to locate", "E  two"],
  ],
  ["the line where pytest stopped", "echo", [">       client.send()"], ["> cart@1.0.0 test"]],
  [
    "tests that passed",
    "echo",
    [
      "\u2713 adds",
      "\u2713adds",
      "  \u2714 adds",
      "\u221a adds",
      "ok 1 - adds",
      "ok 123 \u2013 adds",
    ],
    ["all \u2713 adds", "\u2713  adds", "\u2713", "ok 1 adds", "ok a - adds", "not ok 1 - adds"],
  ],
  [
    "one-line commits",
    "echo",
    [
      "1a2b3c4 fix: carts",
      "1a2b3c4d5e6f fix: carts",
      "1a2b3c4 fix(big-cart): carts",
      "1a2b3c4 fix!: carts",
      "1a2b3c4 (HEAD -> main) fix(cart)!: carts",
    ],
    [
      "x1a2b3c4 fix: carts",
      "1a2b3c fix: carts",
      "1a2b3cx fix: carts",
      "1a2b3c4 Fix: carts",
      "1a2b3c4 fix carts",
      "1a2b3c4 fix( ): carts",
      "1a2b3c4 () fix: carts",
      "1a2b3c4 (HEAD) (HEAD) fix: carts",
    ],
  ],
  [
    "requests in an access log",
    "echo",
    ['"GET / HTTP/1.1" 500', 'host "DELETE /carts/3 HTTP/2" 404'],
    ["GET / HTTP/1.1 500", '"GET  HTTP/1.1"', '"TAKE / HTTP/1.1"'],
  ],
  [
    "warnings",
    "warning",
    [
      "warn carts",
      "warning carts",
      "  Warning: carts",
      "[warn] carts",
      "warn!",
      "cart.c: [Warning] carts",
      "cart.c: warn!",
      "cart.c: warning carts",
      "Npm warn carts",
      "yarn warning carts",
      "(node:1) carts",
      "(node:123) carts",
      "  cart: (node:7) carts",
      "DeprecationWarning: carts",
      "cart: UserWarning: carts",
      "hint: carts",
      "= note: carts",
      "cart: = help: carts",
      "tip: carts",
      "my cart.c:3: warning: carts",
      "at 12:00 WARN carts",
      "at 12:00 WARNING carts",
    ],
    [
      "the cart: warns",
      "forewarn carts",
      "a warned cart",
      "the big cart: warning",
      "(node:a) carts",
      "my (node:1) carts",
      "the DeprecationWarning: carts",
      "the hint: carts",
      "a = note: carts",
      "12:00 WARN",
      "WARNED carts",
    ],
  ],
  [
    "log lines that name trouble",
    "log",
    [
      "DEBUG: failed",
      "[INFO] failed",
      "12:00|TRACE|failed",
      "12:00 VERBOSE failed",
      "12:00 debug   failed",
      "verbose: a fatal cart",
      "trace an exception",
    ],
    [],
  ],
  [
    "log lines that do not",
    "echo",
    ["DEBUG: carts", "[INFO] carts", "12:00|TRACE|carts", "12:00 debug   carts", "trace carts"],
    ["myDEBUG carts", "DEBUGGING carts", "12:00 INFO", "INFO  ", "Info carts", "(INFO) carts"],
  ],
  [
    "what a search listed",
    "listing",
    [
      "src/cart.ts:3: total",
      "cart.ts-12- total",
      "./cart.ts:3:total",
      "..\\cart.ts:3: total",
      "/srv/@cart/a-b.ts:345: total",
    ],
    [
      "cart.ts:3:5 total",
      "see cart.ts:3: total",
      "cart:3: total",
      "cart.ts: total",
      "cart.ts:a: total",
      "cart.ts:3 total",
      "cart.1:3: total",
      "cart.ts:3: error: total",
      "cart.ts:3: Exception",
      "lib/cart.rb:3:in `total': Could not find rake (Bundler::GemNotFound)",
    ],
  ],
];

for (const [name, shape, lines, near] of FORMS)
  test(`shapes: ${name}`, () => {
    for (const line of lines) assert.equal(shapeOf(line, ""), shape, line);
    for (const line of near) assert.equal(shapeOf(line, ""), "plain", line);
  });

test("the source line below a Python frame is an echo, whatever it says", () => {
  const raise = "    raise CartError";
  for (const frame of [
    'File "a.py", line 3',
    '  File "/srv/a b.py", line 123, in total',
    '            File "a.py", line 1',
  ]) {
    assert.equal(shapeOf(raise, frame), "echo", frame);
    assert.equal(shapeOf("   raise CartError", frame), "plain");
    assert.equal(shapeOf("CartError:    no", frame), "plain");
  }
  for (const other of ["", 'in File "a.py", line 3', 'File "", line 3', 'File "a.py", line x'])
    assert.equal(shapeOf(raise, other), "plain", other);
});
