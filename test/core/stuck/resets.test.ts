// What starts a count anew, what is counted once, and when nothing is said at all.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stuckConfigOf } from "../../../src/core/stuck/read-config.ts";
import type { Step } from "../../../src/core/stuck/step.ts";
import { call, failed, lastVerdict, ran, result, said, times, verdictsOf, worst } from "./steps.ts";

const ls = (count: number): Step[] => times(count, () => ran("Bash", { command: "ls" }, "a"));
const bare = (count: number): Step[] => times(count, () => [call("Read", { path: "a" })]);
const person: Step = { kind: "user_message" };

test("a person's message and a new task start anew", () => {
  assert.equal(worst([...ls(3), person, ...ls(3)]), "nudge");
  assert.equal(worst([...ls(3), { kind: "new_task" }, ...ls(3)]), "nudge");
  assert.equal(lastVerdict([...ls(6), person]).level, "none");
  assert.equal(
    lastVerdict([...times(9, () => [{ kind: "compaction" } as const]), person]).level,
    "none",
  );
});

test("without a person at the other end messages do not", () => {
  const headless = stuckConfigOf({ headless: true });
  assert.equal(lastVerdict([...ls(2), person, ...ls(2)], headless).level, "stuck");
});

test("a stream that is asked again takes back only what never ran", () => {
  const retry: Step = { kind: "stream_retry" };
  assert.equal(worst([...bare(4), retry, ...bare(4)]), "nudge");
  const kept = [...bare(4), { kind: "turn_end" } as const, retry, ...bare(1)];
  assert.equal(lastVerdict(kept).level, "stuck");
  assert.equal(lastVerdict([...ls(3), retry, ...ls(1)]).level, "stuck");
  assert.equal(worst([said("Part"), retry, said("Part"), retry, said("Part")]), "none");
});

test("equal calls of one answer count once", () => {
  const fanOut = (round: number): Step[] =>
    times(5, () => [call("read", { path: "a" }, { round, id: `${round}` })]);
  assert.equal(worst(fanOut(1)), "none");
  assert.equal(worst([...fanOut(1), ...fanOut(2)]), "none");
  assert.equal(lastVerdict(times(5, (n) => fanOut(n))).level, "stuck");
});

test("runs do not count together", () => {
  const inRun = (runId: string): Step[] => ls(3).map((step) => ({ ...step, runId }));
  assert.equal(worst([...inRun("a"), ...inRun("b"), ...inRun("c")]), "nudge");
  assert.equal(worst([...inRun("a"), ...inRun("b"), ...inRun("a")]), "stuck");
});

test("a run that goes on is not forgotten for others that come and go", () => {
  const helper = (n: number): Step => ({ ...said(`hello ${n}`), runId: `helper ${n}` });
  const steps = times(4, (n) => [...ls(1), ...times(10, (k) => [helper(10 * n + k)])]);
  assert.equal(worst(steps), "stuck");
});

test("nothing is said while a wait is scheduled", () => {
  const verdicts = verdictsOf([...ls(5), { kind: "wait" }, { kind: "world", tree: "t" }, ...ls(1)]);
  assert.deepEqual(
    verdicts.slice(-4).map(({ level }) => level),
    ["none", "none", "stuck", "stuck"],
  );
});

test("our own veto neither resets the count nor is a new result", () => {
  const veto: Step = {
    kind: "tool_result",
    tool: "Bash",
    output: "blocked",
    isError: true,
    veto: true,
  };
  assert.equal(lastVerdict([...ls(3), call("Bash", { command: "ls" }), veto]).level, "stuck");
});

test("a repeat after the tree changed is a check, on the same tree a loop", () => {
  const onTrees = (trees: readonly string[]): Step[] =>
    trees.flatMap((tree) => [
      { kind: "world", tree } as const,
      ...ran("Bash", { command: "npm t" }, "ok"),
    ]);
  assert.equal(worst(onTrees(["a", "b", "c", "d", "e", "f"])), "none");
  assert.equal(worst(onTrees(["a", "a", "a", "a"])), "stuck");
});

test("trees that were there before are edits undone", () => {
  const trees = (names: string): Step[] => [...names].map((tree) => ({ kind: "world", tree }));
  assert.equal(worst(trees("abcdefgh")), "none");
  assert.equal(worst(trees("aba")), "none");
  const { level, pattern } = lastVerdict(trees("ababa"));
  assert.deepEqual([level, pattern], ["stuck", "edit_revert"]);
  assert.equal(lastVerdict(trees("ababac")).level, "none");
});

test("the same failing checks on tree after tree", () => {
  const seen = (tree: string, failing: readonly string[]): Step => ({
    kind: "world",
    tree,
    failing,
  });
  const same = [..."abcd"].map((tree) => seen(tree, ["one", "two"]));
  assert.equal(lastVerdict(same).pattern, "same_failing_tests");
  assert.equal(lastVerdict(same).level, "stuck");
  const fewer = [..."abcdef"].map((tree, n) => seen(tree, ["1", "2", "3", "4", "5", "6"].slice(n)));
  assert.equal(worst(fewer), "none");
  assert.equal(lastVerdict([...same, seen("x", [])]).level, "none");
});

test("results find their calls by id, by tool, or not at all", () => {
  const parallel = times(3, (n) => [
    call("read", { path: "a" }, { id: `${n}a`, round: n }),
    call("read", { path: `b${n}` }, { id: `${n}b`, round: n }),
    { kind: "tool_result", id: `${n}b`, output: `text ${n}` } as const,
    { kind: "tool_result", id: `${n}a`, output: "same" } as const,
  ]);
  assert.equal(worst(parallel), "nudge");
  const lost = [
    call("read", { path: "lost" }, { id: "x" }),
    ...ls(4).map((step, n) => ({ ...step, id: `${n >> 1}` })),
  ];
  assert.equal(lastVerdict(lost).level, "stuck");
});

test("an error may stand for the result of a call without id", () => {
  const once: Step[] = [
    call("Bash", { command: "frob" }),
    { kind: "error", text: "frob: not found" },
  ];
  assert.equal(lastVerdict(times(4, () => once)).level, "stuck");
});

test("what the agent's own guard reports is believed until it moves on", () => {
  const steps: Step[] = [...ls(2), { kind: "loop_report", text: "Loop detected" }];
  assert.deepEqual(lastVerdict(steps), {
    ...lastVerdict(steps),
    level: "stuck",
    pattern: "agent_reported",
  });
  assert.equal(lastVerdict([...steps, ...ran("read", { path: "x" }, "y")]).level, "none");
});

test("a limit on calls is a limit", () => {
  const capped = stuckConfigOf({ maxToolCallsPerTurn: 3, explicit: true });
  const calls = (count: number): Step[] => times(count, (n) => ran("t", { n }, `r${n}`));
  assert.equal(worst(calls(3), capped), "none");
  assert.equal(lastVerdict(calls(4), capped).pattern, "call_cap");
  const down = failed("t", { x: 1 }, "503 Service Unavailable");
  assert.equal(lastVerdict([...calls(3), ...down], capped).level, "none");
});

test("switched off it says nothing", () => {
  assert.equal(worst(ls(50), stuckConfigOf({ disabled: true })), "none");
});

test("the call that is under way decides whether the loop goes on", () => {
  const loop = times(9, () => [
    ...ran("read", { path: "a" }, "A"),
    ...ran("list", { dir: "b" }, "B"),
  ]);
  assert.equal(lastVerdict([...loop, call("read", { path: "a" })]).level, "stuck");
  assert.equal(lastVerdict([...loop, call("write", { path: "c" })]).level, "none");
  assert.equal(
    lastVerdict([...loop, call("write", { path: "c" }), result("write", "ok")]).level,
    "none",
  );
});
