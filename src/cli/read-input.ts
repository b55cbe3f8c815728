/** Reads what a command is given: files and standard input, within bounds, and numbers. */
import { createReadStream } from "node:fs";
import { cleanLine, readTextFile } from "../operations/text.ts";

/** Bad input or a place that cannot be read: what happened and what to do, for `main` to print. */
export class UsageError extends Error {}

const BYTES_MAX = 256 * 1024 * 1024;

/** The whole of a file, or of standard input for no name or `-`. */
export async function readInput(file: string | undefined): Promise<string> {
  if (file !== undefined && file !== "-") return readTextFile(file);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of inputChunks(file)) {
    bytes += chunk.length;
    if (bytes > BYTES_MAX) throw new UsageError(`standard input is larger than ${BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The bytes as they come. A terminal is refused unless they may be typed: nobody knows what is waited for. */
export async function* inputChunks(
  file: string | undefined,
  mayBeTyped = false,
): AsyncGenerator<Uint8Array> {
  if (file === undefined || file === "-") {
    if (process.stdin.isTTY && !mayBeTyped)
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

export function unreadable(file: string, error: unknown): UsageError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
  return new UsageError(`cannot read ${cleanLine(file)}: ${code}`);
}

/** What the plan's schema would refuse, a flag may not bring in either. */
export function numberOf(
  name: string,
  text: string | undefined,
  least: number,
  most: number,
  isWhole = true,
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  const fits = text.trim() !== "" && value >= least && value <= most;
  if (fits && (!isWhole || Number.isInteger(value))) return value;
  const what = isWhole ? "a whole number" : "a number";
  throw new UsageError(
    `--${name}: expected ${what} from ${least} to ${most}, got ${cleanLine(text, 40)}`,
  );
}
