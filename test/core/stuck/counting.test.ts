// Each rule at its edge: the count at which it speaks, what goes on with a count, what ends it, and
// where the loop is said to begin.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readCall } from "../../../src/core/stuck/call.ts";
import { DEFAULT_STUCK_CONFIG, DEFAULT_THRESHOLDS } from "../../../src/core/stuck/config.ts";
import type { StuckConfig } from "../../../src/core/stuck/config.ts";
import type { Step } from "../../../src/core/stuck/step.ts";
import { factsOf } from "../../../src/core/stuck/tools.ts";
import type { StuckVerdict } from "../../../src/core/stuck/verdict.ts";
import { call, failed, lastVerdict, ran, said, times, verdictsOf } from "./steps.ts";

const read = (name: string, output = `text of ${name}`): Step[] =>
  ran("Read", { file_path: name }, output);
const sh = (command: string, output: string): Step[] => ran("Bash", { command }, output);
const bad = (command: string, output: string): Step[] => failed("Bash", { command }, output);
const edit = (n: number, file = "a.ts"): Step[] =>
  ran("Edit", { file_path: file, old_string: `o${n}`, new_string: `n${n}` }, "ok");
const short = ({ level, pattern, loopStart }: StuckVerdict): unknown =>
  level === "none" ? "none" : [level, pattern, loopStart];
const last = (...steps: readonly Step[]): unknown => short(lastVerdict(steps));
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

describe("a call that comes back between others", () => {
  const back = (rounds: number, between: number): Step[] =>
    times(rounds, (n) => [
      ...read("same"),
      ...times(between, (k) => read(`other ${LETTERS[n]} ${LETTERS[k]}`)),
    ]).slice(0, -2 * between);
  test("every second call: one less is enough", () => {
    assert.deepEqual(last(...back(3, 1)), ["nudge", "same_call", 0]);
    assert.deepEqual(last(...back(4, 1)), ["stuck", "same_call", 0]);
  });
  test("further apart", () => {
    assert.equal(last(...back(3, 2)), "none");
    assert.deepEqual(last(...back(4, 2)), ["nudge", "same_call", 0]);
    assert.deepEqual(last(...back(5, 7)), ["stuck", "same_call", 0]);
  });
  test("too far apart is no loop", () => assert.equal(last(...back(7, 8)), "none"));
  test("another result begins the count anew", () => {
    const steps = times(5, (n) => [
      ...read("same", n === 2 ? "changed" : "text"),
      ...read(`other ${LETTERS[n]}`),
      ...read(`more ${LETTERS[n]}`),
    ]).slice(0, -4);
    assert.equal(last(...steps), "none");
  });
  test("a change of the world begins the count anew", () => {
    assert.equal(last(...times(6, (n) => [...read("a.ts", "x"), ...edit(n)])), "none");
  });
  test("it is over when the call stays away", () => {
    const loop = back(5, 2);
    assert.equal(
      last(...loop, ...read("new one"), ...read("new two"), ...read("new three")),
      "none",
    );
  });
  test("a plan that is looked at between steps is none", () => {
    const plan = ran("TodoWrite", { todos: [{ content: "x", status: "pending" }] }, "ok");
    assert.equal(
      last(...times(8, (n) => [...plan, ...read(`f ${LETTERS[n]}`)]).slice(0, -2)),
      "none",
    );
  });
});

describe("equal calls in a row", () => {
  test("the next call decides whether it goes on", () => {
    const loop = times(4, () => sh("ls", "a"));
    assert.deepEqual(last(...loop, call("Bash", { command: "ls" })), ["stuck", "same_call", 0]);
    assert.equal(last(...loop, call("Bash", { command: "pwd" })), "none");
  });
  test("a tool of its own has its own threshold", () => {
    const config: StuckConfig = {
      ...DEFAULT_STUCK_CONFIG,
      tools: { Bash: { same_call: { nudge: 5, stuck: 6 } } },
    };
    assert.equal(
      lastVerdict(
        times(4, () => sh("ls", "a")),
        config,
      ).level,
      "none",
    );
    assert.equal(
      lastVerdict(
        times(5, () => sh("ls", "a")),
        config,
      ).level,
      "nudge",
    );
    assert.equal(
      lastVerdict(
        times(6, () => sh("ls", "a")),
        config,
      ).level,
      "stuck",
    );
  });
  test("an exempt tool neither counts nor breaks a count", () => {
    const config: StuckConfig = { ...DEFAULT_STUCK_CONFIG, tools: { beat: { exempt: true } } };
    assert.equal(
      lastVerdict(
        times(9, () => ran("beat", {}, "ok")),
        config,
      ).level,
      "none",
    );
    const mixed = times(4, () => [...ran("beat", {}, "ok"), ...sh("ls", "a")]);
    assert.equal(lastVerdict(mixed, config).level, "stuck");
    const open = [...times(4, () => sh("ls", "a")), call("beat", {})];
    assert.equal(lastVerdict(open, config).level, "stuck");
  });
  test("results that are joined by id, in any order", () => {
    const pairs = times(4, (n) => [
      call("Read", { path: "a" }, { id: `x${n}` }),
      call("Read", { path: `b${LETTERS[n]}` }, { id: `y${n}` }),
      { kind: "tool_result", id: `y${n}`, output: `b ${LETTERS[n]}` },
      { kind: "tool_result", id: `x${n}`, output: "a" },
    ]);
    assert.equal(lastVerdict(pairs).level, "stuck");
  });
  test("after many tools the first one is still known for what it is", () => {
    const many = times(300, (n) => ran(`tool ${n}`, { n }, `result ${n}`));
    assert.equal(lastVerdict([...many, ...times(4, () => read("a"))]).pattern, "same_call");
  });
});

describe("failures", () => {
  test("the same error of a tool that acts: three and four", () => {
    const fail = (count: number): Step[] => times(count, (n) => bad(`x${n}`, "error: no disk"));
    assert.equal(last(...fail(2)), "none");
    assert.deepEqual(last(...fail(3)), ["nudge", "same_failure", 0]);
    assert.deepEqual(last(...fail(4)), ["stuck", "same_failure", 0]);
  });
  test("looking around does not cure it, work that succeeds does", () => {
    const three = times(3, (n) => bad(`x${n}`, "error: no disk"));
    assert.deepEqual(last(...three, ...read("new"), ...bad("y", "error: no disk")), [
      "stuck",
      "same_failure",
      0,
    ]);
    assert.deepEqual(
      last(...three, ...ran("Grep", { pattern: "q" }, "hit"), ...bad("y", "error: no disk")),
      ["stuck", "same_failure", 0],
    );
    assert.equal(last(...three, ...edit(1), ...bad("y", "error: no disk")), "none");
  });
  test("an edit that fails is no failing check, and neither is a bare exit code", () => {
    const steps = times(6, (n) => [
      ...edit(n),
      ...failed(
        "Write",
        { file_path: `p${n % 3}`, content: "x" },
        `refused: ${LETTERS[n % 3]} is locked`,
      ),
    ]);
    assert.notEqual(lastVerdict(steps).pattern, "same_failing_tests");
    const exits = times(6, (n) => [...edit(n), ...bad("./go.sh", "Exit code 1")]);
    assert.notEqual(lastVerdict(exits).pattern, "same_failing_tests");
  });
  test("what failed outside of any tool counts with the others", () => {
    const outside: Step = { kind: "error", text: "the plugin crashed" };
    const mixed = times(8, (n) => (n % 2 === 0 ? [outside] : bad(`x${n}`, `${LETTERS[n]} broke`)));
    assert.equal(lastVerdict(mixed).pattern, "failures_in_a_row");
    assert.equal(lastVerdict(times(8, () => [outside])).level, "stuck");
    assert.equal(lastVerdict(times(5, () => [outside])).level, "none");
  });
  test("calls of one answer fail once", () => {
    const round = (n: number): Step[] => [
      ...times(4, (k) => [call("Bash", { command: `${n} ${k}` }, { round: n, id: `${n}.${k}` })]),
      ...times(4, (k): Step[] => [
        {
          kind: "tool_result",
          id: `${n}.${k}`,
          output: `${LETTERS[n * 4 + k]} broke`,
          isError: true,
        },
      ]),
    ];
    assert.equal(lastVerdict(times(2, round)).level, "none");
  });
  test("a test that prints a network error has failed all the same", () => {
    const steps = times(4, (n) => [
      ...edit(n),
      ...bad(
        "npm test",
        "not ok 1 - connects\n  error: connect ETIMEDOUT 203.0.113.7:443\n1 failed",
      ),
    ]);
    assert.equal(lastVerdict(steps).pattern, "same_failing_tests");
  });
});

describe("the world", () => {
  const tree = (name: string): Step => ({ kind: "world", tree: name });
  test("returns to earlier trees begin where the first one was", () => {
    const steps = ["one", "two", "one", "two", "one"].map(tree);
    assert.deepEqual(last(...steps.slice(0, 3)), "none");
    assert.deepEqual(last(...steps.slice(0, 4)), ["nudge", "edit_revert", 2]);
    assert.deepEqual(last(...steps), ["stuck", "edit_revert", 2]);
  });
  test("a tree that was never there ends them; the same tree again is nothing", () => {
    assert.equal(last(...["one", "two", "one", "two", "three"].map(tree)), "none");
    assert.equal(last(...["one", "one", "one", "one", "one"].map(tree)), "none");
  });
  test("checks that pass end the count of failing ones", () => {
    const failing = (n: number, names: string[]): Step[] => [
      ...edit(n),
      { kind: "world", tree: `t${n}`, failing: names },
    ];
    const three = times(3, (n) => failing(n, ["x"]));
    assert.equal(lastVerdict([...three, ...failing(4, ["x"])]).pattern, "same_failing_tests");
    assert.equal(lastVerdict([...three, ...failing(4, []), ...failing(5, ["x"])]).level, "none");
    assert.equal(lastVerdict([...three, ...failing(4, ["y"])]).level, "none");
  });
});

describe("reads that bring nothing new", () => {
  const page = (start: number, size: number): Step[] =>
    ran("Read", { file_path: "big", offset: start, limit: size }, `from ${start} ${size}`);
  test("a fifth that is new is worth a step, less is not", () => {
    const worth = [...page(0, 100), ...times(10, (n) => page((n + 1) * 21, 100))];
    assert.equal(last(...worth), "none");
    const stale = [...page(0, 100), ...times(16, (n) => page((n + 1) * 2, 100))];
    assert.equal(lastVerdict(stale).pattern, "nothing_new");
  });
  test("ranges that were read apart are known together", () => {
    const known = [...page(0, 100), ...page(200, 100), ...page(100, 100)];
    const again = times(9, (n) => page(20 + n, 250 - n));
    assert.equal(lastVerdict([...known, ...again]).pattern, "nothing_new");
  });
  test("a change of the world makes all of it new", () => {
    assert.equal(last(...times(12, (n) => [...page(n, 100), ...edit(n)])), "none");
  });
  const ask = (query: string, more: object = {}, output = "no results"): Step[] =>
    ran("search_docs", { query, ...more }, output);
  test("a question is the same in any order of its words, another name is another question", () => {
    const forms = [
      "queue retry limit",
      "retry limit queue",
      "limit of queue retries",
      "queue: retry limits",
    ];
    assert.equal(lastVerdict(times(10, (n) => ask(forms[n % 4]!))).pattern, "nothing_new");
    assert.equal(
      last(...times(14, (n) => ask(`retry limit of ${LETTERS[n]}${LETTERS[n]}queue`))),
      "none",
    );
  });
  test("in another place or with another result it is another question", () => {
    assert.equal(
      last(...times(12, (n) => ask("retry limit", { glob: `*.${LETTERS[n]}` }))),
      "none",
    );
    assert.equal(
      last(...times(12, (n) => ask(`retry limit ${n % 2 ? "now" : ""}`, {}, `hit ${LETTERS[n]}`))),
      "none",
    );
  });
  test("another tool is another question", () => {
    const steps = times(6, (n) =>
      ran(
        n % 2 ? "search_docs" : "search_code",
        { query: `retry limit ${LETTERS[n]} now please` },
        "none",
      ),
    );
    assert.equal(last(...steps), "none");
  });
});

describe("talk", () => {
  test("two are a nudge, three are stuck, a call ends it", () => {
    assert.deepEqual(last(said("I wait."), said("I wait.")), ["nudge", "repeated_message", 0]);
    assert.equal(last(said("I wait."), said("I go."), said("I wait."), said("I go.")), "none");
    assert.equal(last(said("I wait."), ...read("x"), said("I wait."), said("I go.")), "none");
  });
  test("thoughts and answers are counted apart", () => {
    const thought = said("Same words here.", { channel: "thought" });
    assert.equal(last(thought, said("Same words here.")), "none");
  });
  test("an agent's own guard is passed on, from where the row began", () => {
    const report: Step = { kind: "loop_report", text: "loop" };
    assert.deepEqual(last(...read("a"), ...read("b"), report), ["stuck", "agent_reported", 2]);
    assert.deepEqual(last(report), ["stuck", "agent_reported", 0]);
    assert.equal(last(report, ...read("a")), "none");
  });
});

test("a limit on calls speaks after it, from the first call on", () => {
  const config: StuckConfig = { ...DEFAULT_STUCK_CONFIG, call_cap: 5 };
  const verdicts = verdictsOf([said("hello"), ...times(6, (n) => read(`f${LETTERS[n]}`))], config);
  assert.equal(verdicts[10]?.level, "none");
  assert.deepEqual(short(verdicts[11]!), ["stuck", "call_cap", 1]);
});

test("a rule that is turned off says nothing", () => {
  const never = { nudge: Infinity, stuck: Infinity };
  const config: StuckConfig = {
    ...DEFAULT_STUCK_CONFIG,
    thresholds: { ...DEFAULT_THRESHOLDS, same_call: never },
  };
  assert.equal(
    lastVerdict(
      times(9, () => read("a")),
      config,
    ).level,
    "none",
  );
});

test("what asks for news polls: by its action, by nothing sent", () => {
  const poll = (args: object): boolean =>
    readCall(factsOf("process", DEFAULT_STUCK_CONFIG), args).poll;
  for (const action of ["poll", "wait", "status"]) assert.equal(poll({ action }), true, action);
  assert.equal(poll({ chars: "" }), true);
  assert.equal(poll({ action: "kill" }), false);
  assert.equal(poll({ chars: "y\n" }), false);
});

test("only a search has words, only a read has a range, only a write has states", () => {
  const of = (tool: string, args: object) => readCall(factsOf(tool, DEFAULT_STUCK_CONFIG), args);
  assert.deepEqual(of("Grep", { pattern: "the retries of a Queue" }).words, ["retri", "queue"]);
  assert.deepEqual(of("Read", { file_path: "a", query: "x" }).words, []);
  assert.deepEqual(of("Read", { file_path: "a", offset: 5, limit: 10 }).range, [5, 15]);
  assert.deepEqual(of("Read", { file_path: "a" }).range, [0, 2000]);
  assert.deepEqual(of("view", { path: "a", view_range: [3, 9] }).range, [3, 9]);
  assert.deepEqual(of("view", { path: "a", view_range: [3, -1] }).range, [3, 2003]);
  assert.deepEqual(of("read_file", { path: "a", start_line: 2, end_line: 4 }).range, [2, 4]);
  assert.equal(of("Edit", { file_path: "a", offset: 5 }).range, undefined);
  assert.equal(of("Read", { offset: 5 }).range, undefined);
  const write = of("Edit", { file_path: "a", old_string: "x", new_string: "y" });
  assert.ok(write.before !== 0 && write.after !== 0 && write.before !== write.after);
  const other = of("Read", { file_path: "a", old_string: "x", new_string: "y" });
  assert.deepEqual([other.before, other.after], [0, 0]);
});
