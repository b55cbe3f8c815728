// Reads and searches that bring nothing new: how many it takes on how many targets, which part of a
// file is known, and when a question in other words is the same question.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Step } from "../../../src/core/stuck/step.ts";
import { failed, lastVerdict, ran, times } from "./steps.ts";

const page = (file: string, offset: number, limit: number): Step[] =>
  ran("Read", { file_path: file, offset, limit }, `${file} from ${offset}, ${limit} lines`);
const first = (file: string): Step[] => page(file, 0, 100);
/** A part of what `first` read, never asked for so before. */
const part = (file: string, n: number): Step[] => page(file, n + 1, 99 - n);
/** Each of the targets once, then so many reads of what is known, in turn. */
const known = (targets: number, reads: number): Step[] => [
  ...times(targets, (n) => first(`file ${n}`)),
  ...times(reads, (n) => part(`file ${n % targets}`, Math.floor(n / targets))),
];
const outcome = (...steps: readonly Step[]): unknown => {
  const { level, pattern, loopStart } = lastVerdict(steps);
  return level === "none" ? "none" : [level, pattern, loopStart];
};

describe("reads of what is known, by the number of targets", () => {
  const TABLE: readonly (readonly [number, number, "none" | "nudge" | "stuck"])[] = [
    [1, 4, "none"],
    [1, 5, "nudge"],
    [1, 6, "stuck"],
    [2, 5, "none"],
    [2, 6, "stuck"],
    [3, 5, "none"],
    [3, 6, "nudge"],
    [3, 7, "nudge"],
    [3, 8, "stuck"],
    [4, 7, "none"],
    [4, 8, "stuck"],
    [6, 11, "none"],
    [6, 12, "stuck"],
    [12, 11, "none"],
    [12, 12, "nudge"],
    [12, 15, "nudge"],
    [12, 16, "stuck"],
  ];
  for (const [targets, reads, level] of TABLE)
    test(`${targets} targets, ${reads} reads`, () =>
      assert.deepEqual(
        outcome(...known(targets, reads)),
        level === "none" ? "none" : [level, "nothing_new", 2 * targets],
      ));
  test("the words for it", () => {
    const { reason, cost } = lastVerdict(known(3, 8));
    assert.equal(reason, "8 reads or searches in a row brought nothing new");
    assert.deepEqual(cost, { steps: 16 });
  });
  test("something new ends the count, and the targets of it too", () => {
    const steps = [...known(3, 5), ...first("new")];
    assert.equal(outcome(...steps), "none");
    assert.equal(outcome(...steps, ...times(4, (n) => part("new", n))), "none");
    assert.deepEqual(outcome(...steps, ...times(5, (n) => part("new", n))), [
      "nudge",
      "nothing_new",
      18,
    ]);
  });
  test("other parts of one file are other targets", () => {
    const windows = (count: number): Step[] => [
      ...page("big", 0, 2000),
      ...times(count, (n) => page("big", n * 100, 100)),
    ];
    assert.equal(outcome(...windows(11)), "none");
    assert.deepEqual(outcome(...windows(12)), ["nudge", "nothing_new", 2]);
  });
});

describe("what is known of a file", () => {
  test("a fifth that is new is worth a step, less is not", () => {
    assert.equal(outcome(...times(14, (n) => page("a", 20 * n, 100))), "none");
    assert.notEqual(outcome(...times(14, (n) => page("a", 19 * n, 100))), "none");
  });
  test("what lies between two parts that were read was not read", () => {
    const between = times(14, (n) => page("a", 200 * (n + 1), 100));
    assert.equal(outcome(...page("a", 0, 100), ...page("a", 5000, 100), ...between), "none");
    assert.equal(outcome(...page("a", 5000, 100), ...page("a", 0, 100), ...between), "none");
  });
  test("the first part stays known when another is read", () => {
    const steps = [...first("a"), ...page("a", 1000, 100), ...times(5, (n) => part("a", n))];
    assert.deepEqual(outcome(...steps), ["nudge", "nothing_new", 4]);
  });
  test("a read that failed taught nothing", () => {
    const missing = failed("Read", { file_path: "a", offset: 0, limit: 100 }, "File is locked.");
    assert.equal(outcome(...missing, ...times(5, (n) => part("a", n))), "none");
    assert.deepEqual(outcome(...missing, ...times(6, (n) => part("a", n))), [
      "nudge",
      "nothing_new",
      4,
    ]);
  });
  test("after another tree it may have changed", () => {
    const tree = (name: string): Step => ({ kind: "world", tree: name });
    const steps = (name: string): Step[] => [
      tree("one"),
      ...known(1, 3),
      tree(name),
      ...times(4, (n) => part("file 0", n + 3)),
    ];
    assert.deepEqual(outcome(...steps("one")), ["stuck", "nothing_new", 3]);
    assert.equal(outcome(...steps("two")), "none");
  });
  test("after the context was cut the agent may look again", () => {
    const steps = [...known(1, 3), { kind: "compaction" } as const];
    assert.equal(outcome(...steps, ...times(4, (n) => part("file 0", n + 3))), "none");
  });
});

describe("a question in other words", () => {
  const ask = (query: string, output = "no results", tool = "search_docs"): Step[] =>
    ran(tool, { query }, output);
  const LETTERS = "abcdefghij";
  /** Each has most words of the one before. */
  const CHAIN = [
    "queue retry limit",
    "queue retry limit number",
    "retry limit number",
    "retry limit number default",
    "limit number default",
    "limit number default value",
    "number default value",
    "number default value config",
  ];
  const asks = (count: number, output?: (n: number) => string, tool?: string): Step[] =>
    CHAIN.slice(0, count).flatMap((query, n) => ask(query, output?.(n), tool));
  test("with the same result it is asked again", () => {
    assert.equal(outcome(...asks(5)), "none");
    assert.deepEqual(outcome(...asks(6)), ["nudge", "nothing_new", 2]);
    assert.deepEqual(outcome(...asks(7)), ["stuck", "nothing_new", 2]);
  });
  test("with other results it is not", () => {
    assert.equal(outcome(...asks(8, (n) => `hit ${LETTERS[n]}`)), "none");
  });
  test("of another tool it is not", () => {
    const turns = CHAIN.flatMap((query, n) =>
      ask(query, "no results", n % 2 === 0 ? "search_docs" : "search_code"),
    );
    assert.equal(outcome(...turns), "none");
  });
  test("in another place it is not", () => {
    const places = CHAIN.flatMap((query, n) =>
      ran("search_docs", { query, path: LETTERS[n] }, "no results"),
    );
    assert.equal(outcome(...places), "none");
  });
  test("half of all words in common is enough, in another order", () => {
    const words = ["limit", "count", "size", "top", "cap", "most", "bound"];
    const half = words.map((word, n) =>
      n % 2 === 0 ? `queue retry ${word}` : `retry queue ${word}`,
    );
    assert.deepEqual(outcome(...half.slice(0, 6).flatMap((query) => ask(query))), [
      "nudge",
      "nothing_new",
      2,
    ]);
    const less = words.map((word, n) =>
      n % 2 === 0 ? `queue retry ${word} ${n}` : `retry queue ${n} ${word}`,
    );
    assert.equal(outcome(...less.flatMap((query) => ask(query))), "none");
  });
  test("one form filled in with another name is another question", () => {
    const names = ["ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen", "jay", "koi"];
    const forms = names.map((name, n) => `queue retry ${name} ${names[(n + 1) % 10]}`);
    assert.equal(outcome(...forms.flatMap((query) => ask(query))), "none");
  });
  test("the same words with news each time are no loop", () => {
    const forms = ["queue retry limit", "limit of queue retry", "retry: limit, queue"];
    assert.equal(
      outcome(...times(9, (n) => ask(`${forms[n % 3]}${"!".repeat(n)}`, `hit ${LETTERS[n]}`))),
      "none",
    );
    assert.notEqual(outcome(...times(9, (n) => ask(`${forms[n % 3]}${"!".repeat(n)}`))), "none");
  });
});
