/** Reads a command's input: files and standard input, up to a limit, and numbers. */
import { createReadStream } from "node:fs";
import { cleanLine, readTextFile } from "../operations/text.ts";

/** Bad input or an unreadable file: what happened and what to do, for `main` to print. */
export class UsageError extends Error {}

const BYTES_MAX = 256 * 1024 * 1024;

/** The whole file, or standard input for no name or `-`. */
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

/**
 * Yields the bytes as they arrive. A terminal is refused unless typing is expected, because nothing would tell the user
 * to type.
 */
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

/** A flag must not bring in what the plan's schema would refuse. */
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
