// proves: J20
// Blocks of lines that a plain command prints again and again, and what looks like them: progress, spinners,
// signs of life, long logs. How the text is cut into chunks never counts.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Step } from "../../../src/core/stuck/step.ts";
import { lastVerdict, said, worst } from "./steps.ts";

const printed = (text: string): Step => said(text, { partial: true, channel: "output" });
const lines = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => `${line(n)}\n`).join("");

/** Longer than what `chanting` follows. */
const block = (n: number): string =>
  [
    `[10:20:${10 + (n % 50)}] asking the model (attempt ${n})`,
    "I will run the tests again.",
    "```sh",
    "$ npm test",
    ...Array.from({ length: 30 }, (_, at) => `  not ok ${at} - queue ${"drains ".repeat(at % 5)}`),
    "```",
    `took ${n * 3 + 1} ms, pid ${n + 4000}`,
  ].join("\n");

describe("the same block over and over", () => {
  test("told at ten times, stuck at twenty", () => {
    assert.equal(worst([printed(lines(9, block))]), "none");
    assert.deepEqual(
      [11, 21].map((count) => lastVerdict([printed(lines(count, block))])).map((one) => one.level),
      ["nudge", "stuck"],
    );
    const { pattern, reason } = lastVerdict([printed(lines(25, block))]);
    assert.equal(pattern, "repeated_output");
    assert.match(reason ?? "", /^the same 35 lines printed 2\d times over$/);
  });
  test("one line alone: five times as often", () => {
    const line = (): string => "```";
    const word = (): string => "| asking | again |";
    assert.equal(worst([printed(lines(49, word))]), "none");
    assert.equal(worst([printed(lines(110, word))]), "stuck");
    assert.equal(worst([printed(lines(400, line))]), "none");
  });
  test("another line ends it", () => {
    assert.equal(lastVerdict([printed(`${lines(25, block)}All tests pass now.\n`)]).level, "none");
  });
});

const HEALTHY: Readonly<Record<string, string>> = {
  "a count that moves on": lines(400, (n) => `[${n}/400] compiling unit`),
  "a percentage": lines(100, (n) => `Downloading ${n}%`),
  "a spinner in place": Array.from({ length: 900 }, (_, n) => `${"|/-\\"[n % 4]} Thinking\r`).join(
    "",
  ),
  "a table drawn anew": lines(600, (n) => `\u001b[3A\u001b[2KTask ${n % 3} is busy`),
  "signs of life": lines(900, () => "still running, no new output"),
  "dots and rules": lines(900, (n) => (n % 2 === 0 ? "......" : "------")),
  "a long log": lines(3000, (n) => `user ${n * 7919} opened page ${n % 13} of ${n % 31}`),
  "other words each time": lines(
    300,
    (n) => `step ${n}\nreading file-${n}.ts\n${"x".repeat(n)} done`,
  ),
};

describe("healthy output", () => {
  for (const [name, text] of Object.entries(HEALTHY))
    test(name, () => assert.notEqual(lastVerdict([printed(text)]).pattern, "repeated_output"));
});

test("how the output is cut into chunks does not count", () => {
  const text = lines(25, block);
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 40 }),
      (sizes) => {
        const steps: Step[] = [];
        for (let from = 0, turn = 0; from < text.length; turn += 1) {
          const size = sizes[turn % sizes.length]!;
          steps.push(printed(text.slice(from, from + size)));
          from += size;
        }
        assert.equal(lastVerdict(steps).level, "stuck");
      },
    ),
    { numRuns: 30 },
  );
});
