// What is remembered and for how long: the last keys of a bounded map, the attempts of a subtask, and
// what is known of a tool by its name.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DEFAULT_STUCK_CONFIG } from "../../../src/core/stuck/config.ts";
import { RecentMap } from "../../../src/core/stuck/recent.ts";
import { createStuckWatch, type AttemptEnd } from "../../../src/core/stuck/stuck-watch.ts";
import { factsOf } from "../../../src/core/stuck/tools.ts";

describe("a map that keeps what was used last", () => {
  const filled = (limit: number, keys: number): RecentMap<string> => {
    const recent = new RecentMap<string>(limit);
    for (let key = 1; key <= keys; key += 1) recent.set(key, `value ${key}`);
    return recent;
  };
  test("the last keys are there, and never more than twice as many", () => {
    for (let keys = 1; keys <= 20; keys += 1) {
      const all = Array.from({ length: keys }, (_, n) => n + 1);
      // a look moves a key: each is asked of a map of its own
      const there = all.filter((key) => filled(3, keys).get(key) === `value ${key}`);
      assert.ok(there.length >= Math.min(3, keys) && there.length <= 6, `${keys}: ${there.join()}`);
      assert.deepEqual(there.slice(-3), all.slice(-3));
    }
  });
  test("a key that is used stays, others that come and go do not matter", () => {
    const recent = filled(3, 1);
    for (let key = 10; key < 60; key += 1) {
      assert.equal(recent.get(1), "value 1", `${key}`);
      recent.set(key, "other");
    }
  });
  test("asking for keys that are not there forgets nothing", () => {
    const recent = filled(4, 4);
    for (let key = 10; key < 30; key += 1) assert.equal(recent.get(key), undefined);
    assert.deepEqual(
      [1, 2, 3, 4].map((key) => recent.get(key)),
      ["value 1", "value 2", "value 3", "value 4"],
    );
  });
  test("a new value takes the place of the old one", () => {
    const recent = filled(3, 3);
    recent.set(2, "new");
    assert.equal(recent.get(2), "new");
  });
  test("what is deleted is gone, old or new, and only that", () => {
    const recent = filled(3, 4);
    recent.delete(2);
    recent.delete(4);
    assert.deepEqual(
      [1, 2, 3, 4].map((key) => recent.get(key)),
      ["value 1", undefined, "value 3", undefined],
    );
  });
  test("cleared, nothing is there", () => {
    for (const keys of [0, 2, 3, 5]) {
      const recent = filled(3, keys);
      recent.clear();
      for (let key = 1; key <= 5; key += 1) assert.equal(recent.get(key), undefined);
    }
  });
});

const end = (attempt: number, more: Partial<AttemptEnd> = {}): AttemptEnd => ({
  attempt,
  failed: true,
  counted: true,
  score: 1,
  startTree: `t${attempt - 1}`,
  endTree: `t${attempt}`,
  output: `part ${"abcdefghij"[attempt % 10]}`,
  ...more,
});

describe("the attempts of a subtask", () => {
  test("are remembered with what is known of them, and nothing else", () => {
    const watch = createStuckWatch();
    watch.endAttempt(end(1));
    watch.endAttempt(end(2, { signature: "s", approach: "rewrite it" }));
    assert.deepEqual(watch.memory().history, [
      { attempt: 1, failed: true, startTree: "t0", endTree: "t1" },
      {
        attempt: 2,
        failed: true,
        startTree: "t1",
        endTree: "t2",
        signature: "s",
        approach: "rewrite it",
      },
    ]);
  });
  test("the last fifty of them", () => {
    const watch = createStuckWatch();
    for (let attempt = 1; attempt <= 60; attempt += 1) watch.endAttempt(end(attempt));
    const { history } = watch.memory();
    assert.deepEqual([history.length, history[0]?.attempt, history.at(-1)?.attempt], [50, 11, 60]);
  });
  test("the same approach three times is a circle", () => {
    const watch = createStuckWatch();
    const circular = [1, 2, 3].map(
      (attempt) => watch.endAttempt(end(attempt, { approach: "rewrite it" })).circular.length,
    );
    assert.deepEqual(circular, [0, 0, 1]);
  });
  test("equal outputs are counted in a row", () => {
    const watch = createStuckWatch();
    const seen = ["x", "x", "y", "x", "x", "x", "x", "x", "x"].map((output, n) => {
      const { equalOutputs, runaway } = watch.endAttempt(end(n + 1, { output }));
      return [equalOutputs, runaway];
    });
    assert.deepEqual(seen, [
      [1, false],
      [2, false],
      [1, false],
      [1, false],
      [2, false],
      [3, false],
      [4, false],
      [5, true],
      [6, true],
    ]);
  });
  test("an attempt that does not count changes nothing", () => {
    const watch = createStuckWatch();
    watch.endAttempt(end(1, { output: "x", score: 0 }));
    const before = watch.memory();
    assert.deepEqual(watch.endAttempt(end(2, { output: "x", score: 0, counted: false })), {
      status: "progressing",
      circular: [],
      equalOutputs: 1,
      runaway: false,
    });
    assert.deepEqual(watch.memory(), before);
  });
});

describe("what a name says of a tool", () => {
  const facts = (name: string) => factsOf(name, DEFAULT_STUCK_CONFIG);
  test("whether it checks the work", () => {
    for (const name of ["test", "tests", "run_test", "run_tests", "Build", "lint-all", "my verify"])
      assert.equal(facts(name).checks, true, name);
    for (const name of ["latest", "testing", "rebuild", "checkout", "contest_run", "linter"])
      assert.equal(facts(name).checks, false, name);
  });
  test("its kind, behind the name of a server and in any spelling", () => {
    const kinds: readonly (readonly [string, string])[] = [
      ["mcp__files__edit", "write"],
      ["mcp__create__view", "read"],
      ["mcp__x___read", "read"],
      ["getFileText", "read"],
      ["GetFileText", "read"],
      ["file.write.now", "write"],
      ["read--and--edit", "write"],
      ["readOrWrite", "write"],
      ["search_and_read", "search"],
      ["exec_query", "shell"],
      ["reader", "other"],
      [`${"x".repeat(96)}_read`, "other"],
    ];
    for (const [name, kind] of kinds) assert.equal(facts(name).kind, kind, name);
  });
  test("the names one tool goes by", () => {
    for (const [one, other] of [
      ["Read", "read_file"],
      ["read-file", "view"],
      ["Edit", "str_replace"],
      ["Bash", "run_shell_command"],
      ["LS", "list directory"],
      ["Task", "agent"],
    ] as const)
      assert.equal(facts(one).hash, facts(other).hash, `${one} ${other}`);
    assert.notEqual(facts("Read").hash, facts("Edit").hash);
    assert.notEqual(facts("frob").hash, facts("Frob").hash);
  });
  test("what a person says of it wins", () => {
    const config = {
      ...DEFAULT_STUCK_CONFIG,
      tools: {
        Bash: { kind: "search" as const, poll: true, exempt: true, ignore: ["a"], identity: ["b"] },
        wait: { poll: false },
      },
    };
    const { kind, poll, exempt, ignore, identity } = factsOf("Bash", config);
    assert.deepEqual([kind, poll, exempt], ["search", true, true]);
    assert.deepEqual([[...ignore], [...(identity ?? [])]], [["a"], ["b"]]);
    assert.deepEqual([factsOf("wait", config).kind, factsOf("wait", config).poll], ["poll", false]);
    const plain = facts("Bash");
    assert.deepEqual([plain.poll, plain.exempt, plain.identity], [false, false, undefined]);
    assert.deepEqual([...plain.ignore], []);
    assert.equal(factsOf("toString", config).kind, "other");
  });
});
