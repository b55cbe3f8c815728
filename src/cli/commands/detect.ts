/**
 * `unstuck detect`: is this agent going in circles? Reads a transcript, or cases as JSON lines, and prints
 * verdicts. Exit 0 healthy, 1 stuck at some point, 2 bad input with its place.
 */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Command, Option } from "commander";
import { detectCase, detectLoops, OUTPUT_FORMATS } from "../../operations/advice/detect.ts";
import type { DetectInput, StuckVerdict, VerdictChanged } from "../../operations/advice/detect.ts";
import { cleanLine } from "../../operations/text.ts";
import { EXIT } from "../exit-codes.ts";
import { parseJson, perform, readTextFile, styled, UsageError, write } from "../io.ts";

export interface DetectOptions extends Partial<Pick<DetectInput, "format" | "config">> {
  /** Goes on as the file grows; ends with the first stuck verdict. */
  readonly follow?: boolean;
  readonly json?: boolean;
  /** Cases, which need no format. */
  readonly jsonl?: boolean;
}

export interface DetectIo {
  readonly input: AsyncIterable<Uint8Array>;
  /** One line. */
  readonly write: (line: string) => void;
}

export async function runDetect(options: DetectOptions, io: DetectIo): Promise<number> {
  const { format, config, json, jsonl, follow: untilStuck } = options;
  if (jsonl === true) return detectCases(io);
  if (format === undefined)
    throw new UsageError(`name the format: --format ${OUTPUT_FORMATS.join("|")}`);
  const tell = ({ step, line, verdict }: VerdictChanged): void => {
    if (json === true) io.write(JSON.stringify({ step, line, ...verdict }));
    else if (verdict.level === "none") io.write(`step ${step} (line ${line}): moves again`);
    else for (const text of describe(step, line, verdict)) io.write(text);
  };
  const input = { chunks: io.input, format, config, untilStuck };
  const { steps, stuck, problems } = await perform(detectLoops, input, { on: tell });
  const skipped = problems === 0 ? "" : `, ${problems} lines skipped`;
  if (json === true)
    io.write(JSON.stringify({ end: true, stuck: stuck !== undefined, steps, problems }));
  else if (stuck === undefined) io.write(`${styled("green", "healthy")}: ${steps} steps${skipped}`);
  else io.write(`${styled("red", "stuck")}: ${cleanLine(stuck.reason ?? "", 300)}${skipped}`);
  return stuck === undefined ? EXIT.ok : EXIT.failed;
}

function describe(step: number, line: number, verdict: StuckVerdict): readonly string[] {
  const { level, reason = "", loopStart = step, cost, firstError, nudge = "" } = verdict;
  const spent = [
    `${cost?.steps ?? 0} steps`,
    ...(cost?.tokens === undefined ? [] : [`${cost.tokens} tokens`]),
    ...(cost?.usd === undefined ? [] : [`$${cost.usd.toFixed(4)}`]),
  ].join(", ");
  const word = styled(level === "stuck" ? "red" : "yellow", level);
  return [
    `step ${step} (line ${line}): ${word}: ${cleanLine(reason, 300)}`,
    `  since step ${loopStart}: ${spent}`,
    ...(firstError === undefined ? [] : [`  first error: ${cleanLine(firstError, 300)}`]),
    ...(level === "nudge" ? [`  say: ${cleanLine(nudge, 600)}`] : []),
  ];
}

/** `{id, steps, config?}` lines: the verdict after the last step of each. */
async function detectCases(io: DetectIo): Promise<number> {
  const decoder = new TextDecoder();
  let rest = "";
  let line = 0;
  let isStuck = false;
  const take = async (text: string): Promise<void> => {
    const called = `line ${(line += 1)}`;
    if (text.trim() === "") return;
    const verdict = await perform(detectCase, { given: parseJson(text, called), called });
    isStuck ||= verdict.stuck;
    io.write(JSON.stringify(verdict));
  };
  for await (const chunk of io.input) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) await take(text);
  }
  await take(rest + decoder.decode());
  return isStuck ? EXIT.failed : EXIT.ok;
}

interface Flags {
  readonly format?: DetectInput["format"];
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
      new Option("--format <name>", "what wrote the transcript").choices(OUTPUT_FORMATS),
    )
    .option("--follow", "go on as the file grows; ends with the first stuck verdict")
    .option("--json", "one JSON object for each new verdict, one at the end")
    .option("--jsonl", "each input line is {id, steps, config?}, each output line its verdict")
    .option("--config <file>", "thresholds as YAML, by themselves or under `stuck`")
    .action(async (file: string | undefined, flags: Flags) => {
      const { config, ...rest } = flags;
      const follow = rest.follow === true && file !== undefined && file !== "-";
      const input = follow ? growingFile(file) : wholeInput(file);
      const text =
        config === undefined ? undefined : { text: readTextFile(config), called: config };
      process.exitCode = await runDetect({ ...rest, config: text }, { input, write });
    });
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
  return new UsageError(`cannot read ${cleanLine(file)}: ${code}`);
}
