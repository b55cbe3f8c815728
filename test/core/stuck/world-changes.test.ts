// What counts as a change of the world, seen by what it makes of a repeat; edits that go back and
// forth; failing checks that no edit cures; and the trees that were there before.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Step } from "../../../src/core/stuck/step.ts";
import { call, failed, lastVerdict, ran, times } from "./steps.ts";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const letter = (n: number): string => LETTERS[n % 26]! + LETTERS[Math.floor(n / 26) % 26]!;
const outcome = (...steps: readonly Step[]): unknown => {
  const { level, pattern, loopStart } = lastVerdict(steps);
  return level === "none" ? "none" : [level, pattern, loopStart];
};
const read = (name: string, output = `text of ${name}`): Step[] =>
  ran("Read", { file_path: name }, output);
const sh = (command: string, output = "done"): Step[] => ran("Bash", { command }, output);
const bad = (command: string, output = "error: no disk"): Step[] =>
  failed("Bash", { command }, output);
const edit = (n: number, file = "a.ts"): Step[] =>
  ran("Edit", { file_path: file, old_string: `old ${n}`, new_string: `new ${n}` }, "ok");
const tree = (name: string): Step => ({ kind: "world", tree: name });
const compaction: Step = { kind: "compaction" };

/** One file looked at again and again, with something between. */
const lookAround = (between: (n: number) => readonly Step[], rounds = 6): Step[] => [
  ...times(rounds - 1, (n) => [...read("same"), ...between(n)]),
  ...read("same"),
];

describe("a look after a change is a new look", () => {
  const CHANGES: readonly (readonly [string, (n: number) => readonly Step[]])[] = [
    ["an edit", edit],
    ["a command", (n) => sh(`./make-part ${letter(n)}`)],
    ["a command with a new result", (n) => sh("./next", `part ${letter(n)}`)],
    ["a subagent", (n) => ran("Task", { prompt: `do ${letter(n)}` }, `did ${letter(n)}`)],
    ["a tool of no known kind", (n) => ran("frob", { n }, `frobbed ${letter(n)}`)],
    ["other content for a file", (n) => ran("Write", { path: "q", content: letter(n) }, "ok")],
    ["a patch without a path", (n) => ran("apply_patch", { patch: letter(n) }, "ok")],
    ["content without a path", (n) => ran("Write", { content: letter(n) }, "ok")],
    ["an edit in words of its own", (n) => ran("Edit", { path: "q", diff: letter(n) }, "ok")],
  ];
  for (const [name, between] of CHANGES)
    test(name, () => assert.equal(outcome(...lookAround(between)), "none"));
  const NO_CHANGES: readonly (readonly [string, (n: number) => readonly Step[]])[] = [
    ["a test run", (n) => sh(`npm test -- ${letter(n)}`, `${letter(n)} passed`)],
    ["a tool that tests", (n) => ran("run_tests", { n: letter(n) }, `${letter(n)} passed`)],
    ["a read", (n) => read(letter(n))],
    ["a search", (n) => ran("Grep", { pattern: letter(n) }, `hit ${letter(n)}`)],
    ["an edit that failed", (n) => failed("Edit", { path: letter(n) }, `no match in ${letter(n)}`)],
  ];
  for (const [name, between] of NO_CHANGES)
    test(`not after ${name}`, () =>
      assert.deepEqual(outcome(...lookAround(between, 5)), ["stuck", "same_call", 0]));
  test("not after a command that was run before with the same result", () => {
    const between = (n: number): Step[] => [...sh("./go"), ...read(`new ${letter(n)}`)];
    assert.deepEqual(outcome(...lookAround(between, 5)), ["nudge", "same_call", 6]);
  });
  test("not after calls of which nothing is known but that they were made", () => {
    const steps = times(6, (n) => [call("Read", { path: "same" }), call("frob", { n })]);
    assert.deepEqual(outcome(...steps.slice(0, -1)), ["stuck", "same_call", 0]);
  });
  test("where trees are seen, only another tree is a change", () => {
    assert.deepEqual(outcome(tree("one"), ...lookAround(edit, 5)), ["stuck", "same_call", 1]);
    const trees = lookAround((n) => [...edit(n), tree(letter(n))]);
    assert.equal(outcome(tree("one"), ...trees), "none");
  });
});

describe("a count that a change began anew", () => {
  const between = (n: number): Step[] => read(`other ${letter(n)}`);
  test("has to be reached again", () => {
    const before = lookAround(between, 3);
    const after = lookAround((n) => between(n + 5), 2);
    assert.deepEqual(outcome(...before), ["nudge", "same_call", 0]);
    assert.equal(outcome(...before, ...edit(1), ...after), "none");
  });
  test("is reached as soon as the first one", () => {
    const changed = [
      ...read("same", "before"),
      ...between(1),
      ...read("same", "after"),
      ...between(2),
      ...read("same", "after"),
      ...between(3),
      ...read("same", "after"),
    ];
    assert.deepEqual(outcome(...changed), ["nudge", "same_call", 4]);
  });
  test("begins anew when the context was cut", () => {
    const steps = [...lookAround(between, 2), compaction, ...lookAround((n) => between(n + 5), 2)];
    assert.equal(outcome(...steps), "none");
  });
});

describe("calls without results that come back", () => {
  const bare = (rounds: number, between: number): Step[] =>
    times(rounds, (n) => [
      call("Read", { path: "same" }),
      ...times(between, (k) => [call("Read", { path: `${letter(n)} ${letter(k)}` })]),
    ]).slice(0, between === 0 ? undefined : -between);
  test("are followed further than calls with results", () => {
    assert.deepEqual(outcome(...bare(5, 15)), ["nudge", "same_call", 0]);
    assert.deepEqual(outcome(...bare(6, 15)), ["stuck", "same_call", 0]);
    assert.equal(outcome(...bare(8, 16)), "none");
  });
});

describe("edits that go back and forth", () => {
  const states = (from: string, to: string, n: number, more: object = { path: "a" }): Step[] =>
    ran("Edit", { ...more, old_string: from, new_string: to }, `ok ${letter(n)}`);
  const swings = (count: number, more?: object): Step[] =>
    times(count, (n) => (n % 2 === 0 ? states("x", "y", n, more) : states("y", "x", n, more)));
  test("the way there is none, then each turn counts", () => {
    assert.equal(outcome(...swings(2)), "none");
    assert.deepEqual(outcome(...swings(3)), ["nudge", "edit_revert", 0]);
    assert.deepEqual(outcome(...swings(4)), ["stuck", "edit_revert", 0]);
    assert.equal(lastVerdict(swings(4)).reason, "edits undone and made again 3 times");
  });
  test("running something between does not end it, another edit does", () => {
    const four = swings(4);
    assert.deepEqual(outcome(...four, ...sh("./go")), ["stuck", "edit_revert", 0]);
    assert.equal(outcome(...four, ...edit(1, "b")), "none");
    assert.deepEqual(outcome(...four, ...edit(1, "b"), ...states("x", "y", 5)), [
      "stuck",
      "edit_revert",
      0,
    ]);
  });
  test("whole files too", () => {
    const whole = (count: number): Step[] =>
      times(count, (n) => ran("Write", { path: "a", content: n % 2 ? "x" : "y" }, letter(n)));
    assert.equal(outcome(...whole(3)), "none");
    assert.deepEqual(outcome(...whole(4)), ["nudge", "edit_revert", 2]);
    assert.deepEqual(outcome(...whole(5)), ["stuck", "edit_revert", 2]);
  });
  test("an edit that says where it comes from is believed over what was written before", () => {
    const steps = times(6, (n) => [
      ...ran("Write", { path: "a", content: "x" }, letter(2 * n)),
      ...states("p", `q ${letter(n)}`, 2 * n + 1),
    ]);
    assert.equal(outcome(...steps), "none");
  });
  test("of a file that is not known they are none", () => {
    assert.equal(outcome(...swings(8, {})), "none");
  });
  test("where one state is not known they are none", () => {
    const steps = times(8, (n) =>
      ran("Edit", { path: "a", [n % 2 ? "old_string" : "new_string"]: "x" }, letter(n)),
    );
    assert.equal(outcome(...steps), "none");
  });
  test("in several files each counts for itself", () => {
    const files = times(8, (n) =>
      n % 2 === 0
        ? states("x", "y", n, { path: letter(n) })
        : states("y", "x", n, { path: letter(n) }),
    );
    assert.equal(outcome(...files), "none");
  });
  for (const hub of ["h", "i", "j", "k", "l", "m"])
    test(`ways to and from one state are different ways: ${hub}`, () => {
      const steps = times(12, (n) =>
        n % 2 === 0 ? states(hub, letter(n), n) : states(letter(n), hub, n),
      );
      assert.equal(outcome(...steps), "none");
    });
});

describe("checks that stay red", () => {
  const red = bad("npm test", "not ok 1 - drains\n1 failed");
  const rounds = (count: number, change: (n: number) => readonly Step[]): Step[] => [
    ...red,
    ...times(count - 1, (n) => [...change(n), ...red]),
  ];
  test("after edits to one file: three and four", () => {
    assert.equal(outcome(...rounds(2, edit)), "none");
    assert.deepEqual(outcome(...rounds(3, edit)), ["nudge", "same_failing_tests", 0]);
    assert.deepEqual(outcome(...rounds(4, edit)), ["stuck", "same_failing_tests", 0]);
  });
  test("after edits to several files: one more", () => {
    const several = (n: number): Step[] => edit(n, `${letter(n)}.ts`);
    assert.equal(outcome(...rounds(3, several)), "none");
    assert.deepEqual(outcome(...rounds(4, several)), ["nudge", "same_failing_tests", 0]);
    assert.deepEqual(outcome(...rounds(5, several)), ["stuck", "same_failing_tests", 0]);
  });
  test("a change of which the file is not known is none in another file", () => {
    const patch = (n: number): Step[] => ran("apply_patch", { patch: letter(n) }, "ok");
    assert.deepEqual(outcome(...rounds(3, patch)), ["nudge", "same_failing_tests", 0]);
    const mixed = (n: number): Step[] => (n % 2 === 0 ? edit(n) : patch(n));
    assert.deepEqual(outcome(...rounds(4, mixed)), ["stuck", "same_failing_tests", 0]);
  });
  test("without a change between they count once", () => {
    const steps = rounds(5, (n) => read(letter(n)));
    assert.notEqual(lastVerdict(steps).pattern, "same_failing_tests");
  });
  test("sixty events apart at most", () => {
    const apart = (reads: number): Step[] =>
      rounds(3, (n) => [...edit(n), ...times(reads, (k) => read(`${letter(n)} ${letter(k)}`))]);
    assert.deepEqual(outcome(...apart(58)), ["nudge", "same_failing_tests", 0]);
    assert.equal(outcome(...apart(59)), "none");
  });
  test("a green run between ends the count", () => {
    const green = sh("npm test", "12 passed");
    assert.equal(outcome(...rounds(3, (n) => [...edit(n), ...green])), "none");
  });
  test("checks whose result was not seen end nothing", () => {
    const steps = times(4, (n): Step[] => [
      call("Bash", { command: `npm test -- ${letter(n)}` }),
      { kind: "world", tree: letter(n), failing: ["drains"] },
    ]);
    assert.deepEqual(outcome(...steps), ["stuck", "same_failing_tests", 1]);
  });
  test("an edit or a look that fails alike is no check", () => {
    const refused = failed("Write", { path: "q", content: "x" }, "refused: q is locked");
    assert.equal(outcome(...times(5, (n) => [...edit(n), ...refused])), "none");
    const missing = failed("Read", { path: "q" }, "File does not exist.");
    assert.equal(outcome(...times(5, (n) => [...edit(n), ...missing])), "none");
  });
  test("failing checks without a tree", () => {
    const failing: Step = { kind: "world", failing: ["drains"] };
    const steps = (count: number): Step[] => times(count, (n) => [...edit(n), failing]);
    assert.deepEqual(outcome(...steps(3)), ["nudge", "same_failing_tests", 2]);
    assert.deepEqual(outcome(...steps(4)), ["stuck", "same_failing_tests", 2]);
  });
});

describe("the context cut without progress", () => {
  test("twice and three times, from the first on", () => {
    assert.equal(outcome(compaction), "none");
    assert.deepEqual(outcome(...read("a"), compaction, compaction), ["nudge", "compaction", 2]);
    assert.deepEqual(outcome(...read("a"), ...times(3, () => [compaction])), [
      "stuck",
      "compaction",
      2,
    ]);
  });
  test("reading the same again is a right, but no progress", () => {
    const steps = times(3, () => [...read("a"), compaction]);
    assert.deepEqual(outcome(...steps), ["stuck", "compaction", 2]);
    assert.deepEqual(outcome(...times(3, () => [...sh("./go"), compaction])), [
      "stuck",
      "compaction",
      2,
    ]);
  });
  test("something new is progress, at once", () => {
    assert.equal(outcome(compaction, compaction, ...read("new")), "none");
    assert.equal(outcome(...times(5, (n) => [compaction, ...read(letter(n))])), "none");
  });
  test("a tree that was never there is progress; the first, the same or an old one is none", () => {
    const trees = (...names: string[]): Step[] => names.flatMap((name) => [compaction, tree(name)]);
    assert.equal(outcome(...trees("a", "b", "c", "d"), compaction), "none");
    assert.deepEqual(outcome(compaction, tree("a"), compaction), ["nudge", "compaction", 0]);
    assert.deepEqual(outcome(tree("a"), ...trees("a", "a"), compaction), [
      "stuck",
      "compaction",
      1,
    ]);
    assert.deepEqual(outcome(tree("a"), tree("b"), ...trees("a", "b"), compaction), [
      "stuck",
      "compaction",
      2,
    ]);
  });
});
