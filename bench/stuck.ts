/**
 * How fast the stuck detector processes steps with 2 KB results on one core, compared with the least any detector could
 * do: hash the bytes of the results once. `node bench/stuck.ts [steps]`; the row that counts is the mix of all contents
 * in turn, like a real session: exits 1 below 100,000 steps a second or above 6 times that cost. The other rows are one
 * content alone, the two slowest last: a log in which every second word is a number, and test output in which every
 * third result is a failure that has to be parsed.
 */
import { hashText } from "../src/core/hash.ts";
import { createStuckDetector } from "../src/core/stuck/detector.ts";
import type { Step } from "../src/core/stuck/step.ts";

const TARGET_STEPS = 100_000;
const TARGET_RATIO = 6;
const RESULT_BYTES = 2048;
const DIFFERENT = 1000;
const ROUNDS = 5;

const total = Number(process.argv[2] ?? 200_000);

/** Memory of its own for each text, as from a parser: no slices or joins that hashing would have to flatten. */
const flat = (text: string): string => Buffer.from(text).toString("utf8");

const fill = (line: (index: number) => string, seed: number): string => {
  let text = "";
  for (let index = seed; text.length < RESULT_BYTES; index += 1) text += line(index);
  return flat(text.slice(0, RESULT_BYTES));
};

type Content = (index: number) => string;

const KINDS: Readonly<Record<string, Content>> = {
  "source code": (index) =>
    `export function handler${index}(request: Request): Response {\n` +
    "  const found = registry.get(request.name);\n  return found ?? notFound(request);\n}\n",
  "test output": (index) =>
    `ok ${index} - keeps the order of entries that arrive together\n  ---\n` +
    `  duration_ms: ${index % 40}.${index % 7}\n  location: 'test/a.test.ts:${index % 300}:1'\n`,
  "build log": (index) =>
    `[build] compiled module number ${index} of the application in ${index % 900}ms\n` +
    "  warning: unused import in the generated bindings, ignored by configuration\n",
  "dense log": (index) =>
    `2026-11-15T02:37:${10 + (index % 50)}.606Z [worker-${index % 7}] src/f${index % 13}.ts:` +
    `${index % 300}:12 batch ${index} done in ${(index % 97) / 10}s (pid ${4000 + index})\n`,
  "failing tests": (index) =>
    `${index % 5 === 0 ? "not ok" : "ok"} ${index} - keeps the order of entries ${index % 90}\n` +
    `  ---\n  duration_ms: ${index % 40}.${index % 7}\n  location: 'test/a.test.ts:${index % 300}:1'\n`,
};

/** Typical calls of agents: files read, commands run, edits made. */
const CALLS: readonly ((index: number) => { readonly tool: string; readonly args: object })[] = [
  (index) => ({ tool: "Read", args: { file_path: `src/f${index}.ts`, offset: index, limit: 80 } }),
  (index) => ({ tool: "Bash", args: { command: `npm run check -- f${index}`, description: "d" } }),
  (index) => ({
    tool: "Edit",
    args: {
      file_path: `src/f${index}.ts`,
      old_string: "const a = 1;",
      new_string: `const a = ${index};`,
    },
  }),
];

interface Line {
  readonly kind: string;
  readonly stepsPerSecond: number;
  readonly ratio: number;
}

function measure(kind: string, contents: readonly Content[]): Line {
  const results = Array.from({ length: DIFFERENT }, (_, seed) =>
    fill(contents[seed % contents.length]!, seed * 31),
  );
  const steps: Step[] = results.flatMap((output, index): Step[] => [
    { kind: "tool_call", id: `${index}`, ...CALLS[index % CALLS.length]!(index) },
    { kind: "tool_result", id: `${index}`, output, isError: false },
  ]);
  const detect = best(() => {
    const detector = createStuckDetector();
    for (let at = 0; at < total; at += 1) detector.step(steps[at % steps.length]!);
  });
  const hash = best(() => {
    for (let at = 0; at < total / 2; at += 1) hashText(results[at % DIFFERENT]!);
  });
  return { kind, stepsPerSecond: total / detect, ratio: detect / hash };
}

/** Seconds of processor time, so that other programs on the machine do not count. */
function best(work: () => void): number {
  let seconds = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    seconds = Math.min(seconds, (user + system) / 1e6);
  }
  return seconds;
}

const show = ({ kind, stepsPerSecond, ratio }: Line): void =>
  console.log(
    `${kind.padEnd(13)} ${Math.round(stepsPerSecond).toLocaleString("en")} steps/s, ` +
      `${ratio.toFixed(2)} times the cost of hashing the results once`,
  );

const mix = measure("mixed", Object.values(KINDS));
show(mix);
for (const [kind, content] of Object.entries(KINDS)) show(measure(kind, [content]));
const slow = mix.stepsPerSecond < TARGET_STEPS || mix.ratio > TARGET_RATIO;
if (slow) console.log(`mixed: below ${TARGET_STEPS} steps/s or above ${TARGET_RATIO} times`);
process.exitCode = slow ? 1 : 0;
