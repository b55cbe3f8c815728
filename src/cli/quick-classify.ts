/**
 * The fast path for frequent calls that must answer in milliseconds: `classify --json` and plain `classify` of standard
 * input. Everything else, and every mistake, goes through commander and gets its help and errors.
 */
import { classifyText, describeFailure } from "../operations/advice/evidence.ts";
import { faultText } from "../operations/text.ts";
import { packedRules } from "../operations/advice/packed-rules.ts";
import { mayBeTerminal, readAll, writeAll } from "./plain-io.ts";

const BYTES_MAX = 256 * 1024 * 1024;

/** Returns the exit code, or undefined if the call does not fit the fast path; then nothing was read or written. */
export function quick(args: readonly string[]): number | undefined {
  const [command, ...flags] = args;
  const json = flags[0] === "--json";
  if (command !== "classify" || flags.length > (json ? 1 : 0) || mayBeTerminal()) return undefined;
  const classified = classifyText(readAll(BYTES_MAX).toString("utf8"), packedRules);
  if ("problem" in classified) {
    process.stderr.write(`unstuck: ${classified.problem}\n`);
    return 2;
  }
  const { failure } = classified;
  const text = json ? JSON.stringify(failure) : describeFailure(failure);
  try {
    writeAll(`${text}\n`);
    return 0;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    process.stderr.write(`unstuck: cannot write the output: ${faultText(code)}\n`);
    return 1;
  }
}
