/**
 * The fingerprint of what a check found failing: the failing items with their messages, or the root error where no item
 * is named. Never a line that only counts. Invariants: the same for the same failures in another order, at other lines,
 * with other durations, process ids and temporary paths; other items or other messages make another one.
 */
import { hashText } from "../hash.ts";
import { masked } from "../masked-hash.ts";
import type { Failure } from "./failures.ts";
import { fileOf, plainTitle } from "./named-tests.ts";
import { isAftermath } from "./order.ts";

const MESSAGE_LINES = 6;
const MESSAGE_CHARS = 600;

/** Nothing where no failure says what failed. */
export function signatureOfFailures(failures: readonly Failure[]): string | undefined {
  const own = failures.filter((failure) => !isAftermath(failure));
  const speaking = own.filter(({ message }) => message.length > 0);
  const telling = speaking.length > 0 ? speaking : own;
  if (telling.length === 0) return undefined;
  return hashText([...new Set(telling.map(keyOf))].sort().join("\n"));
}

/** `12:7 error …`, as linters that name the file above all of its findings write. */
const PLACE_BEFORE = /(?<=^| )\d{1,7}:\d{1,7} /;

/** One fingerprint for each failure; those of equal failures differ by their number only. */
export function marksOfFailures(failures: readonly Failure[]): readonly string[] {
  const times = new Map<string, number>();
  return failures.map((failure) => {
    const key = keyOf(failure).replace(PLACE_BEFORE, "");
    const time = (times.get(key) ?? 0) + 1;
    times.set(key, time);
    return hashText(`${key} #${time}`);
  });
}

/** Where it is says in which file, never in which line. */
const LINES =
  /(?<=\.[A-Za-z]\w{0,9}|[a-z]file)(?::\d{1,7}){1,2}(?=\D|$)|\(\d{1,7},\s?\d{1,7}\)|(?<=\b[Ll]ine )\d{1,7}(?::\d{1,7})?/g;
/** `thread 'x' (14893) panicked` */
const THREAD = /(?<=^thread '[^']{1,200}' )\(\d{1,10}\) /;

function keyOf(failure: Failure): string {
  const { title = "", message } = failure;
  const said = message
    .slice(0, MESSAGE_LINES)
    .map((line) => line.trim().replace(THREAD, ""))
    .join(" ")
    .slice(0, MESSAGE_CHARS);
  return [plainTitle(title), fileOf(failure) ?? "", said]
    .map((part) => masked(part.replace(LINES, "")).replace(/\s+/g, " ").trim())
    .join(" | ");
}
