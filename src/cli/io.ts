/**
 * Output and errors of a command. Invariants: nothing is printed with a secret in it (U12); colours only on a terminal
 * and never with NO_COLOR or TERM=dumb; bad input is one clear line with its position and exit code 2; a refusal of the
 * machine is one clear line and exit code 1. When the output can no longer be read, a command that changes something
 * runs to its end and keeps its exit code, and one that only reads ends at once, with 0 for a closed pipe and 1 for a
 * failed write.
 */
import { styleText } from "node:util";
import { Command } from "commander";
import { ProblemError, problemOf } from "../operations/operation.ts";
import type { Context, Operation, Result } from "../operations/operation.ts";
import { redact } from "../operations/redaction.ts";
import { cleanLine, readTextFile, faultText, type Style } from "../operations/text.ts";
import { UsageError } from "./read-input.ts";

export { readTextFile };

/** Exit codes of the command. */
export const EXIT = {
  ok: 0,
  failed: 1,
  badInput: 2,
  needsPerson: 3,
  budget: 4,
  paused: 5,
  unverified: 6,
} as const;

/** The input that commander passes on for an operation, plus the flag of commands that can print JSON. */
export type Flags<Input = object> = Input & { readonly json?: boolean };

export const commandOnRun = (name: string): Command =>
  new Command(name).argument("[run]", "id or a part of it; default: the latest of this repository");

export function readJsonFile(file: string): unknown {
  return parseJson(readTextFile(file), cleanLine(file));
}

export function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new UsageError(
      `${place} is not JSON: ${cleanLine(error instanceof Error ? error.message : "")}`,
    );
  }
}

const LINE_CHARS_MAX = 64 * 1024 * 1024;

/** Yields the lines of a stream, numbered from 1; a line that is too long is refused. */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly line: number; readonly text: string }> {
  const decoder = new TextDecoder();
  let rest = "";
  let line = 0;
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    for (const text of parts) yield { line: (line += 1), text };
    if (rest.length > LINE_CHARS_MAX)
      throw new UsageError(`line ${line + 1} is longer than ${LINE_CHARS_MAX} characters`);
  }
  rest += decoder.decode();
  if (rest !== "") yield { line: line + 1, text: rest };
}

export function write(text: string): void {
  process.stdout.write(`${redact(text)}\n`);
}

/** The only place where a secret is shown: to the person it was just created for. */
export function writeOwnSecret(text: string, to: NodeJS.WriteStream = process.stdout): void {
  to.write(`${text}\n`);
}

/** A message for a person, apart from the command's output. */
export function tell(text: string): void {
  process.stderr.write(`${redact(text)}\n`);
}

/**
 * Characters that a terminal interprets and JSON does not escape: C1 controls, direction marks, the byte order mark.
 */
const TERMINAL_CONTROLS =
  /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

export const writeJson = (value: unknown): void =>
  write(
    JSON.stringify(value).replace(
      TERMINAL_CONTROLS,
      (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  );

/** Colours text on a terminal that supports it; returns it unchanged otherwise. */
export function styled(style: Style, text: string): string {
  const { NO_COLOR = "", TERM = "" } = process.env;
  return process.stdout.isTTY && NO_COLOR === "" && TERM !== "dumb" ? styleText(style, text) : text;
}

/** The width available for text: limited on a terminal, unlimited in a file. */
export const textColumns = (): number =>
  process.stdout.isTTY ? process.stdout.columns || 80 : Infinity;

/** Runs an operation from the command line and returns its value. */
export async function perform<Input, Output, Happening>(
  operation: Operation<Input, Output, Happening>,
  input: Input,
  { on, ...context }: Partial<Context> & { readonly on?: (happening: Happening) => void } = {},
): Promise<Output> {
  return valueOf(await operation.run({ cwd: process.cwd(), tell, ...context }, input, on));
}

/** Throws a problem, which `main` reports. */
export function valueOf<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  const { code, message, ...more } = result.problem;
  throw new ProblemError(code, message, more);
}

/** Prints the error and returns the exit code. */
export function reportError(error: unknown): number {
  const isBadInput = error instanceof UsageError;
  const problem = isBadInput
    ? ({ code: "bad-input", message: error.message } as const)
    : problemOf(error);
  if (problem === undefined) {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    tell(`unstuck: unexpected error (a bug in Unstuck; what is recorded is safe)\n${words}`);
    return EXIT.failed;
  }
  const { code, message } = problem;
  tell(code === "needs-consent" ? message : `unstuck: ${message}`);
  if (code === "needs-consent") return EXIT.needsPerson;
  return ["failed", "machine", "journal"].includes(code) ? EXIT.failed : EXIT.badInput;
}

let runHere: string | undefined;

/** Notes that this process works on a run, so that a lost output can name the command that shows it again. */
export function outliveOutput(run: string): void {
  runHere = run;
}

export function watchOutput(onlyReads: boolean): void {
  let isLost = false;
  process.stderr.on("error", () => undefined);
  process.stdout.on("error", ({ code = "" }: NodeJS.ErrnoException) => {
    if (isLost) return;
    isLost = true;
    const isClosed = code === "EPIPE" || (code === "EIO" && process.stdout.isTTY);
    if (onlyReads && isClosed) process.exit(EXIT.ok);
    const why = isClosed ? "the output is closed" : `cannot write the output: ${faultText(code)}`;
    const after = runHere === undefined ? "" : `; the run continues: unstuck attach ${runHere}`;
    if (!isClosed || runHere !== undefined) process.stderr.write(`unstuck: ${why}${after}\n`);
    if (onlyReads) process.exit(EXIT.failed);
  });
}
