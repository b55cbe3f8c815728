/**
 * The fingerprint of a check's failures: the failing items with their messages, or the root error if no item is named.
 * It never includes lines that only count. Invariants: stable under a different order, line numbers, durations, process
 * ids and temporary paths; different items or messages give a different fingerprint.
 */
import { hashText } from "../hash.ts";
import { masked } from "../masked-hash.ts";
import type { Failure } from "./failures.ts";
import { fileOf, plainTitle } from "./named-tests.ts";
import { isGenericFailure } from "./order.ts";

const MESSAGE_LINES = 6;
const MESSAGE_CHARS = 600;

/** Undefined if no failure says what failed. */
export function signatureOfFailures(failures: readonly Failure[]): string | undefined {
  const own = failures.filter((failure) => !isGenericFailure(failure));
  const speaking = own.filter(({ message }) => message.length > 0);
  const telling = speaking.length > 0 ? speaking : own;
  if (telling.length === 0) return undefined;
  return hashText([...new Set(telling.map(keyOf))].sort().join("\n"));
}

/** `12:7 error …`, as printed by linters that name the file once above its findings. */
const PLACE_BEFORE = /(?<=^| )\d{1,7}:\d{1,7} /;

/** One fingerprint per failure; identical failures differ only by their number. */
export function failureFingerprints(failures: readonly Failure[]): readonly string[] {
  const times = new Map<string, number>();
  return failures.map((failure) => {
    const key = keyOf(failure).replace(PLACE_BEFORE, "");
    const time = (times.get(key) ?? 0) + 1;
    times.set(key, time);
    return hashText(`${key} #${time}`);
  });
}

/** Line and column numbers are removed; the file remains. */
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
