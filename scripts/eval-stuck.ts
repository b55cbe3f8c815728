/**
 * `npm run eval:stuck`: recall and false alarms of the stuck detector on the shared cases, per tier, for the part that
 * thresholds were tuned on and for the part kept out of tuning, and on real transcripts of agents. `--json` for
 * programs; `--tuning` skips the kept-out part and lists the differences. The folder is UNSTUCK_CASES, by default
 * ../shared.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createStepReader } from "../src/agents/output/transcript.ts";
import { createStuckDetector } from "../src/core/stuck/detector.ts";
import { stuckConfigOf } from "../src/core/stuck/read-config.ts";
import { readStep } from "../src/core/stuck/read-step.ts";
import type { Step } from "../src/core/stuck/step.ts";
import type { StuckVerdict } from "../src/core/stuck/verdict.ts";

interface Case {
  readonly id: string;
  readonly tier: string;
  readonly description: string;
  readonly steps: readonly unknown[];
  readonly config?: unknown;
  readonly expected: { readonly stuck: boolean };
}

interface Score {
  found: number;
  stuck: number;
  alarms: number;
  healthy: number;
}

/** Faults after which an agent may or may not go in circles. */
const EITHER = /-(?:truncated|tool_ctxstream)\./;

const folder = process.env["UNSTUCK_CASES"] ?? "../shared";
const flags = new Set(process.argv.slice(2));
const casesFile = join(folder, "cases/stuck.json");
if (!existsSync(casesFile)) {
  console.error(`no cases at ${casesFile}: set UNSTUCK_CASES`);
  process.exit(2);
}
const cases = JSON.parse(readFileSync(casesFile, "utf8")) as readonly Case[];
const parts = flags.has("--tuning") ? (["tuning"] as const) : (["tuning", "kept out"] as const);
const scores = Object.fromEntries(parts.map((part) => [part, scoreOf(part)]));
const transcripts = scoreTranscripts(join(folder, "agents/fixtures"));

if (flags.has("--json")) console.log(JSON.stringify({ scores, transcripts }, null, 2));
else print();

/** The first 8 hex digits of the id's hash decide, so the split never changes. */
function partOf(id: string): "tuning" | "kept out" {
  const digits = createHash("sha256").update(id).digest("hex").slice(0, 8);
  return Number.parseInt(digits, 16) % 10 < 7 ? "tuning" : "kept out";
}

function judge(steps: readonly Step[], config: unknown): StuckVerdict {
  const detector = createStuckDetector(stuckConfigOf(config));
  let verdict: StuckVerdict = { level: "none" };
  for (const step of steps) verdict = detector.step(step);
  return verdict;
}

function scoreOf(part: "tuning" | "kept out"): Record<string, Score> {
  const byTier: Record<string, Score> = {};
  for (const { id, tier, steps, config, expected, description } of cases) {
    if (partOf(id) !== part) continue;
    const read = steps.map(readStep).flatMap((reading) => (reading.ok ? [reading.step] : []));
    if (read.length !== steps.length) throw new Error(`${id} has a step that cannot be read`);
    const verdict = judge(read, config);
    const said = verdict.level === "stuck";
    const groups = id.startsWith("iss-") ? [tier, "reports of users"] : [tier];
    for (const group of groups) {
      const score = (byTier[group] ??= { found: 0, stuck: 0, alarms: 0, healthy: 0 });
      if (expected.stuck) score.stuck += 1;
      else score.healthy += 1;
      if (said) score[expected.stuck ? "found" : "alarms"] += 1;
    }
    if (flags.has("--tuning") && said !== expected.stuck)
      console.log(`${said ? "alarm " : "missed"} ${tier.padEnd(9)} ${id}: ${description}`);
  }
  return byTier;
}

interface TranscriptScore {
  readonly name: string;
  readonly calls: number;
  /** The number of equal calls when the loop was named; absent if it was not. */
  readonly namedAfter?: number;
  readonly level: string;
  readonly expected: "loop" | "either" | "silent";
}

function scoreTranscripts(fixtures: string): TranscriptScore[] {
  const files = readdirSync(fixtures).filter((file) => file.endsWith(".stdout.jsonl"));
  return files.map((file) => {
    const format = file.slice(0, file.indexOf("-"));
    const reader = createStepReader(format);
    const text = readFileSync(join(fixtures, file));
    const placed = [...reader.push(text).steps, ...reader.end().steps];
    const detector = createStuckDetector();
    let calls = 0;
    let namedAfter: number | undefined;
    let level = "none";
    for (const { step } of placed) {
      if (step.kind === "tool_call") calls += 1;
      const verdict = detector.step(step);
      if (verdict.level === "stuck" || level === "none") level = verdict.level;
      if (verdict.level === "stuck") namedAfter ??= calls;
    }
    const loop = /-loop(?:fail)?\./.test(file);
    return {
      name: file.replace(".stdout.jsonl", ""),
      calls,
      ...(namedAfter === undefined ? {} : { namedAfter }),
      level,
      expected: loop ? "loop" : EITHER.test(file) ? "either" : "silent",
    };
  });
}

function print(): void {
  const share = (part: number, all: number): string =>
    `${part}/${all}${all > 0 ? ` (${((100 * part) / all).toFixed(1)} %)` : ""}`;
  for (const [part, byTier] of Object.entries(scores)) {
    console.log(`\n${part}`);
    for (const [tier, score] of Object.entries(byTier).sort())
      console.log(
        `  ${tier.padEnd(17)} found ${share(score.found, score.stuck).padEnd(18)}` +
          ` false alarms ${share(score.alarms, score.healthy)}`,
      );
  }
  console.log("\ntrue transcripts");
  for (const { name, calls, namedAfter, expected } of transcripts)
    if (expected === "loop")
      console.log(
        `  ${name.padEnd(20)} ${calls} calls, ` +
          (namedAfter === undefined ? "not named" : `named after ${namedAfter}`),
      );
  const silent = transcripts.filter(({ expected }) => expected === "silent");
  const noisy = silent.filter(({ level }) => level !== "none");
  console.log(`  others: ${silent.length - noisy.length} of ${silent.length} silent`);
  for (const { name, level } of noisy) console.log(`    ${level}: ${name}`);
  for (const { name, level, expected } of transcripts)
    if (expected === "either") console.log(`  may loop: ${name}: ${level}`);
}
