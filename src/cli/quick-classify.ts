/**
 * The short way for what is called often and must answer in milliseconds: `classify --json` and the plain
 * `classify` of standard input. Everything else, and every mistake, goes the long way through commander and gets
 * its help and errors.
 */
import { classify } from "../core/classify/classify.ts";
import { withWords } from "../core/system-words.ts";
import { evidenceOfText } from "./evidence-text.ts";
import { describeFailure } from "./failure-text.ts";
import { packedRules } from "./packed-rules.ts";
import { mayBeTerminal, readAll, writeAll } from "./plain-io.ts";

const BYTES_MAX = 256 * 1024 * 1024;

/** The exit code, or nothing where the long way has to be taken; then nothing was read or written. */
export function quick(args: readonly string[]): number | undefined {
  const [command, ...flags] = args;
  const json = flags[0] === "--json";
  if (command !== "classify" || flags.length > (json ? 1 : 0) || mayBeTerminal()) return undefined;
  const reading = evidenceOfText(readAll(BYTES_MAX).toString("utf8"));
  if (!reading.ok) {
    process.stderr.write(`unstuck: evidence, field ${reading.field}: ${reading.problem}\n`);
    return 2;
  }
  const failure = classify(reading.evidence, packedRules());
  const text = json ? JSON.stringify(failure) : describeFailure(failure, (_, words) => words);
  try {
    writeAll(`${text}\n`);
    return 0;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    process.stderr.write(`unstuck: cannot write the output: ${withWords(code)}\n`);
    return 1;
  }
}
