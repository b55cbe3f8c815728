// The end of a text that is one piece over and over: how often it stands there, how long it is, and
// what in a text counts: white space, code, tables, lists, quotes, headings, numbers.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  beginMessage,
  RepeatedText,
  readText,
  repetitionOf,
} from "../../../src/core/stuck/repeated-text.ts";
import type { Step } from "../../../src/core/stuck/step.ts";
import { lastVerdict, piece, said, times } from "./steps.ts";

const SENTENCE = "I will look at the file once more and then decide. ";
const LENGTH = SENTENCE.length;

const countOf = (text: string, least = 2): number => {
  const chant = new RepeatedText();
  readText(chant, text);
  return repetitionOf(chant, least).count;
};

describe("how often", () => {
  test("as often as the piece stands at the end", () => {
    for (const times of [2, 3, 10, 40]) assert.equal(countOf(SENTENCE.repeat(times)), times);
    assert.equal(countOf(SENTENCE), 0);
    assert.equal(countOf(`Something else. ${SENTENCE.repeat(7)}`), 7);
    assert.equal(countOf(`${SENTENCE.repeat(7)}Something else.`), 0);
  });
  test("units and words are those of all times together", () => {
    const chant = new RepeatedText();
    readText(chant, SENTENCE.repeat(10));
    const { units, words } = repetitionOf(chant, 2);
    assert.ok(units >= 10 * LENGTH && units <= 10 * LENGTH + 2, `${units}`);
    assert.ok(words >= 110 && words <= 121, `${words}`);
  });
  test("a piece that is not finished does not count, but for its last mark or space", () => {
    const text = SENTENCE.repeat(10);
    assert.equal(countOf(text.slice(0, -2)), 10);
    assert.equal(countOf(text.slice(0, -6)), 9);
  });
  test("fewer times than were asked for are none", () => {
    assert.equal(countOf(SENTENCE.repeat(6), 6), 6);
    assert.equal(countOf(SENTENCE.repeat(5), 6), 0);
    assert.equal(countOf("no ".repeat(12), 12), 12);
    assert.equal(countOf("no ".repeat(11), 12), 0);
  });
  test("pieces of up to a thousand units", () => {
    const words = Array.from({ length: 400 }, (_, n) => `w${(n * 7919) % 1000}x`).join(" ");
    const exactly = (length: number): string => `${words.slice(0, length - 2)}. `;
    assert.equal(countOf(exactly(1000).repeat(3)), 3);
    assert.equal(countOf(exactly(1001).repeat(3)), 0);
  });
  test("text that does not repeat itself is none at any place", () => {
    const chant = new RepeatedText();
    let state = 7;
    for (let at = 0; at < 6000; at += 1) {
      state = (state * 48271) % 2147483647;
      readText(chant, String.fromCharCode(97 + (state % 26)));
      assert.equal(repetitionOf(chant, 2).count, 0, `${at}`);
    }
  });
});

describe("white space of any kind and length is one space", () => {
  const forms: readonly (readonly [string, string])[] = [
    ["tabs", SENTENCE.replaceAll(" ", "\t")],
    ["double spaces", SENTENCE.replaceAll(" ", "  ")],
    ["line ends", SENTENCE.replaceAll(" ", "\n")],
    ["line ends of Windows", SENTENCE.replaceAll(" ", "\r\n")],
    ["indented lines", SENTENCE.replaceAll(" ", "\n  \t")],
  ];
  for (const [name, form] of forms)
    test(name, () => {
      assert.equal(countOf((SENTENCE + form).repeat(5)), 10);
      assert.equal(countOf(form.repeat(10)), 10);
    });
  test("lines that are only a number keep it", () => {
    const chant = new RepeatedText();
    readText(chant, "12\n34\n56\n78\n".repeat(40));
    const { count, units } = repetitionOf(chant, 2);
    assert.equal(count, 40);
    assert.ok(units >= 480 && units <= 482, `${units}`);
  });
});

describe("code", () => {
  test("ends a refrain and holds none", () => {
    assert.equal(countOf(`${SENTENCE.repeat(9)}\`\`\`\nx\n\`\`\`${SENTENCE.repeat(8)}`), 8);
    assert.equal(countOf(`\`\`\`\n${SENTENCE.repeat(20)}`), 0);
    assert.equal(countOf(`\`\`\`\n${SENTENCE.repeat(20)}\`\`\`\n`), 0);
    assert.equal(countOf(`${SENTENCE.repeat(20)}\`\`\`\n`), 0);
  });
  test("inside a line is text", () => {
    assert.equal(countOf("Use `x` and `y` now, then wait. ".repeat(10)), 10);
    assert.equal(countOf("Use ``x`` now, then wait for it. ".repeat(10)), 10);
  });
  test("that was never closed ends with its message", () => {
    const chant = new RepeatedText();
    readText(chant, "```\ncode");
    beginMessage(chant);
    readText(chant, SENTENCE.repeat(4));
    assert.equal(repetitionOf(chant, 2).count, 4);
  });
  test("half a fence at the end of a message is none in the next", () => {
    const chant = new RepeatedText();
    readText(chant, "``");
    beginMessage(chant);
    readText(chant, `\`x\` ${SENTENCE.repeat(4)}`);
    assert.equal(repetitionOf(chant, 2).count, 4);
  });
});

describe("lines of a table, a list, a quote or a heading are no refrain", () => {
  const HEADS = [
    "| ",
    "> ",
    ">",
    "• ",
    "◦ ",
    "▪ ",
    "# ",
    "###### ",
    "- ",
    "* ",
    "+ ",
    "+--",
    "+==",
  ];
  for (const head of [...HEADS, "1. ", "12. ", "123. ", "7) ", "  - ", "\t- ", "   3. "])
    test(JSON.stringify(head), () => {
      assert.equal(countOf(`${head}the same line, long enough to be one\n`.repeat(12)), 0);
      assert.equal(countOf(`${head}the same line, long enough to be one\r`.repeat(12)), 0);
    });
  for (const head of ["#", "####### ", "-", "*", "+x", "1.", "1234. ", "12 ", "a. ", "x - ", "("])
    test(`text: ${JSON.stringify(head)}`, () =>
      assert.equal(countOf(`${head}the same line, long enough to be one\n`.repeat(12)), 12));
  test("the first line of a message too", () => {
    assert.equal(countOf(`> ${"so it was said. ".repeat(10)}`), 0);
    const chant = new RepeatedText();
    readText(chant, "Some text before it");
    beginMessage(chant);
    readText(chant, `> ${"so it was said. ".repeat(10)}`);
    assert.equal(repetitionOf(chant, 2).count, 0);
  });
  test("two hundred units of it; what stands further on is text", () => {
    assert.ok(countOf(`> ${"so it was said. ".repeat(30)}`) >= 28);
  });
  test("marks inside a line make no list of it", () => {
    assert.equal(countOf("I say - and I say it again - wait. ".repeat(10)), 10);
    assert.equal(countOf("I say > and I say # it again, wait. ".repeat(10)), 10);
  });
  test("a block with lines of text and of a list is a refrain", () => {
    assert.equal(countOf("This is the plan now:\n- read it\n- write it\n\n".repeat(6)), 6);
  });
});

describe("letters, numbers, marks", () => {
  for (const letter of ["a", "z", "A", "Z", "é", "я", "語"])
    test(`a letter: ${letter}`, () => assert.ok(countOf(`${letter}. `.repeat(20)) >= 19));
  for (const mark of ["@", "[", "{", "_", "-", "=", "─", "•", "😀"])
    test(`no letter: ${mark}`, () => assert.equal(countOf(`;${mark}. `.repeat(150)), 0));
  test("rows of numbers from three hundred units on", () => {
    for (const digit of ["0", "5", "9"]) {
      assert.equal(countOf(`${digit}, `.repeat(99)), 0);
      assert.equal(countOf(`${digit}, `.repeat(100)), 100);
    }
    assert.equal(countOf(";, ".repeat(200)), 0);
  });
});

describe("from which length on it is chanting", () => {
  const outcome = (text: string): unknown => {
    const { level, pattern } = lastVerdict([piece(text)]);
    return level === "none" ? "none" : [level, pattern];
  };
  test("six times and ten times", () => {
    assert.equal(outcome(SENTENCE.repeat(5)), "none");
    assert.deepEqual(outcome(SENTENCE.repeat(6)), ["nudge", "chanting"]);
    assert.deepEqual(outcome(SENTENCE.repeat(9)), ["nudge", "chanting"]);
    assert.deepEqual(outcome(SENTENCE.repeat(10)), ["stuck", "chanting"]);
    assert.equal(
      lastVerdict([piece(SENTENCE.repeat(10))]).reason,
      "the same words 10 times over in one answer",
    );
  });
  test("a hundred units or twelve words", () => {
    assert.equal(outcome("Continuing-now. ".repeat(6)), "none");
    assert.deepEqual(outcome("Continuing-now. ".repeat(7)), ["nudge", "chanting"]);
    assert.equal(outcome("nope ".repeat(10)), "none");
    assert.deepEqual(outcome("nope ".repeat(12)), ["stuck", "chanting"]);
  });
  test("one or two letters: four hundred units", () => {
    assert.equal(outcome("ab".repeat(150)), "none");
    assert.deepEqual(outcome("ab".repeat(201)), ["stuck", "chanting"]);
    assert.equal(outcome("a".repeat(300)), "none");
    assert.deepEqual(outcome("a".repeat(401)), ["stuck", "chanting"]);
    assert.deepEqual(outcome("abc".repeat(50)), ["stuck", "chanting"]);
  });
  test("more than two hundred and fifty units: half as often again", () => {
    const words = Array.from({ length: 100 }, (_, n) => `w${(n * 7919) % 1000}x`).join(" ");
    const paragraph = (length: number): string => `${words.slice(0, length - 2)}. `;
    assert.deepEqual(outcome(paragraph(250).repeat(6)), ["nudge", "chanting"]);
    assert.equal(outcome(paragraph(251).repeat(6)), "none");
    assert.equal(outcome(paragraph(251).repeat(8)), "none");
    assert.deepEqual(outcome(paragraph(251).repeat(9)), ["nudge", "chanting"]);
    assert.deepEqual(outcome(paragraph(251).repeat(15)), ["stuck", "chanting"]);
  });
});

describe("messages", () => {
  const outcome = (...steps: readonly Step[]): unknown => {
    const { level, pattern, loopStart } = lastVerdict(steps);
    return level === "none" ? "none" : [level, pattern, loopStart];
  };
  const work = (): Step => ({ kind: "tool_call", tool: "t", args: {} });
  const turnEnd: Step = { kind: "turn_end" };
  test("a refrain does not go on in another message", () => {
    const five = SENTENCE.repeat(5);
    assert.equal(outcome(piece(five), turnEnd, piece(five)), "none");
    assert.deepEqual(outcome(said(five), said(five)), ["nudge", "repeated_message", 0]);
  });
  test("streamed pieces are one message, shown again as a whole they still are", () => {
    assert.equal(outcome(piece("I "), piece("wait."), said("I wait.")), "none");
    assert.deepEqual(outcome(piece("I "), piece("wait."), said("I wait."), said("I wait.")), [
      "nudge",
      "repeated_message",
      0,
    ]);
    assert.equal(outcome(piece("I wait."), piece("I wait.")), "none");
    assert.deepEqual(outcome(piece("I wait."), turnEnd, piece("I wait."), turnEnd), [
      "nudge",
      "repeated_message",
      0,
    ]);
  });
  test("white space and capitals do not count", () => {
    assert.deepEqual(outcome(said(" I  wait.\n"), said("i WAIT.")), [
      "nudge",
      "repeated_message",
      0,
    ]);
  });
  test("of a very long message only its first 4,000 units count", () => {
    const long = Array.from({ length: 900 }, (_, n) => `word${n}`)
      .join(" ")
      .slice(0, 4000);
    assert.deepEqual(outcome(said(`${long}one`), said(`${long}two`)), [
      "nudge",
      "repeated_message",
      0,
    ]);
    const inPieces = (end: string): Step[] => [
      ...times(4, (n) => [piece(long.slice(1000 * n, 1000 * n + 1000))]),
      piece(end),
      piece(end),
      turnEnd,
    ];
    assert.deepEqual(outcome(...inPieces("one"), ...inPieces("two")), [
      "nudge",
      "repeated_message",
      0,
    ]);
  });
  test("after work the count begins where it begins anew", () => {
    assert.deepEqual(outcome(said("I wait."), work(), said("I wait."), said("I wait.")), [
      "nudge",
      "repeated_message",
      2,
    ]);
  });
  const alike = (texts: readonly string[]): unknown => outcome(...texts.map((text) => said(text)));
  test("nearly the same words: four and five", () => {
    const texts = [7, 8, 9, 10, 11].map((n) => `Checking item ${n}`);
    assert.equal(alike(texts.slice(0, 3)), "none");
    assert.deepEqual(alike(texts.slice(0, 4)), ["nudge", "repeated_message", 0]);
    assert.deepEqual(alike(texts), ["stuck", "repeated_message", 0]);
    assert.deepEqual(
      outcome(said(texts[0]!), work(), ...texts.slice(0, 4).map((text) => said(text))),
      ["nudge", "repeated_message", 2],
    );
  });
  test("seven of ten words in common are nearly the same, fewer are not", () => {
    const seven = "alpha beta gamma delta epsilon zeta eta";
    const turns = (more: string): string[] => [
      seven,
      `${seven} ${more}.`,
      seven,
      `${seven} ${more}.`,
    ];
    assert.deepEqual(alike(turns("theta iota kappa")), ["nudge", "repeated_message", 0]);
    assert.equal(alike(turns("theta iota kappa lambda")), "none");
  });
  test("small words count where there are no others", () => {
    assert.deepEqual(alike(["It is so", "So it is", "Is it so", "It is, so"]), [
      "nudge",
      "repeated_message",
      0,
    ]);
    assert.equal(alike(["It is so", "You can do", "We will be", "This or that"]), "none");
  });
  test("one word in common is nothing", () => {
    const texts = ["read queue", "write parser", "drop socket", "close ledger", "open basket"];
    assert.equal(alike(texts.map((text) => `Next ${text}`)), "none");
  });
  test("messages without words say nothing", () => {
    assert.equal(alike(["", " ", "\n", ""]), "none");
    assert.equal(alike(["...", "!!!", "???", "---", "***"]), "none");
  });
});
