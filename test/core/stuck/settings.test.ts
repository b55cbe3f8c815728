// Thresholds are data: read from YAML with the place of what is wrong, or from other detectors'
// names.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parse } from "yaml";
import { readStuckConfig, stuckConfigOf } from "../../../src/core/stuck/read-config.ts";
import { DEFAULT_STUCK_CONFIG, DEFAULT_THRESHOLDS } from "../../../src/core/stuck/config.ts";
import type { RuleName, StuckConfig } from "../../../src/core/stuck/config.ts";
import type { Step } from "../../../src/core/stuck/step.ts";
import { call, failed, lastVerdict, ran, times, worst } from "./steps.ts";

function read(yaml: string): StuckConfig {
  const reading = readStuckConfig(parse(yaml));
  assert.ok(reading.ok, JSON.stringify(reading));
  return reading.config;
}

const ls = (count: number): Step[] => times(count, () => ran("Bash", { command: "ls" }, "a"));

test("nothing given means the defaults", () => {
  assert.deepEqual(readStuckConfig(undefined), { ok: true, config: DEFAULT_STUCK_CONFIG });
  assert.deepEqual(read("{}"), DEFAULT_STUCK_CONFIG);
});

test("every default nudges no later than it says stuck", () => {
  for (const [name, { nudge, stuck }] of Object.entries(DEFAULT_THRESHOLDS))
    assert.ok(nudge >= 2 && nudge <= stuck, name);
});

test("the page about it names every threshold as it is", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/stuck.md"), "utf8");
  for (const [name, { nudge, stuck }] of Object.entries(DEFAULT_THRESHOLDS)) {
    const last = stuck === Infinity ? "never" : stuck;
    assert.match(page, new RegExp(`\\| \`${name}\` +\\| ${nudge} / ${last} `), name);
  }
  const example = /```yaml\n([^`]+)```/.exec(page)?.[1] ?? "";
  assert.ok(readStuckConfig((parse(example) as { stuck: unknown }).stuck).ok);
});

test("thresholds as a number, as two, or never", () => {
  const config = read("thresholds: {same_call: 6, poll: {nudge: 2, stuck: 3}, cycle: false}");
  assert.deepEqual(config.thresholds.same_call, { nudge: 3, stuck: 6 });
  assert.deepEqual(config.thresholds.poll, { nudge: 2, stuck: 3 });
  assert.deepEqual(config.thresholds.cycle, { nudge: Infinity, stuck: Infinity });
  assert.equal(worst(ls(5), config), "nudge");
  assert.equal(worst(ls(6), config), "stuck");
});

test("thresholds and facts for one tool", () => {
  const config = read(`
tools:
  Bash: {same_call: {nudge: 9, stuck: 10}}
  watcher: {poll: true}
  heartbeat: {exempt: true}
  ask: {kind: search}
`);
  assert.equal(worst(ls(9).slice(0, 16), config), "none");
  assert.equal(
    worst(
      times(9, () => ran("watcher", {}, "same")),
      config,
    ),
    "none",
  );
  assert.equal(
    worst(
      times(90, () => ran("heartbeat", {}, "same")),
      config,
    ),
    "none",
  );
});

test("a person's message can be told not to count", () => {
  const steps: Step[] = [...ls(2), { kind: "user_message" }, ...ls(2)];
  assert.equal(worst(steps), "none");
  assert.equal(worst(steps, read("person_resets: false")), "stuck");
});

test("any value is read or refused, never thrown at", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const reading = readStuckConfig(value);
      assert.ok(reading.ok || reading.problems.length > 0);
      assert.ok(stuckConfigOf(value).thresholds.same_call.stuck >= 1);
    }),
  );
});

/** The rules that a config changes, with their new counts. */
function changed(config: unknown): Record<string, readonly number[]> {
  const { thresholds } = stuckConfigOf(config);
  const names = Object.keys(thresholds) as RuleName[];
  const others = names.filter((name) => thresholds[name] !== DEFAULT_STUCK_CONFIG.thresholds[name]);
  return Object.fromEntries(
    others.map((name) => [name, [thresholds[name].nudge, thresholds[name].stuck]]),
  );
}

const row = (nudge: number, stuck: number, ...more: string[]): Record<string, readonly number[]> =>
  Object.fromEntries(
    ["same_call", "same_call_unseen", "same_call_failing", "same_output", ...more].map((name) => [
      name,
      [nudge, stuck],
    ]),
  );

const NUMBERS: readonly (readonly [object, Record<string, readonly number[]>])[] = [
  [{ limit: 5 }, row(3, 6)],
  [{ limit: 1 }, row(2, 2)],
  [{ limit: 0 }, row(Infinity, Infinity)],
  [{ limit: -1 }, row(Infinity, Infinity)],
  [{ max_repetitions: 2 }, row(3, 3)],
  [{ threshold: 5.9 }, row(3, 5, "cycle")],
  [{ hard: 2 }, row(2, 2)],
  [{ block: 4 }, row(3, 4)],
  [{ action_observation: 9 }, { same_call: [3, 9] }],
  [{ action_error: 3 }, { same_call_failing: [3, 4], same_failure: [3, 4] }],
  [{ monologue: 4 }, { repeated_message: [3, 4] }],
  [{ alternating_pattern: 7 }, { cycle: [3, 4] }],
  [{ maxConsecutiveMistakes: 3 }, { failures_in_a_row: [3, 3] }],
  [{ criticalThreshold: 20 }, row(3, 20, "poll")],
  [{ unknownToolThreshold: 10 }, { unknown_tool: [3, 10] }],
  [{ limit: "5", hard: Infinity, other: 3 }, {}],
];

describe("numbers of other detectors", () => {
  for (const [config, expected] of NUMBERS)
    test(JSON.stringify(config), () => assert.deepEqual(changed(config), expected));
  test("nothing, or nonsense, is the default", () => {
    for (const config of [undefined, null, 7, "x"])
      assert.equal(stuckConfigOf(config), DEFAULT_STUCK_CONFIG);
    assert.deepEqual(stuckConfigOf({}), DEFAULT_STUCK_CONFIG);
  });
  test("switches", () => {
    assert.equal(stuckConfigOf({ disabled: true }).enabled, false);
    assert.equal(stuckConfigOf({ enabled: false }).enabled, false);
    assert.equal(stuckConfigOf({ enabled: true }).enabled, true);
    assert.equal(stuckConfigOf({ headless: true }).person_resets, false);
    assert.equal(stuckConfigOf({ userMessageResets: false }).person_resets, false);
    assert.equal(stuckConfigOf({ headless: false, userMessageResets: true }).person_resets, true);
  });
  test("a cap is hard where it was asked for, else tenfold", () => {
    const cap = (config: object): number => stuckConfigOf(config).call_cap;
    assert.equal(cap({ maxToolCallsPerTurn: 9, explicit: true }), 9);
    assert.equal(cap({ maxToolCallsPerTurn: 9 }), 90);
    assert.equal(cap({ maxToolCallsPerTurn: 1 }), 10);
    assert.equal(cap({ maxToolCallsPerTurn: 0 }), Infinity);
    assert.equal(cap({ maxToolCallsPerTurn: "9" }), Infinity);
  });
  test("the arguments that count", () => {
    const loopKey = { search: ["query", 7], wait: false, odd: true };
    assert.deepEqual(stuckConfigOf({ loopKey }).tools, {
      search: { identity: ["query"] },
      wait: { exempt: true },
    });
    assert.deepEqual(stuckConfigOf({ loopKey: "x" }).tools, {});
  });
});

test("the names other detectors use", () => {
  const level = (steps: readonly Step[], config: unknown) =>
    lastVerdict(steps, stuckConfigOf(config)).level;
  const bare = (count: number): Step[] => times(count, () => [call("t", { a: 1 })]);
  assert.equal(level(bare(3), { limit: 2 }), "stuck");
  assert.equal(level(bare(2), { limit: 2 }), "none");
  assert.equal(level(bare(50), { limit: -1 }), "none");
  assert.equal(level(bare(3), { threshold: 3 }), "stuck");
  assert.equal(level(bare(3), { soft: 2, hard: 3 }), "stuck");
  assert.equal(level(ls(4), { action_observation: 6 }), "nudge");
  assert.equal(level(ls(6), { action_observation: 6 }), "stuck");
  assert.equal(
    level(
      times(2, (n) => failed("t", { n }, `e${n}`)),
      { maxConsecutiveMistakes: 2 },
    ),
    "stuck",
  );
  assert.equal(level(bare(9), { disabled: true }), "none");
  const traced = times(5, (n) => [call("find", { q: "a", trace: n })]);
  assert.equal(level(traced, { loopKey: { find: ["q"] } }), "stuck");
  assert.equal(level(traced, { loopKey: { find: false } }), "none");
});

test("words of a program do not start anew: the next event shows whether they helped", () => {
  const nudged: Step[] = [...ls(4), { kind: "user_message", automated: true }];
  assert.equal(lastVerdict(nudged).level, "none");
  assert.equal(lastVerdict([...nudged, ...ls(1)]).level, "stuck");
  assert.equal(lastVerdict([...nudged, ...ran("Read", { path: "new" }, "text")]).level, "none");
});
