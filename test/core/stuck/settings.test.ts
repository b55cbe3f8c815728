// Thresholds are data: read from YAML with the place of what is wrong, or from other detectors'
// names.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parse } from "yaml";
import {
  DEFAULT_STUCK_CONFIG,
  DEFAULT_THRESHOLDS,
  readStuckConfig,
  stuckConfigOf,
} from "../../../src/core/stuck/config.ts";
import type { StuckConfig } from "../../../src/core/stuck/config.ts";
import type { Step } from "../../../src/core/stuck/step.ts";
import { readStep } from "../../../src/core/stuck/step.ts";
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
  for (const [name, { nudge, stuck }] of Object.entries(DEFAULT_THRESHOLDS))
    assert.match(page, new RegExp(`\\| \`${name}\` +\\| ${nudge} / ${stuck} `), name);
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

const WRONG: readonly (readonly [string, string])[] = [
  ["[]", ""],
  ["nonsense: 1", "nonsense"],
  ["enabled: yes please", "enabled"],
  ["call_cap: 0", "call_cap"],
  ["thresholds: 3", "thresholds"],
  ["thresholds: {no_such_rule: 3}", "thresholds.no_such_rule"],
  ["thresholds: {cycle: 1.5}", "thresholds.cycle"],
  ["thresholds: {cycle: {stuck: -1}}", "thresholds.cycle.stuck"],
  ["thresholds: {cycle: {nudge: 9, stuck: 3}}", "thresholds.cycle.nudge"],
  ["thresholds: {cycle: {often: 3}}", "thresholds.cycle.often"],
  ["tools: {Bash: 1}", "tools.Bash"],
  ["tools: {Bash: {kind: hammer}}", "tools.Bash.kind"],
  ["tools: {Bash: {identity: command}}", "tools.Bash.identity"],
  ["tools: {Bash: {poll: 1}}", "tools.Bash.poll"],
];

describe("what is wrong is named with its path", () => {
  for (const [yaml, path] of WRONG)
    test(yaml, () => {
      const reading = readStuckConfig(parse(yaml));
      assert.ok(!reading.ok);
      assert.deepEqual(
        reading.problems.map((problem) => problem.path),
        [path],
      );
    });
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

test("steps are read from JSON with the field that is wrong", () => {
  const field = (value: unknown): string => {
    const reading = readStep(value);
    return reading.ok ? "ok" : reading.field;
  };
  assert.equal(field(3), "");
  assert.equal(field({ kind: "dance" }), "kind");
  assert.equal(field({ kind: "tool_call" }), "tool");
  assert.equal(field({ kind: "message", text: 3 }), "text");
  assert.equal(field({ kind: "tool_result", output: { a: 1 } }), "ok");
  fc.assert(fc.property(fc.jsonValue(), (value) => assert.equal(typeof field(value), "string")));
});

test("codes and details of other detectors become signals", () => {
  const kind = (value: unknown): unknown => {
    const reading = readStep(value);
    return reading.ok ? reading.step : reading;
  };
  assert.deepEqual(kind({ kind: "error", code: "context_condensation" }), { kind: "compaction" });
  assert.deepEqual(kind({ kind: "error", code: "stream_retry", text: "x" }), {
    kind: "stream_retry",
  });
  assert.deepEqual(kind({ kind: "error", code: "finished" }), { kind: "turn_end" });
  assert.deepEqual(
    kind({ kind: "tool_result", output: "b", details: { deniedReason: "tool-loop" } }),
    {
      kind: "tool_result",
      output: "b",
      veto: true,
    },
  );
  assert.deepEqual(kind({ kind: "user_message", text: "System: change course" }), {
    kind: "user_message",
    automated: true,
  });
  assert.deepEqual(kind({ kind: "user_message", text: "System tests fail" }), {
    kind: "user_message",
  });
});

test("words of a program do not start anew: the next event shows whether they helped", () => {
  const nudged: Step[] = [...ls(4), { kind: "user_message", automated: true }];
  assert.equal(lastVerdict(nudged).level, "none");
  assert.equal(lastVerdict([...nudged, ...ls(1)]).level, "stuck");
  assert.equal(lastVerdict([...nudged, ...ran("Read", { path: "new" }, "text")]).level, "none");
});
