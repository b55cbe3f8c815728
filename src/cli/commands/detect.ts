/**
 * `unstuck detect`: is this agent going in circles? Reads a transcript, or cases as JSON lines, and prints
 * verdicts. Exit 0 healthy, 1 stuck at some point, 2 bad input with its place.
 */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Command, Option } from "commander";
import { parse } from "yaml";
import { judgeCase } from "../../agents/output/case-line.ts";
import { createTranscriptReader } from "../../agents/output/transcript.ts";
import type { PlacedStep } from "../../agents/output/transcript.ts";
import { TRANSCRIPT_FORMATS } from "../../agents/registry.ts";
import { tameLine } from "../../core/foreign-text.ts";
import { DEFAULT_STUCK_CONFIG, readStuckConfig } from "../../core/stuck/config.ts";
import type { StuckConfig } from "../../core/stuck/config.ts";
import { createStuckDetector } from "../../core/stuck/detector.ts";
import type { Verdict } from "../../core/stuck/verdict.ts";
import { EXIT } from "../exit-codes.ts";
import { parseJson, readTextFile, styled, UsageError, write } from "../io.ts";

export interface DetectOptions {
  readonly file?: string;
  /** Not needed for `jsonl`. */
  readonly format?: string;
  /** Goes on as the file grows; ends with the first stuck verdict. */
  readonly follow?: boolean;
  readonly json?: boolean;
  readonly jsonl?: boolean;
  readonly config?: StuckConfig;
}

export interface DetectIo {
  readonly input: AsyncIterable<Uint8Array>;
  /** One line. */
  readonly write: (line: string) => void;
}

export async function runDetect(options: DetectOptions, io: DetectIo): Promise<number> {
  if (options.jsonl === true) return detectCases(io);
  if (options.format === undefined)
    throw new UsageError(`name the format: --format ${TRANSCRIPT_FORMATS.join("|")}`);
  return detectTranscript({ ...options, format: options.format }, io);
}

interface Progress {
  steps: number;
  level: Verdict["level"];
  pattern: Verdict["pattern"];
  stuck: Verdict | undefined;
  problems: number;
  firstProblem: string | undefined;
}

async function detectTranscript(
  { format, config, json = false, follow = false }: DetectOptions & { format: string },
  io: DetectIo,
): Promise<number> {
  const reader = createTranscriptReader(format);
  const detector = createStuckDetector(config ?? DEFAULT_STUCK_CONFIG);
  const seen: Progress = {
    steps: 0,
    level: "none",
    pattern: undefined,
    stuck: undefined,
    problems: 0,
    firstProblem: undefined,
  };
  const take = (piece: ReturnType<typeof reader.push>): void => {
    for (const { line, problem } of piece.problems) {
      if (format === "steps") throw new UsageError(`line ${line}: ${problem}`);
      seen.problems += 1;
      seen.firstProblem ??= `line ${line}: ${problem}`;
    }
    for (const placed of piece.steps) {
      const verdict = detector.step(placed.step);
      report(seen, placed, verdict, json, io);
      seen.steps += 1;
    }
  };
  for await (const chunk of io.input) {
    take(reader.push(chunk));
    if (follow && seen.stuck !== undefined) break;
  }
  take(reader.end());
  if (seen.steps === 0 && seen.firstProblem !== undefined)
    throw new UsageError(`${seen.firstProblem}; nothing in the input looks like ${format}`);
  conclude(seen, json, io);
  return seen.stuck === undefined ? EXIT.ok : EXIT.failed;
}

/** Speaks when the verdict becomes another one. */
function report(
  seen: Progress,
  { line }: PlacedStep,
  verdict: Verdict,
  json: boolean,
  io: DetectIo,
): void {
  if (verdict.level === seen.level && verdict.pattern === seen.pattern) return;
  seen.level = verdict.level;
  seen.pattern = verdict.pattern;
  if (verdict.level === "stuck") seen.stuck ??= verdict;
  if (json) io.write(JSON.stringify({ step: seen.steps, line, ...verdict }));
  else if (verdict.level === "none") io.write(`step ${seen.steps} (line ${line}): moves again`);
  else for (const text of describe(seen.steps, line, verdict)) io.write(text);
}

function describe(step: number, line: number, verdict: Verdict): readonly string[] {
  const { level, reason = "", loopStart = step, cost, firstError, nudge = "" } = verdict;
  const spent = [
    `${cost?.steps ?? 0} steps`,
    ...(cost?.tokens === undefined ? [] : [`${cost.tokens} tokens`]),
    ...(cost?.usd === undefined ? [] : [`$${cost.usd.toFixed(4)}`]),
  ].join(", ");
  const word = styled(level === "stuck" ? "red" : "yellow", level);
  return [
    `step ${step} (line ${line}): ${word}: ${tameLine(reason, 300)}`,
    `  since step ${loopStart}: ${spent}`,
    ...(firstError === undefined ? [] : [`  first error: ${tameLine(firstError, 300)}`]),
    ...(level === "nudge" ? [`  say: ${tameLine(nudge, 600)}`] : []),
  ];
}

function conclude(seen: Progress, json: boolean, io: DetectIo): void {
  const { steps, stuck, problems } = seen;
  if (json) {
    io.write(JSON.stringify({ end: true, stuck: stuck !== undefined, steps, problems }));
    return;
  }
  const skipped = problems === 0 ? "" : `, ${problems} lines skipped`;
  if (stuck === undefined) io.write(`${styled("green", "healthy")}: ${steps} steps${skipped}`);
  else io.write(`${styled("red", "stuck")}: ${tameLine(stuck.reason ?? "", 300)}${skipped}`);
}

/** `{id, steps, config?}` lines: the verdict after the last step of each. */
async function detectCases(io: DetectIo): Promise<number> {
  const decoder = new TextDecoder();
  let rest = "";
  let line = 0;
  let stuck = false;
  const take = (text: string): void => {
    line += 1;
    if (text.trim() === "") return;
    const place = `line ${line}`;
    const reading = judgeCase(parseJson(text, place));
    if (!reading.ok) throw new UsageError(`${place}, field ${reading.field}: ${reading.problem}`);
    stuck ||= reading.verdict.stuck;
    io.write(JSON.stringify(reading.verdict));
  };
  for await (const chunk of io.input) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(take);
  }
  take(rest + decoder.decode());
  return stuck ? EXIT.failed : EXIT.ok;
}

interface Flags {
  readonly format?: string;
  readonly follow?: boolean;
  readonly json?: boolean;
  readonly jsonl?: boolean;
  readonly config?: string;
}

export function command(): Command {
  return new Command("detect")
    .summary("is this agent going in circles?")
    .description(
      "Reads an agent's transcript and says where it goes in circles, since when, at what cost.\n" +
        "Exit code 0: healthy, 1: stuck, 2: bad input.",
    )
    .argument("[file]", "the transcript; default: standard input")
    .addOption(
      new Option("--format <name>", "what wrote the transcript").choices(TRANSCRIPT_FORMATS),
    )
    .option("--follow", "go on as the file grows; ends with the first stuck verdict")
    .option("--json", "one JSON object for each new verdict, one at the end")
    .option("--jsonl", "each input line is {id, steps, config?}, each output line its verdict")
    .option("--config <file>", "thresholds as YAML, by themselves or under `stuck`")
    .action(async (file: string | undefined, flags: Flags) => {
      const { config, ...rest } = flags;
      const follow = rest.follow === true && file !== undefined && file !== "-";
      const input = follow ? growingFile(file) : wholeInput(file);
      const options: DetectOptions =
        config === undefined ? rest : { ...rest, config: readConfigFile(config) };
      process.exitCode = await runDetect(options, { input, write });
    });
}

function readConfigFile(file: string): StuckConfig {
  let value: unknown;
  try {
    value = parse(readTextFile(file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${tameLine(file)} is not YAML: ${tameLine(String(error))}`);
  }
  const section =
    typeof value === "object" && value !== null && "stuck" in value ? value.stuck : value;
  const reading = readStuckConfig(section);
  if (reading.ok) return reading.config;
  const [first] = reading.problems;
  throw new UsageError(`${tameLine(file)}: ${first?.path ?? ""}: ${first?.problem ?? ""}`);
}

const CHUNK_BYTES = 64 * 1024;
const LOOK_AGAIN_MS = 200;

async function* wholeInput(file: string | undefined): AsyncGenerator<Uint8Array> {
  if (file === undefined || file === "-") {
    if (process.stdin.isTTY)
      throw new UsageError("nothing to read: name a file or pipe something in (see --help)");
    yield* process.stdin as AsyncIterable<Buffer>;
    return;
  }
  try {
    yield* createReadStream(file) as AsyncIterable<Buffer>;
  } catch (error) {
    throw unreadable(file, error);
  }
}

/**
 * Goes on until the one who reads has heard enough; a file that was cut short is read from its
 * start.
 */
async function* growingFile(file: string): AsyncGenerator<Uint8Array> {
  const handle = await open(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  try {
    const buffer = new Uint8Array(CHUNK_BYTES);
    let position = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position);
      position += bytesRead;
      if (bytesRead > 0) yield buffer.slice(0, bytesRead);
      else {
        await sleep(LOOK_AGAIN_MS);
        if ((await handle.stat()).size < position) position = 0;
      }
    }
  } finally {
    await handle.close();
  }
}

function unreadable(file: string, error: unknown): Error {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
  return new UsageError(`cannot read ${tameLine(file)}: ${code}`);
}
