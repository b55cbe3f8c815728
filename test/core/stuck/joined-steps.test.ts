// Which steps belong together: results and their calls, calls of one answer, steps of one run, and
// what an answer that is asked again takes back.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DEFAULT_STUCK_CONFIG, type StuckConfig } from "../../../src/core/stuck/config.ts";
import { verdictsAround } from "../../../src/core/stuck/detector.ts";
import type { Step } from "../../../src/core/stuck/step.ts";
import { call, failed, lastVerdict, piece, ran, result, said, times, verdictsOf } from "./steps.ts";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const outcomeWith = (config: StuckConfig | undefined, steps: readonly Step[]): unknown => {
  const { level, pattern, loopStart } = lastVerdict(steps, config);
  return level === "none" ? "none" : [level, pattern, loopStart];
};
const outcome = (...steps: readonly Step[]): unknown => outcomeWith(undefined, steps);
const ls = (count: number): Step[] => times(count, () => ran("Bash", { command: "ls" }, "a"));
const read = (name: string): Step[] => ran("Read", { path: name }, `text of ${name}`);
const callLs = (id?: string): Step =>
  call("Bash", { command: "ls" }, id === undefined ? {} : { id });
const outputOf = (id: string | undefined, output: string, tool?: string): Step => ({
  kind: "tool_result",
  output,
  ...(id === undefined ? {} : { id }),
  ...(tool === undefined ? {} : { tool }),
});

describe("a result finds its call", () => {
  test("without a tool: the oldest that is open", () => {
    assert.deepEqual(outcome(...times(4, () => [callLs(), outputOf(undefined, "a")])), [
      "stuck",
      "same_call",
      0,
    ]);
  });
  test("with an id that no call has: by its tool", () => {
    const steps = times(4, (n) => [callLs(), outputOf(`r${n}`, "a", "Bash")]);
    assert.deepEqual(outcome(...steps), ["stuck", "same_call", 0]);
  });
  test("without an id where calls have one: by its tool", () => {
    const steps = times(4, (n) => [callLs(`c${n}`), outputOf(undefined, "a", "Bash")]);
    assert.deepEqual(outcome(...steps), ["stuck", "same_call", 0]);
  });
  test("by its id where only some calls have one", () => {
    const steps = [
      ...ls(3),
      callLs(),
      call("Bash", { command: "pwd" }, { id: "p" }),
      outputOf("p", "/here", "Bash"),
      outputOf(undefined, "a", "Bash"),
    ];
    assert.deepEqual(outcome(...steps), ["stuck", "same_call", 0]);
  });
  test("with an id that is not among theirs: none, it is an output of its own", () => {
    const steps = times(4, () => [callLs("x"), outputOf("y", "a", "Bash")]);
    assert.deepEqual(outcome(...steps), ["nudge", "same_call", 1]);
  });
  test("among the last sixty-four that are open", () => {
    const config = { ...DEFAULT_STUCK_CONFIG, tools: { beat: { exempt: true } } };
    const steps = (open: number): Step[] => [
      ...ls(3),
      callLs("c"),
      ...times(open, (n) => [call("beat", {}, { id: `b${n}` })]),
      outputOf("c", "a"),
    ];
    assert.deepEqual(outcomeWith(config, steps(63)), ["stuck", "same_call", 0]);
    assert.equal(outcomeWith(config, steps(64)), "none");
  });
});

describe("outputs that belong to no call", () => {
  const alone = (output: string): Step => ({ kind: "tool_result", output });
  test("equal ones: four and five", () => {
    assert.equal(outcome(...times(3, () => [alone("ready")])), "none");
    assert.deepEqual(outcome(...times(4, () => [alone("ready")])), ["nudge", "same_call", 0]);
    assert.deepEqual(outcome(...times(5, () => [alone("ready")])), ["stuck", "same_call", 0]);
  });
  test("equal ones that name an error: three and four", () => {
    assert.equal(outcome(...times(2, () => [alone("an error")])), "none");
    assert.deepEqual(outcome(...times(3, () => [alone("an error")])), ["nudge", "same_call", 0]);
    assert.deepEqual(outcome(...times(4, () => [alone("an error")])), ["stuck", "same_call", 0]);
  });
  test("flagged as errors they are failures of their tool", () => {
    const steps = times(4, (n): Step[] => [
      { kind: "tool_result", tool: "frob", output: `part ${LETTERS[n]} broke`, isError: true },
    ]);
    assert.deepEqual(outcome(...steps), ["stuck", "same_call", 0]);
  });
  test("an outage is none", () => {
    assert.equal(outcome(...times(9, () => [alone("503 Service Unavailable")])), "none");
  });
  test("they are work: what is said around them is not said again for nothing", () => {
    assert.equal(outcome(said("I wait."), alone("ready"), said("I wait.")), "none");
    assert.deepEqual(outcome(alone("ready"), said("I wait."), said("I wait.")), [
      "nudge",
      "repeated_message",
      1,
    ]);
  });
});

describe("errors outside of any tool", () => {
  const error = (text: string): Step => ({ kind: "error", text });
  test("stand for the result of a call without an id", () => {
    const steps = times(4, (n) => [call("Bash", { command: `x${n}` }), error("disk is gone")]);
    assert.deepEqual(outcome(...steps), ["stuck", "same_failure", 0]);
  });
  test("not for that of a call with one", () => {
    const steps = [callLs("c"), ...times(6, (n) => [error(`plugin ${LETTERS[n]} broke`)])];
    const { level, pattern, loopStart, firstError, cost } = lastVerdict(steps);
    assert.deepEqual(
      { level, pattern, loopStart, firstError, cost },
      {
        level: "nudge",
        pattern: "failures_in_a_row",
        loopStart: 1,
        firstError: "plugin a broke",
        cost: { steps: 6 },
      },
    );
  });
  test("six and eight of them, outages apart", () => {
    const errors = (count: number): Step[] => times(count, () => [error("plugin broke")]);
    assert.equal(outcome(...read("a"), ...errors(5)), "none");
    assert.deepEqual(outcome(...read("a"), ...errors(6)), ["nudge", "failures_in_a_row", 2]);
    assert.deepEqual(outcome(...read("a"), ...errors(7)), ["nudge", "failures_in_a_row", 2]);
    assert.deepEqual(outcome(...read("a"), ...errors(8)), ["stuck", "failures_in_a_row", 2]);
    assert.equal(outcome(...times(9, () => [error("503 Service Unavailable")])), "none");
  });
});

describe("calls of one answer", () => {
  const answer = (round: number, size: number): Step[] => [
    ...times(size, (k) => [call("Read", { path: "a" }, { round, id: `${round}.${k}` })]),
    ...times(size, (k) => [outputOf(`${round}.${k}`, "text")]),
  ];
  test("equal ones count once, with their results", () => {
    assert.equal(outcome(...times(2, (n) => answer(n, 3))), "none");
    assert.deepEqual(outcome(...times(3, (n) => answer(n, 3))), ["nudge", "same_call", 0]);
    assert.deepEqual(outcome(...times(4, (n) => answer(n, 3))), ["stuck", "same_call", 0]);
  });
  test("also with others between", () => {
    const mixed = (round: number): Step[] =>
      ["a", "b", "a", "b", "a", "b"].map((path) => call("Read", { path }, { round }));
    assert.equal(outcome(...mixed(1)), "none");
  });
  test("a number and its digits are one round", () => {
    const twice = [call("t", {}, { round: 1 }), call("t", {}, { round: "1" })];
    assert.equal(outcome(...twice, call("t", {}, { round: 2 })), "none");
    assert.deepEqual(outcome(...twice, ...times(2, (n) => [call("t", {}, { round: n + 2 })])), [
      "nudge",
      "same_call",
      0,
    ]);
  });
  test("failures of one answer count once, those of several each", () => {
    const broken = (round: number, size: number): Step[] => [
      ...times(size, (k) => [
        call(`tool ${LETTERS[round]}${LETTERS[k]}`, {}, { round, id: `${round}.${k}` }),
      ]),
      ...times(size, (k): Step[] => [
        {
          kind: "tool_result",
          id: `${round}.${k}`,
          isError: true,
          output: `${LETTERS[round]}${LETTERS[k]} broke`,
        },
      ]),
    ];
    assert.equal(outcome(...times(5, (n) => broken(n, 3))), "none");
    assert.deepEqual(outcome(...times(6, (n) => broken(n, 3))), ["nudge", "failures_in_a_row", 0]);
    assert.deepEqual(outcome(...times(8, (n) => broken(n, 1))), ["stuck", "failures_in_a_row", 0]);
  });
  test("a success among them begins the count anew within the answer", () => {
    const first: Step[] = [
      ...["x", "y", "z"].map((id) => call(`tool ${id}`, {}, { round: "r", id })),
      { kind: "tool_result", id: "x", output: "x broke", isError: true },
      { kind: "tool_result", id: "y", output: "fine" },
      { kind: "tool_result", id: "z", output: "z broke", isError: true },
    ];
    const more = times(5, (n) => failed(`other ${LETTERS[n]}`, {}, `${LETTERS[n]} broke`));
    assert.deepEqual(outcome(...first, ...more), ["nudge", "failures_in_a_row", 2]);
  });
  test("of calls side by side, the one without a result says whether the loop goes on", () => {
    const steps = [...ls(3), callLs("c"), call("Read", { path: "new" }, { id: "r" })];
    assert.equal(outcome(...steps, outputOf("c", "a")), "none");
    const again = [...ls(3), callLs("c"), callLs("d"), outputOf("c", "a")];
    assert.deepEqual(outcome(...again), ["stuck", "same_call", 0]);
    const exempt = { ...DEFAULT_STUCK_CONFIG, tools: { beat: { exempt: true } } };
    const beat = [...ls(3), callLs("c"), call("beat", {}, { id: "b" }), outputOf("c", "a")];
    assert.deepEqual(outcomeWith(exempt, beat), ["stuck", "same_call", 0]);
  });
});

describe("runs", () => {
  const inRun = (runId: string, steps: readonly Step[]): Step[] =>
    steps.map((step) => ({ ...step, runId }));
  const others = (count: number): Step[] => times(count, (n) => inRun(`other ${n}`, [said("hi")]));
  test("sixteen are remembered, the one used longest ago is not", () => {
    const steps = (count: number): Step[] => [
      ...inRun("a", ls(3)),
      ...others(count),
      ...inRun("a", ls(1)),
    ];
    assert.deepEqual(outcome(...steps(15)), ["stuck", "same_call", 0]);
    assert.equal(outcome(...steps(16)), "none");
  });
  test("a new start holds when other runs come between", () => {
    for (const fresh of [{ kind: "user_message" }, { kind: "new_task" }] as const) {
      const steps = [...inRun("a", [...ls(3), fresh]), ...inRun("b", ls(1)), ...inRun("a", ls(1))];
      assert.equal(outcome(...steps), "none");
    }
  });
  test("a new start in one run is none in another", () => {
    const steps = [
      ...inRun("a", ls(3)),
      ...inRun("b", [{ kind: "new_task" }]),
      ...inRun("a", ls(1)),
    ];
    assert.deepEqual(outcome(...steps), ["stuck", "same_call", 0]);
  });
});

describe("an answer that is asked again", () => {
  const retry: Step = { kind: "stream_retry" };
  const turnEnd: Step = { kind: "turn_end" };
  const bare = (count: number): Step[] => times(count, () => [call("Read", { path: "a" })]);
  const different = (count: number): Step[] =>
    times(count, (n) => [call("Read", { path: `p${n}` })]);
  test("takes back its calls, not those of answers before", () => {
    assert.deepEqual(outcome(...bare(4), retry, ...bare(3)), ["nudge", "same_call", 5]);
    assert.deepEqual(outcome(...bare(2), turnEnd, ...bare(2), retry, ...bare(1)), [
      "nudge",
      "same_call",
      0,
    ]);
  });
  test("also in a long run", () => {
    const steps = [...different(64), turnEnd, ...bare(3), retry, ...bare(4)];
    assert.deepEqual(outcome(...steps), ["nudge", "same_call", 69]);
  });
  test("makes its calls again in the same round", () => {
    const inRound = (round: number): Step => call("Read", { path: "a" }, { round });
    const steps = [inRound(1), retry, ...[1, 2, 3].map(inRound)];
    assert.deepEqual(outcome(...steps), ["nudge", "same_call", 2]);
  });
  test("gives back what it took of the limit on calls", () => {
    const capped = { ...DEFAULT_STUCK_CONFIG, call_cap: 5 };
    assert.equal(outcomeWith(capped, [...different(5), retry, ...different(5)]), "none");
    assert.deepEqual(outcomeWith(capped, [...different(3), turnEnd, ...different(3)]), [
      "stuck",
      "call_cap",
      0,
    ]);
    const kept = [...different(3), turnEnd, retry, ...different(3)];
    assert.deepEqual(outcomeWith(capped, kept), ["stuck", "call_cap", 0]);
  });
});

describe("words in a person's place", () => {
  const headless = { ...DEFAULT_STUCK_CONFIG, person_resets: false };
  const words: Step = { kind: "user_message" };
  test("end a wait and a turn, nothing else", () => {
    assert.deepEqual(outcomeWith(headless, [...ls(4), words]), ["stuck", "same_call", 0]);
    assert.deepEqual(outcomeWith(headless, [...ls(4), { kind: "wait" }, words]), [
      "stuck",
      "same_call",
      0,
    ]);
    const talk = times(3, () => [piece("I wait for you. "), words]);
    assert.deepEqual(outcomeWith(headless, talk), ["stuck", "repeated_message", 0]);
  });
});

describe("waiting before asking again is polling", () => {
  const ask = ran("Bash", { command: "./status" }, "same");
  const wait: Step = { kind: "wait" };
  test("from the first time on", () => {
    const steps = (count: number): Step[] => [
      ...read("a"),
      ...read("b"),
      ...times(count, () => [wait, ...ask]),
    ];
    assert.equal(outcome(...steps(9)), "none");
    assert.deepEqual(outcome(...steps(10)), ["nudge", "poll", 5]);
    assert.deepEqual(outcome(...steps(20)), ["stuck", "poll", 5]);
  });
  test("from the second time on", () => {
    const steps = [...read("a"), ...read("b"), ...times(8, () => [...ask, wait]), ...ask];
    assert.equal(outcome(...steps), "none");
  });
  test("a loop that was there before goes on", () => {
    const steps = [...ask, ...ask, ...times(2, () => [wait, ...ask])];
    assert.deepEqual(outcome(...steps), ["stuck", "same_call", 0]);
  });
});

test("the verdict before a step and after it, as a detector gives them that sees all", () => {
  const pasts: readonly (readonly Step[])[] = [
    [],
    [callLs()],
    ls(3),
    ls(4),
    [...ls(4), callLs()],
    [...ls(3), callLs(), call("Read", { path: "new" })],
    [said("I wait."), said("I wait.")],
  ];
  for (const past of pasts)
    for (const step of [callLs(), result("Bash", "a"), said("I wait.")]) {
      const all = verdictsOf([...past, step]);
      const last = past.findLastIndex(({ kind }) => kind !== "tool_call");
      assert.deepEqual(verdictsAround(past, step), {
        before: last === -1 ? { level: "none" } : all[last],
        now: all.at(-1),
      });
    }
});
