/**
 * The edges of a command: writing what it says, and how it fails. Invariants: nothing is shown with a secret in it
 * (U12); colours only on a terminal and never with NO_COLOR or TERM=dumb; bad input is one clear line with its place
 * and exit code 2; what the machine refuses is one clear line and exit code 1. When nobody can read the output any
 * more, a command that changes something goes on to its end and keeps its exit code, and one that only reads ends at
 * once, with 0 for a closed pipe and 1 for a write that failed.
 */
import { styleText } from "node:util";
import { Command } from "commander";
import { ProblemError, problemOf } from "../operations/operation.ts";
import type { Context, Operation, Result } from "../operations/operation.ts";
import { redact } from "../operations/redaction.ts";
import { cleanLine, readTextFile, faultText, type Style } from "../operations/text.ts";
import { UsageError } from "./read-input.ts";

export { readTextFile };

/** Exit codes of the command ("Settled" 13). */
export const EXIT = {
  ok: 0,
  failed: 1,
  badInput: 2,
  needsPerson: 3,
  budget: 4,
  paused: 5,
  unverified: 6,
} as const;

/** What commander gives of an operation's input, for a command that can print JSON. */
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

/** The lines of a stream, numbered from 1, as they come; a line that is too long is refused. */
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

/** The one place where a secret is shown: to the person it was just made for. */
export function writeOwnSecret(text: string, to: NodeJS.WriteStream = process.stdout): void {
  to.write(`${text}\n`);
}

/** For a person beside what the command says. */
export function tell(text: string): void {
  process.stderr.write(`${redact(text)}\n`);
}

/** JSON leaves some of what a terminal obeys as it is: C1 controls, direction marks, the byte order mark. */
const OBEYED = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

export const writeJson = (value: unknown): void =>
  write(
    JSON.stringify(value).replace(
      OBEYED,
      (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  );

/** Colours a word for a person at a terminal that knows colours; leaves it as it is for everybody else. */
export function styled(style: Style, text: string): string {
  const { NO_COLOR = "", TERM = "" } = process.env;
  return process.stdout.isTTY && NO_COLOR === "" && TERM !== "dumb" ? styleText(style, text) : text;
}

/** How wide text may be: a terminal has an edge, a file has none. */
export const textColumns = (): number =>
  process.stdout.isTTY ? process.stdout.columns || 80 : Infinity;

/** The value of an operation that is called from here. */
export async function perform<Input, Output, Happening>(
  operation: Operation<Input, Output, Happening>,
  input: Input,
  { on, ...context }: Partial<Context> & { readonly on?: (happening: Happening) => void } = {},
): Promise<Output> {
  return valueOf(await operation.run({ cwd: process.cwd(), tell, ...context }, input, on));
}

/** A problem is thrown, for `main` to report. */
export function valueOf<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  const { code, message, ...more } = result.problem;
  throw new ProblemError(code, message, more);
}

/** The exit code for what went wrong. */
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

/** This process works on a run: where it can be seen once this screen is lost. */
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
