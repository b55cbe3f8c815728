// What must hold for every sequence: silence on healthy work, bounded memory, infrastructure that
// never counts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { createStuckDetector } from "../../../src/core/stuck/detector.ts";
import type { Step } from "../../../src/core/stuck/step.ts";
import { FULL } from "../../large-form.ts";
import { call, failed, rank, ran, said, times, verdictsOf } from "./steps.ts";

/** Pieces of work that a healthy agent does; `n` is another number each time. */
const WORK: readonly ((n: number, size: number) => Step[])[] = [
  (n, size) =>
    times(size, (k) => ran("Read", { file_path: `src/${n}/${k}.ts` }, `content of ${n} ${k}`)),
  (n, size) =>
    times(size, (k) =>
      ran("read_file", { path: `log${n}`, offset: k * 200, limit: 200 }, `page ${n} ${k}`),
    ),
  (n, size) =>
    times(size, (k) =>
      ran("Edit", { file_path: `f${n}_${k}`, old_string: "", new_string: "// x" }, "ok"),
    ),
  (n, size) =>
    times(size, (k) => [
      ...ran("Edit", { file_path: `g${n}`, old_string: `a${k}`, new_string: `b${k}` }, "ok"),
      ...failed("Bash", { command: "npm test" }, `run ${n}: ${size - k} failed`),
    ]),
  (n) => [
    ...ran("Edit", { file_path: `h${n}`, old_string: "a", new_string: "b" }, "ok"),
    ...ran("Bash", { command: "npm test" }, "all passed"),
    ...ran("Bash", { command: "git status --short" }, " M h"),
    ...ran("Read", { file_path: `h${n}` }, "b"),
  ],
  (n, size) =>
    times(size, (k) => ran("Bash", { command: "sleep 30; tail -1 out.log" }, `part ${n}.${k}`)),
  (n, size) => times(size, (k) => ran("Grep", { pattern: `name_${n}_${k}` }, "no matches")),
  (n) => [
    said(`Now part ${n}, which is about ${"abcdefgh"[n % 8]}.`),
    ...ran("Glob", { pattern: `**/${n}.ts` }, `${n}.ts`),
  ],
  (n, size) => [
    ...times(size, (k) => [
      call("Read", { file_path: `p${n}_${k}` }, { round: n, id: `${n}.${k}` }),
    ]),
    ...times(size, (k) => [
      { kind: "tool_result", id: `${n}.${k}`, output: `p ${n} ${k}` } as const,
    ]),
  ],
  (n) => [{ kind: "compaction" }, ...ran("Write", { file_path: `w${n}`, content: `${n}` }, "ok")],
];

const healthyRun = fc
  .array(fc.tuple(fc.nat(WORK.length - 1), fc.integer({ min: 1, max: 8 })), { maxLength: 25 })
  .map((parts) => parts.flatMap(([kind, size], n) => WORK[kind]!(n, size)));

test("healthy work is met with silence, at its end and at every step before", () => {
  fc.assert(
    fc.property(healthyRun, (steps) => {
      const loud = verdictsOf(steps).find(({ level }) => level !== "none");
      assert.equal(loud, undefined, JSON.stringify(loud));
    }),
    { numRuns: 200 },
  );
});

/** Any behaviour, stuck or not, from few calls and results so that much of it repeats. */
const anyPair = fc.oneof(
  fc
    .tuple(fc.constantFrom("Bash", "Read", "Edit", "probe"), fc.nat(2), fc.nat(2), fc.boolean())
    .map(([tool, args, output, bad]) =>
      (bad ? failed : ran)(tool, { path: `f${args}`, command: `c${args}` }, `result ${output}`),
    ),
  fc.constantFrom<Step[]>(
    [said("Trying again.")],
    [{ kind: "compaction" }],
    [said("x", { channel: "thought" })],
  ),
);
const anyRun = fc.array(anyPair, { maxLength: 40 });

const OUTAGES = [
  failed("Bash", { command: "c0" }, "HTTP 503 Service Unavailable"),
  ran("Bash", { command: "c1" }, "Error: 429 Too Many Requests"),
  failed("Read", { path: "f0" }, "connect ETIMEDOUT 203.0.113.7:443"),
  failed("probe", { path: "f1" }, '{"error":{"type":"overloaded_error"}}'),
  failed("Bash", { command: "c2" }, "401 Unauthorized: invalid api key"),
  [{ kind: "error", text: "stream disconnected: 502 Bad Gateway" } as const],
];

test("an infrastructure failure never makes a verdict worse", () => {
  fc.assert(
    fc.property(
      anyRun,
      fc.array(fc.tuple(fc.nat(40), fc.nat(OUTAGES.length - 1))),
      (pairs, added) => {
        const plain: Step[] = [];
        const disturbed: Step[] = [];
        const places: number[] = [];
        pairs.forEach((pair, at) => {
          for (const [place, which] of added) if (place === at) disturbed.push(...OUTAGES[which]!);
          plain.push(...pair);
          disturbed.push(...pair);
          places.push(disturbed.length - 1);
        });
        const before = verdictsOf(plain);
        const after = verdictsOf(disturbed);
        let end = -1;
        pairs.forEach((pair, at) => {
          end += pair.length;
          assert.ok(
            rank(after[places[at]!]!) <= rank(before[end]!),
            JSON.stringify(after[places[at]!]),
          );
        });
      },
    ),
    { numRuns: 300 },
  );
});

test("outages alone are never a verdict", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(OUTAGES.length - 1), { maxLength: 60 }), (which) => {
      const verdicts = verdictsOf(which.flatMap((one) => OUTAGES[one]!));
      assert.ok(verdicts.every(({ level }) => level === "none"));
    }),
  );
});

test("a step never throws and always gives a verdict, whatever it holds", () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  const text = fc.string({ unit: "binary", maxLength: 200 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ kind: fc.constant("tool_call" as const), tool: text, args: value }),
    fc.record({
      kind: fc.constant("tool_result" as const),
      tool: text,
      output: text,
      isError: fc.boolean(),
    }),
    fc.record({ kind: fc.constant("message" as const), text, partial: fc.boolean() }),
    fc.record({ kind: fc.constant("error" as const), text }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      for (const { level } of verdictsOf(steps)) assert.match(level, /^(?:none|nudge|stuck)$/);
    }),
  );
});

/** A few bytes kept of each step would show: in the small form from 20 on. */
const STEPS = FULL ? 1_000_000 : 300_000;

test("memory stays bounded over hundreds of thousands of steps", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const detector = createStuckDetector();
  const run = (from: number, to: number): void => {
    for (let n = from; n < to; n += 5) {
      const runId = n % 500 === 0 ? `helper ${n}` : `run ${n % 10}`;
      detector.step({
        kind: "tool_call",
        tool: `tool ${n % 3000}`,
        args: { path: `f${n}`, query: `q ${n}` },
        runId,
      });
      detector.step({ kind: "tool_result", output: `result ${n}`, isError: n % 4 === 0, runId });
      detector.step({ kind: "tool_call", tool: "never answered", args: { n }, runId });
      detector.step({ kind: "message", text: `said ${n}`, partial: n % 2 === 0, runId });
      detector.step({ kind: "world", tree: `tree ${n}`, failing: [`test ${n}`], runId });
    }
  };
  run(0, STEPS / 5);
  collect();
  const before = process.memoryUsage().heapUsed;
  run(STEPS / 5, STEPS);
  collect();
  const grown = process.memoryUsage().heapUsed - before;
  assert.ok(grown < 4_000_000, `grew by ${grown} bytes`);
});
