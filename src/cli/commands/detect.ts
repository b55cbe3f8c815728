/**
 * `unstuck detect`: checks whether an agent is going in circles. Reads a transcript, or cases as JSON lines, and prints
 * verdicts. Exit 0 healthy, 1 stuck at some point, 2 bad input with its position.
 */
import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Command, Option } from "commander";
import { detectCase, detectLoops, OUTPUT_FORMATS } from "../../operations/advice/detect.ts";
import type { DetectInput, StuckVerdict, VerdictChanged } from "../../operations/advice/detect.ts";
import { cleanLine, count } from "../../operations/text.ts";
import { EXIT, linesOf, parseJson, perform, readTextFile, styled, write } from "../io.ts";
import { inputChunks, unreadable, UsageError } from "../read-input.ts";

export interface DetectOptions extends Partial<Pick<DetectInput, "format" | "config">> {
  /** Follows the file as it grows; ends with the first stuck verdict. */
  readonly follow?: boolean;
  readonly json?: boolean;
  /** Cases, for which no format is needed. */
  readonly jsonl?: boolean;
}

type Flags = Omit<DetectOptions, "config"> & { readonly config?: string };

/** Returns the exit code. `print` takes one line. */
export async function runDetect(
  options: DetectOptions,
  chunks: AsyncIterable<Uint8Array>,
  print: (line: string) => void,
): Promise<number> {
  const { format, config, json, jsonl, follow: untilStuck } = options;
  if (jsonl === true) return detectCases(chunks, print);
  if (format === undefined)
    throw new UsageError(`name the format: --format ${OUTPUT_FORMATS.join("|")}`);
  const tell = ({ step, line, verdict }: VerdictChanged): void => {
    if (json === true) print(JSON.stringify({ step, line, ...verdict }));
    else if (verdict.level === "none")
      print(`step ${step} (line ${line}): is making progress again`);
    else for (const text of describe(step, line, verdict)) print(text);
  };
  const input = { chunks, format, config, untilStuck };
  const { steps, stuck, problems } = await perform(detectLoops, input, { on: tell });
  const skipped = problems === 0 ? "" : `, ${count(problems, "line")} skipped`;
  if (json === true)
    print(JSON.stringify({ end: true, stuck: stuck !== undefined, steps, problems }));
  else if (stuck === undefined)
    print(`${styled("green", "healthy")}: ${count(steps, "step")}${skipped}`);
  else print(`${styled("red", "stuck")}: ${cleanLine(stuck.reason ?? "", 300)}${skipped}`);
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
async function detectCases(
  chunks: AsyncIterable<Uint8Array>,
  print: (line: string) => void,
): Promise<number> {
  let isStuck = false;
  for await (const { line, text } of linesOf(chunks)) {
    if (text.trim() === "") continue;
    const called = `line ${line}`;
    const verdict = await perform(detectCase, { given: parseJson(text, called), called });
    isStuck ||= verdict.stuck;
    print(JSON.stringify(verdict));
  }
  return isStuck ? EXIT.failed : EXIT.ok;
}

export function detect(): Command {
  return new Command("detect")
    .description(
      "Reads an agent's transcript and says where it goes in circles, since when, at what cost.\n" +
        "Exit code 0: healthy, 1: stuck, 2: bad input.",
    )
    .argument("[file]", "the transcript; default: standard input")
    .addOption(new Option("--format <name>", "what wrote the transcript").choices(OUTPUT_FORMATS))
    .option("--follow", "keep reading as the file grows; ends at the first stuck verdict")
    .option("--json", "one JSON object for each new verdict, one at the end")
    .option("--jsonl", "each input line is {id, steps, config?}, each output line its verdict")
    .option("--config <file>", "thresholds as YAML, on their own or under `stuck`")
    .action(async (file: string | undefined, { config: called, ...flags }: Flags) => {
      const grows = flags.follow === true && file !== undefined && file !== "-";
      const input = grows ? growingFile(file) : inputChunks(file);
      const config = called === undefined ? undefined : { text: readTextFile(called), called };
      process.exitCode = await runDetect({ ...flags, config }, input, write);
    });
}

const CHUNK_BYTES = 64 * 1024;
const LOOK_AGAIN_MS = 200;

/** Reads until the consumer stops; a file that was truncated is read again from its start. */
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
