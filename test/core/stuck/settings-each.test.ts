// Every setting of the detector: what may be written for it, what comes of it, what is refused and
// in which words.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parse } from "yaml";
import { readStuckConfig } from "../../../src/core/stuck/read-config.ts";
import { DEFAULT_STUCK_CONFIG, DEFAULT_THRESHOLDS } from "../../../src/core/stuck/config.ts";
import type { RuleName, StuckConfig } from "../../../src/core/stuck/config.ts";

const reading = (yaml: string): unknown => readStuckConfig(parse(yaml));
const problemsOf = (yaml: string): unknown => {
  const read = readStuckConfig(parse(yaml));
  return read.ok ? "none" : read.problems.map(({ path, problem }) => `${path}: ${problem}`);
};
const withSettings = (more: Partial<StuckConfig>): unknown => ({
  ok: true,
  config: { ...DEFAULT_STUCK_CONFIG, ...more },
});
const withRule = (rule: RuleName, nudge: number, stuck: number): unknown =>
  withSettings({ thresholds: { ...DEFAULT_THRESHOLDS, [rule]: { nudge, stuck } } });
const withTool = (tool: object): unknown => withSettings({ tools: { Bash: tool } });

describe("nothing written changes nothing", () => {
  for (const yaml of ["", "null", "{}", "thresholds:", "tools:", "thresholds: {}", "tools: {}"])
    test(JSON.stringify(yaml), () => assert.deepEqual(reading(yaml), withSettings({})));
  test("a rule without a value keeps its counts", () => {
    assert.deepEqual(reading("thresholds: {cycle: null, poll: {}}"), withSettings({}));
  });
});

describe("what may be written", () => {
  const SETTINGS: readonly (readonly [string, unknown])[] = [
    ["enabled: false", withSettings({ enabled: false })],
    ["enabled: true", withSettings({})],
    ["person_resets: false", withSettings({ person_resets: false })],
    ["call_cap: 1", withSettings({ call_cap: 1 })],
    ["call_cap: 250", withSettings({ call_cap: 250 })],
    ["thresholds: {same_call: 9}", withRule("same_call", 3, 9)],
    ["thresholds: {same_call: 3}", withRule("same_call", 3, 3)],
    ["thresholds: {same_call: 2}", withRule("same_call", 2, 2)],
    ["thresholds: {same_call: 1}", withRule("same_call", 1, 1)],
    ["thresholds: {poll: {nudge: 4}}", withRule("poll", 4, 20)],
    ["thresholds: {poll: {nudge: 20}}", withRule("poll", 20, 20)],
    ["thresholds: {poll: {stuck: 5}}", withRule("poll", 5, 5)],
    ["thresholds: {poll: {stuck: 12}}", withRule("poll", 10, 12)],
    ["thresholds: {poll: {nudge: 2, stuck: 3}}", withRule("poll", 2, 3)],
    ["thresholds: {poll: {nudge: 3, stuck: 3}}", withRule("poll", 3, 3)],
    ["thresholds: {poll: false}", withRule("poll", Infinity, Infinity)],
    ["tools: {Bash: {}}", withTool({})],
    ["tools: {Bash: {kind: delegate}}", withTool({ kind: "delegate" })],
    ["tools: {Bash: {poll: true}}", withTool({ poll: true })],
    ["tools: {Bash: {poll: false}}", withTool({ poll: false })],
    ["tools: {Bash: {exempt: false}}", withTool({ exempt: false })],
    ["tools: {Bash: {identity: [a, b]}}", withTool({ identity: ["a", "b"] })],
    ["tools: {Bash: {identity: []}}", withTool({ identity: [] })],
    ["tools: {Bash: {ignore: [a]}}", withTool({ ignore: ["a"] })],
    ["tools: {Bash: {same_call: 7}}", withTool({ same_call: { nudge: 3, stuck: 7 } })],
    [
      "tools: {Bash: {same_call: {nudge: 5, stuck: 7}}}",
      withTool({ same_call: { nudge: 5, stuck: 7 } }),
    ],
    [
      "tools: {Bash: {same_call: false}}",
      withTool({ same_call: { nudge: Infinity, stuck: Infinity } }),
    ],
    ["tools: {Bash: {same_call: null}}", withTool({ same_call: { nudge: 3, stuck: 4 } })],
  ];
  for (const [yaml, expected] of SETTINGS)
    test(yaml, () => assert.deepEqual(reading(yaml), expected));
  for (const kind of ["read", "search", "write", "shell", "poll", "plan", "delegate", "other"])
    test(`a tool that is ${kind}`, () =>
      assert.deepEqual(reading(`tools: {Bash: {kind: ${kind}}}`), withTool({ kind })));
  for (const rule of Object.keys(DEFAULT_THRESHOLDS) as RuleName[])
    test(`the rule ${rule}`, () =>
      assert.deepEqual(
        reading(`thresholds: {${rule}: {nudge: 21, stuck: 22}}`),
        withRule(rule, 21, 22),
      ));
});

const COUNT = "expected a whole number of at least 1";
const FLAG = "expected true or false";
const NAMES = "expected a list of argument names";
const KINDS = "one of read, search, write, shell, poll, plan, delegate, other";

describe("what is refused, in these words", () => {
  const WRONG: readonly (readonly [string, readonly string[]])[] = [
    ["[]", [": expected a map"]],
    ["words", [": expected a map"]],
    ["7", [": expected a map"]],
    ["enabled: 1", [`enabled: ${FLAG}`]],
    ["enabled: null", [`enabled: ${FLAG}`]],
    ["person_resets: 'no'", [`person_resets: ${FLAG}`]],
    ["call_cap: 0", [`call_cap: ${COUNT}`]],
    ["call_cap: 2.5", [`call_cap: ${COUNT}`]],
    ["call_cap: '9'", [`call_cap: ${COUNT}`]],
    ["call_cap: .inf", [`call_cap: ${COUNT}`]],
    ["colour: red", ["colour: no such setting"]],
    ["thresholds: []", ["thresholds: expected a map of rule names"]],
    ["thresholds: 3", ["thresholds: expected a map of rule names"]],
    ["thresholds: {loop: 3}", ["thresholds.loop: no such rule"]],
    ["thresholds: {toString: 3}", ["thresholds.toString: no such rule"]],
    ["thresholds: {cycle: true}", [`thresholds.cycle: ${COUNT}`]],
    ["thresholds: {cycle: 0}", [`thresholds.cycle: ${COUNT}`]],
    ["thresholds: {cycle: []}", [`thresholds.cycle: ${COUNT}`]],
    ["thresholds: {cycle: {nudge: 0}}", [`thresholds.cycle.nudge: ${COUNT}`]],
    ["thresholds: {cycle: {stuck: x}}", [`thresholds.cycle.stuck: ${COUNT}`]],
    ["thresholds: {cycle: {warn: 3}}", ["thresholds.cycle.warn: no such setting"]],
    [
      "thresholds: {cycle: {nudge: 5}}",
      ["thresholds.cycle.nudge: expected at most the count of stuck"],
    ],
    ["tools: []", ["tools: expected a map of tool names"]],
    ["tools: Bash", ["tools: expected a map of tool names"]],
    ["tools: {Bash: true}", ["tools.Bash: expected a map"]],
    ["tools: {Bash: []}", ["tools.Bash: expected a map"]],
    ["tools: {Bash: {kind: saw}}", [`tools.Bash.kind: ${KINDS}`]],
    ["tools: {Bash: {kind: null}}", [`tools.Bash.kind: ${KINDS}`]],
    ["tools: {Bash: {poll: 1}}", [`tools.Bash.poll: ${FLAG}`]],
    ["tools: {Bash: {exempt: 'yes'}}", [`tools.Bash.exempt: ${FLAG}`]],
    ["tools: {Bash: {identity: a}}", [`tools.Bash.identity: ${NAMES}`]],
    ["tools: {Bash: {ignore: [1]}}", [`tools.Bash.ignore: ${NAMES}`]],
    ["tools: {Bash: {same_call: x}}", [`tools.Bash.same_call: ${COUNT}`]],
    ["tools: {Bash: {speed: 1}}", ["tools.Bash.speed: no such setting"]],
    [
      "{enabled: 1, call_cap: 0, thresholds: {x: 1}, tools: {a: 1, b: {kind: saw}}}",
      [
        `enabled: ${FLAG}`,
        `call_cap: ${COUNT}`,
        "thresholds.x: no such rule",
        "tools.a: expected a map",
        `tools.b.kind: ${KINDS}`,
      ],
    ],
  ];
  for (const [yaml, expected] of WRONG)
    test(yaml, () => assert.deepEqual(problemsOf(yaml), expected));
});
