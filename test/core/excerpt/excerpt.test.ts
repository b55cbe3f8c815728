// U20: what a failed check says, from outputs in the forms of many tools; and what holds of any output.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { excerptOf } from "../../../src/core/excerpt/excerpt.ts";

interface LabelledOutput {
  readonly id: string;
  readonly stdout: string;
  readonly stderr: string;
  /** In the first 200 characters. */
  readonly headline: string;
  readonly must: readonly string[];
}

const OUTPUTS = readFileSync("test/fixtures/check-outputs.jsonl", "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as LabelledOutput);

const flat = (text: string): string => text.replace(/\s+/g, " ");

for (const { id, stdout, stderr, must, headline } of OUTPUTS)
  test(`U20: ${id}`, () => {
    const { text } = excerptOf({ stdout, stderr });
    const lost = must.filter((part) => !flat(text).includes(flat(part).trim()));
    assert.deepEqual(lost, [], text);
    if (id === "zig") return; // its message stands in the line of the test, above what failed
    assert.ok(flat(text).slice(0, 200).includes(flat(headline)), text);
  });

const passing = (count: number, name: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => name(index)).join("\n");

test("U20: passing tests, banners, progress and frames of runners are left out", () => {
  const stdout = [
    "> shop@1.2.0 test",
    "> node --test",
    passing(300, (index) => `✔ adds row ${index} (0.${index}ms)`),
    "✖ takes the discount off (0.2ms)",
    "  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:",
    "",
    "  90 !== 80",
    "",
    "      at TestContext.<anonymous> (file:///repo/test/cart.test.js:7:10)",
    "      at Test.run (node:internal/test_runner/test:796:25)",
    "ℹ tests 301",
    "ℹ pass 300",
    "ℹ fail 1",
    "ℹ cancelled 0",
  ].join("\n");
  const { text, headline } = excerptOf({ stdout });
  assert.equal(
    text,
    [
      "✖ takes the discount off (0.2ms)",
      "  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:",
      "  90 !== 80",
      "      at TestContext.<anonymous> (file:///repo/test/cart.test.js:7:10)",
      "ℹ fail 1",
    ].join("\n"),
  );
  assert.match(
    headline,
    /^✖ takes the discount off \| Expected values to be strictly equal: 90 !== 80$/,
  );
});

test("U20: a cause comes before the tests it breaks", () => {
  const stdout = [
    passing(
      40,
      (index) =>
        `FAILED tests/test_${String.fromCharCode(97 + (index % 26))}.py::test_${index} - KeyError`,
    ),
    "=".repeat(40),
    "E   ImportError: cannot import name 'Order' from 'shop.models'",
  ].join("\n");
  const { text } = excerptOf({ stdout });
  assert.match(text, /^E {3}ImportError: cannot import name 'Order'/);
  assert.match(text, /\n… and 32 more failures$/);
});

test("U20: what says only that something failed comes last", () => {
  const stderr = [
    "npm error Lifecycle script `build` failed with error:",
    "",
    "src/a.ts(3,4): error TS2322: Type 'string' is not assignable to type 'number'.",
  ].join("\n");
  assert.match(excerptOf({ stderr }).text, /^src\/a\.ts\(3,4\)/);
});

test("U20: failures that are alike are told once, and counted", () => {
  const stderr = passing(
    60,
    (index) =>
      `FAIL: test_day_${index} (week.Week)\n${"-".repeat(70)}\nAssertionError: ${index} != ${index + 1}\n\n${"=".repeat(70)}`,
  );
  const { text, failures } = excerptOf({ stderr });
  assert.equal(failures.length, 60);
  assert.match(
    text,
    /^FAIL: test_day_0 \(week\.Week\)\nAssertionError: 0 != 1\n… and 59 more like this: /,
  );
  assert.ok(!text.includes("test_day_30"));
});

test("U20: the first failure is whole, whatever the budget; more budget tells more", () => {
  const failure = (name: string): string =>
    `● ${name}\n\n    Expected: "${name} and so on, long enough to be seen"\n    Received: "something else"\n`;
  const stdout = passing(12, (index) => failure(`test ${String.fromCharCode(97 + index)}`));
  const small = excerptOf({ stdout }, { budget: 50 }).text;
  assert.ok(small.includes("test a and so on") && small.includes('Received: "something else"'));
  assert.ok(!small.includes("test b and so on"));
  const large = excerptOf({ stdout }, { budget: 5000 }).text;
  assert.ok(large.includes("test l and so on"));
  assert.ok(large.length <= 5000);
});

test("U20: labels of tools that run several commands are not part of a line, carriage returns are obeyed", () => {
  const stdout =
    "web:test: > web@1.0.0 test\napi:test: src/a.ts:3:4: error: x is not y\r\n10%\r20%\rdone";
  assert.equal(excerptOf({ stdout }).text.split("\n")[0], "src/a.ts:3:4: error: x is not y");
});

test("U20: an output that nobody knows gives its end", () => {
  const stdout = `${passing(100, (index) => `${"abcdefghij".slice(index % 10)} ${"klmnopqrst".slice(index % 7)} words`)}\nthe flux is out of tune`;
  assert.match(excerptOf({ stdout }).text, /the flux is out of tune$/);
  assert.equal(excerptOf({}).text, "");
  assert.equal(excerptOf({}).headline, "");
});

const ESCAPE = "\u001b[31m";
const written: readonly (readonly [string, (text: string) => string])[] = [
  ["with Windows line ends", (text) => text.replaceAll("\n", "\r\n")],
  ["in colours", (text) => text.replace(/^(\s*)(\S.*)$/gm, `$1${ESCAPE}$2\u001b[0m`)],
  ["after progress that was written over", (text) => text.replace(/^(?=\S)/gm, "12 %\r")],
];

for (const [how, write] of written)
  test(`U20: an output says the same ${how}`, () => {
    for (const { id, stdout, stderr } of OUTPUTS) {
      const told = excerptOf({ stdout, stderr });
      const again = excerptOf({ stdout: write(stdout), stderr: write(stderr) });
      assert.equal(again.headline, told.headline, id);
      assert.equal(again.text, told.text, id);
    }
  });

test("U20: however many tests passed before, what failed is told the same", () => {
  const before = passing(2000, (index) => `✔ adds row ${index} (0.${index}ms)`);
  for (const { id, stdout, stderr } of OUTPUTS) {
    const told = excerptOf({ stdout, stderr });
    if (told.failures.length === 0) continue;
    const again = excerptOf({ stdout: `${before}\n${stdout}`, stderr });
    assert.equal(again.headline, told.headline, id);
    assert.equal(again.text, told.text, id);
  }
});

const line = fc.oneof(
  fc.string({ maxLength: 120 }),
  fc.constantFrom(
    ...[
      "",
      "✖ a test",
      "✔ a test",
      "Error: no",
      "    at f (src/a.js:3:4)",
      "FAIL x/y",
      "====",
      "---",
    ],
    ...[
      "a.ts:3:4: error: b",
      "> 3 | code",
      "  expected: 3",
      "1 failed",
      "E   assert 1 == 2",
      "npm ERR! x",
    ],
  ),
);

test("of any output: the same text each time, bounded, in lines of the output", () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 80 }),
      fc.array(line, { maxLength: 20 }),
      fc.integer({ min: 100, max: 3000 }),
      (out, err, budget) => {
        const output = { stdout: out.join("\n"), stderr: err.join("\n") };
        const { text, headline, failures } = excerptOf(output, { budget });
        assert.deepEqual(excerptOf(output, { budget }), { text, headline, failures });
        assert.ok(headline.length <= 200 && !headline.includes("\n"));
        const first = failures[0];
        const whole =
          first === undefined
            ? 0
            : 200 +
              [first.title ?? "", ...first.message, ...first.places, ...first.source].join("\n")
                .length;
        assert.ok(text.length <= Math.max(budget, whole) + 400, `${text.length} of ${budget}`);
        const all = flat(`${output.stdout}\n${output.stderr}`);
        for (const told of text.split("\n"))
          assert.ok(told.startsWith("…") || all.includes(flat(told).trim()), JSON.stringify(told));
      },
    ),
  );
});

test("time grows with the output, not faster, whatever it holds", () => {
  const units = [
    "(",
    ":1",
    "=",
    "_ ",
    "\t",
    "✖ ",
    "Error: ",
    "a.b.c",
    " > ",
    "- ",
    "1) ",
    "a:1:",
    "~^",
  ];
  for (const unit of units) {
    const took = (lines: number): number => {
      const one = unit.repeat(Math.ceil(900 / unit.length));
      const stdout = passing(
        lines,
        (index) => `${one}${String.fromCharCode(97 + (index % 26))}${"z".repeat(index % 40)}`,
      );
      const start = performance.now();
      excerptOf({ stdout });
      return performance.now() - start;
    };
    took(50);
    const [short, long] = [took(200), took(1600)];
    assert.ok(long < 500 + short * 60, `${JSON.stringify(unit)}: ${short} ms, then ${long} ms`);
  }
});

for (const [name, lines, headline] of [
  [
    "an arrow to its place makes the line above an error",
    ["F821 Undefined name `totl`", "  --> app/cart.py:14:12", "Found 1 error."],
    "F821 Undefined name `totl`",
  ],
  [
    "a count is no headline where nobody knows the lines",
    ["Found 2 problems in 3 files", "total rule broken in cart"],
    "total rule broken in cart",
  ],
  [
    "what only says that something failed comes after why",
    ["error: Test failed", "total has tax => ./cart_test.ts:7:6", "error: AssertionError: no"],
    "total has tax => ./cart_test.ts:7:6 | error: AssertionError: no",
  ],
  [
    "a progress line that ends with a failure",
    ["00:00 +1: total has tax", "00:00 +1 -1: total has tax [E]", "  Expected: <119>"],
    "00:00 +1 -1: total has tax [E] | Expected: <119>",
  ],
  [
    "a table of an analyser",
    ["Analyzing shop...", "  error • Undefined name 'totl' • lib/cart.dart:9:12"],
    "error • Undefined name 'totl' • lib/cart.dart:9:12",
  ],
  [
    "npm's own error, not its warning",
    ["npm warn old lockfile", "npm error code ERESOLVE", "npm error ERESOLVE unable to resolve"],
    "npm error ERESOLVE unable to resolve",
  ],
] as const)
  test(`U20: ${name}`, () =>
    assert.equal(excerptOf({ stdout: lines.join("\n") }).headline, headline));

test("U20: tests of one name in two files are two failures", () => {
  const stdout = ["cart", "tax"]
    .map((file) => `FAIL test/${file}.test.ts > works\nAssertionError: expected ${file} to be 1`)
    .join("\n");
  assert.equal(excerptOf({ stdout }).failures.length, 2);
});
