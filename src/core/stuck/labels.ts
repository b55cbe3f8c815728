/**
 * Is a token in the scratch space the value of a key that names this run, such as a process id, an
 * attempt or a request id? Imports `bytes` only. Invariant: each look is bounded (64 bytes).
 */
import {
  BYTES,
  byteTable,
  isLetter,
  isWordByte,
  lastThree,
  threeAt,
  wordSet,
  COLON,
  DASH,
  DOT,
  UNDERSCORE,
} from "./bytes.ts";

/** Words before a number that make it a label of this run: `pid 4711`, `attempt 3`, `retry #2`. */
const LABEL_WORDS =
  "pid ppid tid process attempt attempts retry retries try elapsed took duration timestamp ts " +
  "nonce durationms duration_ms elapsedms elapsed_ms latencyms latency_ms uptime";
const LABELS = wordSet(LABEL_WORDS);

/**
 * Keys whose value names this call and no other; only where a colon or an equals sign joins them.
 */
const ID_WORDS = "uuid guid uid etag pid";
const ID_KEYS = wordSet(ID_WORDS);

/** What a tool calls the thing it has just made: each call's has another name, `session exec-7`. */
const HANDLE_WORDS = "session";
const HANDLES = wordSet(HANDLE_WORDS);

/** How such keys end, as a word of its own. */
const ENDING_WORDS = "id at ms time";
const RUN_ENDINGS = wordSet(ENDING_WORDS);

/** Marks that may join a key and its value. */
const JOINTS = byteTable(" :=\"'#(");
/** The last three bytes of labels and keys, to look closer at few words. */
const LAST_THREE = lastThree(`${LABEL_WORDS} ${ID_WORDS} ${HANDLE_WORDS}`, ENDING_WORDS);

/** False where a token is surely no such value: a quick look, because nearly none is. */
export function mayBeLabelled(start: number): boolean {
  let at = start - 1;
  if (at < 0) return false;
  if (JOINTS[BYTES[at]!] === 0) return BYTES[at] === DASH || BYTES[at] === DOT;
  for (const stop = start - 5; at > stop && at >= 0 && JOINTS[BYTES[at]!] === 1;) at -= 1;
  return at < 2 || LAST_THREE[threeAt(at - 2)] === 1;
}

/** True where the word before, at most four joining marks away, is a label or an id key. */
export function isLabelled(start: number): boolean {
  if (start === 0) return false;
  const before = BYTES[start - 1]!;
  if (JOINTS[before] === 1) return isNamed(start, false);
  // `"id": "room-17"`: the key names the whole value
  if (before !== DASH && before !== DOT) return false;
  let at = start - 1;
  const stop = start - 40;
  while (at >= 0 && at > stop && isValueByte(BYTES[at]!)) at -= 1;
  return isNamed(at + 1, true);
}

const isValueByte = (byte: number): boolean => isWordByte(byte) || byte === DASH || byte === DOT;

function isNamed(start: number, idsOnly: boolean): boolean {
  let at = start - 1;
  let joined = false;
  for (const stop = start - 5; at > stop && at >= 0; at -= 1) {
    const byte = BYTES[at]!;
    if (JOINTS[byte] === 0) break;
    if (byte === COLON || byte === 61) joined = true;
  }
  const end = at + 1;
  if (end === start || (at >= 2 && LAST_THREE[threeAt(at - 2)] === 0)) return false;
  const stop = end - 20;
  while (at >= 0 && at > stop && (isLetter(BYTES[at]!) || BYTES[at] === UNDERSCORE)) at -= 1;
  const from = at + 1;
  // too short, too long, or the ending of a file name
  if (end - from < 2 || at === stop || (at >= 0 && BYTES[at] === DOT)) return false;
  if (joined && isRunKey(from, end)) return true;
  return HANDLES.has(from, end) || (!idsOnly && LABELS.has(from, end));
}

/**
 * `id`, `messageId`, `request_id`, `startedAt`, `waitMs`, `start_time`; not `valid` or `format`.
 */
function isRunKey(start: number, end: number): boolean {
  return endsWith(start, end, 2) || endsWith(start, end, 4) || ID_KEYS.has(start, end);
}

/** Is there a word of its own of this length at the end of the key that names a run? */
function endsWith(start: number, end: number, length: number): boolean {
  const at = end - length;
  if (at < start || !RUN_ENDINGS.has(at, end)) return false;
  return at === start || BYTES[at]! < 97 || BYTES[at - 1] === UNDERSCORE;
}
