// Text chanting: outside of code and structure, however the stream is cut.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Step } from "../../../src/core/stuck/step.ts";
import { call, lastVerdict, piece, said, times, worst } from "./steps.ts";

const SENTENCE = "I will look at the file once more and then decide. ";
const chant = (count: number, text = SENTENCE): Step[] => times(count, () => [piece(text)]);

const CHANTS: readonly (readonly [string, readonly Step[]])[] = [
  ["a sentence ten times", chant(10)],
  ["in one message", [said(SENTENCE.repeat(10))]],
  ["without the last space", [said(SENTENCE.repeat(10).trim())]],
  ["a short phrase", chant(30, "Working... Ready. ")],
  ["a word without spaces", chant(10, "RETRY".repeat(10))],
  ["digits", chant(10, "0123456789".repeat(5))],
  ["lines", chant(10, "Nothing left to do here.\n")],
  ["several lines", chant(10, "I am done.\n  I wait for the next command.\nI end the turn.\n")],
  ["a longer piece", chant(10, `${SENTENCE}${SENTENCE.slice(0, 30)}Stop. `)],
  ["after other text", [piece("Let me see what we have. "), ...chant(10)]],
  ["after closed code", [piece("```"), piece("\ncode\n"), piece("```"), ...chant(10)]],
  ["after a list", [piece("- one\n- two\n"), ...chant(10)]],
  ["a block with a list in it", chant(10, "This is the plan now:\n- read it\n- write it\n\n")],
  ["after a list item on the same line", [piece("* an item "), ...chant(15)]],
  ["lines that begin like structure", chant(12, "-not an item, #no heading, 3.14 no number\n")],
  ["one word twelve times", [said("no no no no no no no no no no no no")]],
  ["another alphabet", chant(12, "Снова проверяю файл. ")],
  ["in thoughts", chant(10).map((step) => ({ ...step, channel: "thought" }) as Step)],
  ["a paragraph many times", chant(16, `${SENTENCE.repeat(5)}${SENTENCE.slice(0, 20)}End. `)],
];

describe("chanting", () => {
  for (const [name, steps] of CHANTS)
    test(name, () => {
      const { level, pattern } = lastVerdict(steps);
      assert.deepEqual([level, pattern], ["stuck", "chanting"]);
    });
});

const PLAIN: readonly (readonly [string, readonly Step[]])[] = [
  ["nine times", chant(9)],
  ["inside code", [piece("```ts\n"), ...chant(20), piece("\n```")]],
  ["code that opens after some", [...chant(8), piece("```js\n"), ...chant(12)]],
  ["code without a line of its own", [...chant(9), piece("```"), ...chant(10)]],
  ["list items", chant(20, "- the same item of a list, as long as it may be\n")],
  ["numbered items", times(20, (n) => [piece(`${n}. the same item of a list, long enough\n`)])],
  ["table rows", chant(20, "| cell | cell | cell |\n")],
  ["cells of a wide row", [piece("| yes ".repeat(60))]],
  ["quotes", chant(20, "> as was said before by somebody else\n")],
  ["headings", chant(20, "## The same heading as the one before\n")],
  ["dividers", [..."_-=*~.━─═"].flatMap((mark) => chant(20, mark.repeat(50)))],
  ["a row of numbers", [said("0, ".repeat(60))]],
  ["emphasis", [said("this is very very very good, and long enough to count as a message")]],
  ["a laugh", [said("ha ha ha")]],
  ["a chant that ends", [said(`${"retry now ".repeat(6)}but then I found the answer in the docs`)]],
  ["ended by another sentence", [...chant(9), piece("| a | b |"), ...chant(9)]],
  ["ended by a call", [...chant(9), call("read", { path: "a" }), ...chant(9)]],
  [
    "lines with the same beginning",
    times(20, (n) => [piece(`projects/my-project/locations/here/services/${n * 7}\n`)]),
  ],
  ["a paragraph now and then", chant(10, `${SENTENCE.repeat(5)}${SENTENCE.slice(0, 20)}End. `)],
  ["nothing", [piece(""), said("")]],
];

describe("not chanting", () => {
  for (const [name, steps] of PLAIN) test(name, () => assert.notEqual(worst(steps), "stuck"));
});

test("ordinary prose is not even nudged", () => {
  const words = fc.constantFrom(
    ..."the file reads writes and then a test of every new part fails or runs".split(" "),
  );
  fc.assert(
    fc.property(fc.array(words, { minLength: 50, maxLength: 400 }), (text) => {
      assert.notEqual(worst([said(text.join(" "))]), "stuck");
    }),
  );
});

test("any sentence ten times over is a chant", () => {
  const word = fc.stringMatching(/^[a-z]{2,9}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 3, maxLength: 25 }), (words) => {
      const sentence = `${words.join(" ")}. `;
      assert.equal(lastVerdict([said(sentence.repeat(10))]).level, "stuck", sentence);
    }),
  );
});

test("the verdict does not depend on how the stream is cut", () => {
  const part = fc.constantFrom(
    SENTENCE,
    "```",
    "\n",
    "- item\n",
    "| a | b |\n",
    "Go. ",
    "`x` ",
    "# T\n",
    "12. z ",
  );
  const text = fc
    .array(fc.tuple(part, fc.integer({ min: 1, max: 14 })), { maxLength: 6 })
    .map((parts) => parts.map(([one, count]) => one.repeat(count)).join(""));
  fc.assert(
    fc.property(text, fc.array(fc.nat(700), { maxLength: 30 }), (whole, cuts) => {
      const places = [...new Set([0, ...cuts, whole.length])]
        .filter((place) => place <= whole.length)
        .sort((a, b) => a - b);
      const pieces = places.map((from, at) =>
        piece(whole.slice(from, places[at + 1] ?? whole.length)),
      );
      const { level, pattern, reason } = lastVerdict([piece(whole)]);
      for (const cut of [pieces, whole.split("").map(piece)]) {
        const verdict = lastVerdict(cut);
        assert.deepEqual(
          [verdict.level, verdict.pattern, verdict.reason],
          [level, pattern, reason],
        );
      }
    }),
    { numRuns: 300 },
  );
});
