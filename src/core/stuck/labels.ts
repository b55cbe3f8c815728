/**
 * Is a token in the scratch space the value of a key that names this run, such as a process id, an attempt or a
 * request id? Invariant: each look is bounded (64 bytes).
 */
import { ASCII, byteTable, SCRATCH, TABLES, encode, wordSet } from "./bytes.ts";

const { bytes, words } = SCRATCH;
const { COLON, DASH, DOT, UNDERSCORE } = ASCII;
const { LETTERS, WORD_BYTES } = TABLES;

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

/** How labels and keys end, to look closer at few words: one for their last three letters. */
const ENDINGS = endingsOf(`${LABEL_WORDS} ${ID_WORDS} ${HANDLE_WORDS} ${ENDING_WORDS}`);

function endingsOf(all: string): Uint8Array {
  const table = new Uint8Array(32_768);
  for (const word of all.split(" ")) {
    const ending = endingAt(encode(word));
    if (word.length > 2) table[ending] = 1;
    else for (let before = 0; before < 32; before += 1) table[ending | before] = 1;
  }
  return table;
}

/** A number below 32768 for the three bytes before a place, in capitals or small letters. */
function endingAt(end: number): number {
  const four = words.getInt32(end - 4, true);
  return ((four >>> 8) & 0x1f) | ((four >>> 11) & 0x3e0) | ((four >>> 14) & 0x7c00);
}

/** True where the word before, at most four joining marks away, is a label or an id key. */
export function isLabelled(start: number): boolean {
  const before = bytes[start - 1]!;
  if (JOINTS[before] === 1) return isNamed(start, false);
  // `"id": "room-17"`: the key names the whole value
  if (before !== DASH && before !== DOT) return false;
  let at = start - 1;
  const stop = start - 40;
  while (at > stop && isValueByte(bytes[at]!)) at -= 1;
  return JOINTS[bytes[at]!] === 1 && isNamed(at + 1, true);
}

const isValueByte = (byte: number): boolean =>
  WORD_BYTES[byte] === 1 || byte === DASH || byte === DOT;

/** Expects a joining mark before the place. */
function isNamed(start: number, idsOnly: boolean): boolean {
  let end = start - 1;
  if (JOINTS[bytes[end - 1]!] === 1) {
    const stop = start - 4;
    do end -= 1;
    while (end > stop && JOINTS[bytes[end - 1]!] === 1);
  }
  return ENDINGS[endingAt(end)] === 1 && isRunName(end, start, idsOnly);
}

/** Is the word that ends there, with joining marks up to the start of the value, such a name? */
function isRunName(end: number, start: number, idsOnly: boolean): boolean {
  let at = end - 1;
  const stop = end - 20;
  while (at > stop && (LETTERS[bytes[at]!] === 1 || bytes[at] === UNDERSCORE)) at -= 1;
  const from = at + 1;
  // too short, too long, or the ending of a file name
  if (end - from < 2 || at === stop || bytes[at] === DOT) return false;
  if (isJoined(end, start) && isRunKey(from, end)) return true;
  return HANDLES.has(from, end) || (!idsOnly && LABELS.has(from, end));
}

/** Is there a colon or an equals sign among the marks? */
function isJoined(start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (bytes[at] === COLON || bytes[at] === 61) return true;
  return false;
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
  return at === start || bytes[at]! < 97 || bytes[at - 1] === UNDERSCORE;
}
