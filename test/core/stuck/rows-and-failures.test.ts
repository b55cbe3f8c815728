// The counts of the rules over rows, cycles and failures at their edges: one less, the count itself, one
// more; what goes on with a count and what ends it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DEFAULT_STUCK_CONFIG, DEFAULT_THRESHOLDS } from "../../../src/core/stuck/config.ts";
import type { StuckConfig } from "../../../src/core/stuck/config.ts";
import type { Step } from "../../../src/core/stuck/step.ts";
import { call, failed, lastVerdict, ran, times } from "./steps.ts";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const letter = (n: number): string => LETTERS[n % 26]!;
const sh = (command: string, output: string): Step[] => ran("Bash", { command }, output);
const bad = (command: string, output: string): Step[] => failed("Bash", { command }, output);
const read = (name: string): Step[] => ran("Read", { path: name }, `text of ${name}`);
const outcomeWith = (config: StuckConfig | undefined, steps: readonly Step[]): unknown => {
  const { level, pattern, loopStart } = lastVerdict(steps, config);
  return level === "none" ? "none" : [level, pattern, loopStart];
};
const outcome = (...steps: readonly Step[]): unknown => outcomeWith(undefined, steps);

describe("rows", () => {
  test("what came before a row does not say what the row is", () => {
    const polls = (count: number): Step[] => times(count, () => ran("BashOutput", {}, "x"));
    assert.equal(outcome(...read("a"), ...read("b"), ...polls(9)), "none");
    assert.deepEqual(outcome(...polls(2), ...times(3, () => read("a"))), ["nudge", "same_call", 4]);
  });
  test("an action with nothing but looking between, however much", () => {
    const looks = (n: number): Step[] => times(9, (k) => read(`${letter(n)}${letter(k)}`));
    const acts = (count: number): Step[] => [
      ...times(count - 1, (n) => [...sh("./go", "x"), ...looks(n)]),
      ...sh("./go", "x"),
    ];
    assert.equal(outcome(...acts(2)), "none");
    assert.deepEqual(outcome(...acts(3)), ["nudge", "same_call", 0]);
    assert.deepEqual(outcome(...acts(4)), ["stuck", "same_call", 0]);
    assert.equal(outcome(...acts(4), ...read("new")), "none");
    assert.equal(outcome(...acts(4), call("Read", { path: "new" })), "none");
    assert.equal(outcome(...acts(3), ...sh("./other", "y"), ...acts(1)), "none");
  });
  test("searches are looking, too", () => {
    const looks = (n: number): Step[] =>
      times(9, (k) => ran("Grep", { pattern: `${letter(n)}${letter(k)}` }, `${letter(n)}${k}`));
    const acts = times(3, (n) => [...looks(n), ...sh("./go", "x")]);
    assert.deepEqual(outcome(...acts), ["nudge", "same_call", 18]);
  });
  test("where results are not seen, actions far apart are none", () => {
    const looks = (n: number): Step[] =>
      times(17, (k) => [call("Read", { path: `${letter(n)}${letter(k)}` })]);
    const acts = times(5, (n) => [...looks(n), call("Bash", { command: "./go" })]);
    assert.equal(outcome(...acts), "none");
  });
  test("other actions are other actions", () => {
    const go = (n: number): Step[] => sh(`./go ${letter(n)}`, `${letter(n)}`);
    assert.equal(outcome(...go(0), ...go(1), ...go(2), ...go(0)), "none");
  });
  test("a task handed on: two and three", () => {
    const hand = (count: number): Step[] =>
      times(count, () => ran("Task", { prompt: "do it" }, "could not"));
    assert.equal(outcome(...hand(1)), "none");
    assert.deepEqual(outcome(...hand(2)), ["nudge", "same_call", 0]);
    assert.deepEqual(outcome(...hand(3)), ["stuck", "same_call", 0]);
  });
  test("the same call that fails each time otherwise: three and four", () => {
    const fails = (count: number): Step[] => times(count, (n) => bad("./go", `${letter(n)} broke`));
    assert.equal(outcome(...fails(2)), "none");
    assert.deepEqual(outcome(...fails(3)), ["nudge", "same_call", 0]);
    assert.deepEqual(outcome(...fails(4)), ["stuck", "same_call", 0]);
  });
  test("a row that was broken begins anew where it begins anew", () => {
    const fails = (from: number, count: number): Step[] =>
      times(count, (n) => bad("./go", `${letter(from + n)} broke`));
    assert.deepEqual(outcome(...fails(0, 2), ...sh("./cure", "x"), ...fails(5, 3)), [
      "nudge",
      "same_call",
      6,
    ]);
  });
  test("a tool with a threshold of its own, after its result changed", () => {
    const config: StuckConfig = {
      ...DEFAULT_STUCK_CONFIG,
      tools: { t: { same_call: { nudge: 9, stuck: 10 } } },
    };
    const steps = (count: number): Step[] => [
      ...ran("t", {}, "before"),
      ...times(count, () => ran("t", {}, "after")),
    ];
    assert.equal(outcomeWith(config, steps(8)), "none");
    assert.deepEqual(outcomeWith(config, steps(9)), ["nudge", "same_call", 2]);
    assert.deepEqual(outcomeWith(config, steps(10)), ["stuck", "same_call", 2]);
  });
  test("a call that comes back counts while it is under way again", () => {
    const back = times(5, (n) => [...read("same"), ...read(`x ${letter(n)}`), ...read(letter(n))]);
    const loop = back.slice(0, -4);
    assert.deepEqual(outcome(...loop), ["stuck", "same_call", 0]);
    assert.deepEqual(outcome(...loop, call("Read", { path: "same" })), ["stuck", "same_call", 0]);
    assert.equal(outcome(...loop, call("Read", { path: "never" })), "none");
  });
  test("another call that came back once does not hide it", () => {
    const loop = ["same", "x", "same", "y", "same", "z", "same"].flatMap(read);
    assert.deepEqual(outcome(...loop), ["stuck", "same_call", 0]);
    assert.deepEqual(outcome(...loop, ...read("x")), ["stuck", "same_call", 0]);
  });
});

describe("cycles", () => {
  const round = (period: number): Step[] => times(period, (n) => read(letter(n)));
  for (const period of [2, 3, 4, 5, 6, 7, 8])
    test(`${period} calls in turn, three times`, () => {
      assert.deepEqual(outcome(...read("x"), ...times(3, () => round(period))), [
        "stuck",
        "cycle",
        2,
      ]);
      const less = times(3, () => round(period)).slice(0, -2);
      assert.notEqual(lastVerdict([...read("x"), ...less]).level, "stuck");
    });
  test("nine are too many to be called a cycle", () => {
    assert.notEqual(lastVerdict(times(3, () => round(9))).pattern, "cycle");
  });
  test("two polls in turn: as often as one", () => {
    const turns = (count: number): Step[] =>
      times(count, () => [
        ...ran("BashOutput", { id: 1 }, "x"),
        ...ran("BashOutput", { id: 2 }, "y"),
      ]);
    assert.equal(outcome(...turns(4)), "none");
    assert.deepEqual(outcome(...turns(5)), ["nudge", "cycle", 0]);
    assert.deepEqual(outcome(...turns(9)), ["nudge", "cycle", 0]);
    assert.deepEqual(outcome(...turns(10)), ["stuck", "cycle", 0]);
  });
  test("one poll in it is enough", () => {
    const turns = times(3, () => [...ran("job", {}, "still running"), ...read("a")]);
    assert.deepEqual(outcome(...turns), ["nudge", "same_call", 2]);
    const waits = times(3, () => [...ran("BashOutput", { id: 1 }, "x"), ...read("a")]);
    assert.equal(outcome(...waits), "none");
  });
  test("a poll before it is not", () => {
    assert.deepEqual(outcome(...ran("BashOutput", {}, "x"), ...times(3, () => round(2))), [
      "stuck",
      "cycle",
      2,
    ]);
  });
});

describe("failures", () => {
  const fails = (count: number, from = 0): Step[] =>
    times(count, (n) => bad(`./go ${letter(from + n)}`, "no disk left"));
  test("the call under way says whether it goes on", () => {
    assert.deepEqual(outcome(...fails(3), call("Bash", { command: "./x" })), [
      "nudge",
      "same_failure",
      0,
    ]);
    assert.equal(outcome(...fails(3), call("Read", { path: "new" })), "none");
  });
  test("something new ends the verdict, not the count", () => {
    assert.equal(outcome(...fails(3), ...read("new")), "none");
    assert.deepEqual(outcome(...fails(3), ...read("new"), ...fails(1, 9)), [
      "stuck",
      "same_failure",
      0,
    ]);
    assert.deepEqual(outcome(...read("a"), ...fails(3), ...read("a")), [
      "nudge",
      "same_failure",
      2,
    ]);
  });
  test("work that succeeds ends the count, the same work again does not", () => {
    const again = ran("frob", {}, "done");
    assert.deepEqual(outcome(...again, ...fails(3), ...again, ...fails(1, 9)), [
      "stuck",
      "same_failure",
      2,
    ]);
    assert.equal(outcome(...fails(3), ...again, ...fails(1, 9)), "none");
    assert.deepEqual(outcome(...fails(2), ...again, ...fails(3, 9)), ["nudge", "same_failure", 6]);
  });
  test("a file written as it is is no work, an edit made again is", () => {
    const write = ran("Write", { path: "q", content: "x" }, "ok");
    assert.deepEqual(outcome(...write, ...fails(3), ...write, ...fails(1, 9)), [
      "stuck",
      "same_failure",
      2,
    ]);
    const edit = ran("Edit", { path: "q", old_string: "x", new_string: "y" }, "ok");
    assert.equal(outcome(...edit, ...fails(3), ...edit, ...fails(1, 9)), "none");
  });
  test("what an edit leaves is not known: the same write or edit after it is work", () => {
    const write = (content: string): Step[] => ran("Write", { path: "q", content }, "ok");
    const edit = (from: string, to: string): Step[] =>
      ran("Edit", { path: "q", old_string: from, new_string: to }, "ok");
    for (const [before, work] of [
      [[...write("x"), ...edit("x", "y")], write("x")],
      [[...write("y"), ...write("z"), ...edit("z", "y")], write("y")],
      [[...edit("x", "y"), ...write("y")], edit("x", "y")],
    ] as const)
      assert.equal(outcome(...before, ...fails(3), ...work, ...fails(1, 9)), "none");
  });
  test("a look at what is known, new as it may be written, ends nothing", () => {
    const page = (offset: number, limit: number): Step[] =>
      ran("Read", { path: "big", offset, limit }, `${limit} lines from ${offset}`);
    assert.deepEqual(outcome(...page(0, 100), ...fails(3), ...page(1, 99)), [
      "nudge",
      "same_failure",
      2,
    ]);
    assert.equal(outcome(...page(0, 100), ...fails(3), ...page(900, 99)), "none");
    const broken = (from: number, count: number): Step[] =>
      times(count, (n) => failed(`tool ${letter(from + n)}`, {}, `${letter(from + n)} broke`));
    assert.deepEqual(outcome(...page(0, 100), ...broken(0, 5), ...page(1, 99), ...broken(9, 1)), [
      "nudge",
      "failures_in_a_row",
      2,
    ]);
    assert.equal(
      outcome(...page(0, 100), ...broken(0, 5), ...page(900, 99), ...broken(9, 1)),
      "none",
    );
  });
  test("tools that only look: four and five", () => {
    for (const [tool, argument] of [
      ["Grep", "pattern"],
      ["Read", "path"],
    ] as const) {
      const looks = (count: number): Step[] =>
        times(count, (n) => failed(tool, { [argument]: letter(n) }, "the index is locked"));
      assert.equal(outcome(...looks(3)), "none");
      assert.deepEqual(outcome(...looks(4)), ["nudge", "same_failure", 0]);
      assert.deepEqual(outcome(...looks(5)), ["stuck", "same_failure", 0]);
    }
  });
  test("the same kind of error: four and five", () => {
    const kinds = (count: number): Step[] =>
      times(count, (n) => bad(`./go ${letter(n)}`, `sh: ${letter(n)}: command not found`));
    assert.equal(outcome(...kinds(3)), "none");
    assert.deepEqual(outcome(...kinds(4)), ["nudge", "same_failure", 0]);
    assert.deepEqual(outcome(...kinds(5)), ["stuck", "same_failure", 0]);
  });
  test("a tool that does not exist: two and four", () => {
    const unknown = (count: number): Step[] =>
      times(count, (n) => failed("frob", { n }, `Unknown tool: frob (${letter(n)})`));
    assert.equal(outcome(...unknown(1)), "none");
    assert.deepEqual(outcome(...unknown(2)), ["nudge", "unknown_tool", 0]);
    assert.deepEqual(outcome(...unknown(3)), ["nudge", "unknown_tool", 0]);
    assert.deepEqual(outcome(...unknown(4)), ["stuck", "unknown_tool", 0]);
  });
});

test("a rule speaks at the counts that were set for it, not before", () => {
  const config: StuckConfig = {
    ...DEFAULT_STUCK_CONFIG,
    thresholds: { ...DEFAULT_THRESHOLDS, same_call: { nudge: 6, stuck: 8 } },
  };
  const levels = [5, 6, 7, 8].map(
    (count) =>
      lastVerdict(
        times(count, () => read("a")),
        config,
      ).level,
  );
  assert.deepEqual(levels, ["none", "nudge", "nudge", "stuck"]);
});
