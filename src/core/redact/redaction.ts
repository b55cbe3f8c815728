/**
 * Removes secrets from texts, streams and values before they are stored or shown, with the same mark for the same
 * secret within a scope such as a run. Invariants: the result does not depend on how a stream was chunked; redacting
 * twice changes nothing more; buffering is bounded (the last line up to 16 KB, an unterminated PEM key up to 64 KB);
 * the words around a secret stay; JSON lines stay JSON; fields used for lookup are never changed.
 */
import { knownValues, type KnownValues } from "./known-values.ts";
import { CONTEXT, scan } from "./scan.ts";
import { codesOf, SPACES, stopAt } from "./values.ts";

export interface Redaction {
  text(text: string): string;
  /** For text that arrives in chunks. */
  stream(): Redactor;
  /** The same for bytes, one character each: all bytes are preserved, whatever they are. */
  bytes(): Redactor;
}

export function redactionOf(secrets: readonly string[], markOf: MarkOf = numbered()): Redaction {
  const known = knownValues(secrets);
  const stream = (): Redactor => createRedactor(known, markOf);
  return {
    stream,
    bytes: () => createRedactor(known, (secret) => markOf(textOf(secret))),
    text(text) {
      const redactor = stream();
      return redactor.push(text) + redactor.end();
    },
  };
}

/** Decodes UTF-8 bytes. */
function textOf(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes) || /[^\x00-\xff]/.test(bytes)) return bytes;
  try {
    return decodeURIComponent(
      bytes.replace(
        /[%\x80-\xff]/g,
        (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`,
      ),
    );
  } catch {
    return bytes;
  }
}

/** How many secrets are numbered. */
export const NUMBERED_MAX = 10_000;
/** The mark of all further secrets. */
export const ONE_OF_MANY = "[secret]";

/** Numbers secrets in order of appearance, in memory. */
function numbered(): MarkOf {
  const numbers = new Map<string, number>();
  return (secret) => {
    const number = numbers.get(secret) ?? numbers.size + 1;
    if (number > NUMBERED_MAX) return ONE_OF_MANY;
    numbers.set(secret, number);
    return `[secret ${number}]`;
  };
}

/** Our own fields used for lookup; they never contain an agent's words. */
const NAMES: ReadonlySet<string> = new Set([
  ...["kind", "subtask", "slot", "identity", "session", "signature"],
  ...["treeBefore", "treeAfter", "commit", "checkpoint"],
]);

/** A plain field name, never a command or other text. */
const PLAIN_NAME = /^[A-Za-z]{1,30}$/;

/** Redacts every text inside a value of any shape, except lookup fields. */
export function redactDeep<T>(value: T, redact: (text: string) => string): T {
  if (typeof value === "string") return redact(value) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => redactDeep(item, redact)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      PLAIN_NAME.test(name) ? name : redact(name),
      NAMES.has(name) ? (item as unknown) : redactDeep(item as unknown, redact),
    ]),
  ) as T;
}

/** The mark that replaces a secret; equal secrets get equal marks. */
export type MarkOf = (secret: string) => string;

interface Redactor {
  push(chunk: string): string;
  /** Returns the buffered rest and resets the redactor. */
  end(): string;
}

/** A longer line is scanned in pieces. */
const LINE_MAX = 16 * 1024;
/** The look-ahead at the end of a piece, enough for any secret that begins before. */
const AHEAD = 8 * 1024;
const REST_STOPS = codesOf(`${SPACES}"'\`\\<>`);

function createRedactor(known: KnownValues, markOf: MarkOf): Redactor {
  /** Some context that was already emitted, then the text that was not. */
  let text = "";
  let from = 0;
  let cut = false;
  /** Complete lines are known up to this offset. */
  let ready = 0;
  /** An unterminated key was searched up to this offset. */
  let looked = 0;
  let out: string[] = [];

  /** Emits text up to `to` and returns where it ended, which is later if a secret extends beyond. */
  const take = (to: number, limit: number): number => {
    let written = from;
    scan(text, { from, to, limit }, known, ({ start, end, secret, quote = "" }) => {
      out.push(text.slice(written, start), quote, markOf(secret), quote);
      written = end;
    });
    if (written < to) out.push(text.slice(written, to));
    from = Math.max(written, to);
    return written;
  };
  /** Drops the rest of a secret that was longer than a piece. */
  const skipRest = (isAll: boolean): boolean => {
    if (!cut) return true;
    from = stopAt(text, from, text.length, REST_STOPS);
    cut = from === text.length && !isAll;
    return !cut;
  };
  /** Processes complete lines or a piece of a long one; false if more text is needed. */
  const step = (isAll: boolean): boolean => {
    if (!skipRest(isAll) || from >= text.length) return false;
    const { to, limit } = from < ready ? { to: ready, limit: ready } : nextPiece(text, from, isAll);
    if (to === from) return false;
    ready = to === limit ? to : 0;
    const pem = nextPem(text, from, to);
    if (pem < 0) {
      cut = take(to, limit) === limit && to < limit;
      return true;
    }
    if (pem > from) take(pem, pem);
    const found = pemAt(text, from, isAll, looked);
    looked = found === undefined ? text.length : 0;
    if (found === undefined) return false;
    out.push(markOf(found.secret));
    from = found.end;
    return true;
  };
  const run = (isAll: boolean): string => {
    while (step(isAll));
    const told = out.join("");
    out = [];
    const kept = Math.max(0, from - CONTEXT);
    text = text.slice(kept);
    from -= kept;
    ready = 0;
    looked = Math.max(0, looked - kept);
    return told;
  };
  return {
    push(chunk) {
      text += chunk;
      return run(false);
    },
    end() {
      const told = run(true);
      text = "";
      from = 0;
      looked = 0;
      cut = false;
      return told;
    },
  };
}

/** All complete lines no longer than a piece, else one piece of the first. */
function nextPiece(
  text: string,
  from: number,
  isAll: boolean,
): { readonly to: number; readonly limit: number } {
  let to = from;
  for (;;) {
    const end = text.indexOf("\n", to) + 1 || (isAll ? text.length : 0);
    if (end === 0 || end - to > LINE_MAX) break;
    if (end === to) return { to, limit: to };
    to = end;
  }
  if (to > from || text.length - from < LINE_MAX) return { to, limit: to };
  return { to: from + LINE_MAX - AHEAD, limit: from + LINE_MAX };
}

/**
 * Private keys in PEM and similar formats, over several lines or in one string with `\n` in it. Public parts stay. An
 * unterminated key ends where its lines no longer look like one. A quote ends it too, so that JSON stays JSON, and so
 * does another key. A key without an end within this size is treated as cut off.
 */
const PEM_MAX = 64 * 1024;

const PEM_BEGIN = /-{4,5} ?BEGIN ([A-Z0-9 ]{0,60}?) ?-{4,5}/y;
const PUBLIC = /PUBLIC KEY|CERTIFICATE|SIGNATURE|SIGNED MESSAGE|X509 CRL|PARAMETERS/;

/** The first private key that begins in [from, to), or -1. */
function nextPem(text: string, from: number, to: number): number {
  for (let at = from; at < to;) {
    const found = text.indexOf("BEGIN ", at);
    if (found < 0) return -1;
    const start = dashesBefore(text, found);
    if (start >= from && start < to && isPrivate(text, start)) return start;
    at = found + 6;
  }
  return -1;
}

function dashesBefore(text: string, begin: number): number {
  let start = text.charAt(begin - 1) === " " ? begin - 1 : begin;
  const lowest = Math.max(0, start - 5);
  while (start > lowest && text.charCodeAt(start - 1) === 45) start -= 1;
  return start;
}

function isPrivate(text: string, start: number): boolean {
  PEM_BEGIN.lastIndex = start;
  const label = PEM_BEGIN.exec(text)?.[1];
  return label !== undefined && !PUBLIC.test(label);
}

interface Pem {
  readonly end: number;
  /** The key itself, without line breaks. */
  readonly secret: string;
}

const LONGEST_LINE = 80;

/**
 * The PEM key that begins at `start`; undefined while its end is not known. `isAll`: no more text will come. `looked`:
 * an earlier search found no end before this offset.
 */
function pemAt(text: string, start: number, isAll: boolean, looked: number): Pem | undefined {
  const most = Math.min(text.length, start + PEM_MAX);
  if (looked > start + LONGEST_LINE && !isAll && most < start + PEM_MAX)
    if (!/"|-{4}/.test(text.slice(looked - LONGEST_LINE))) return undefined;
  PEM_BEGIN.lastIndex = start;
  PEM_BEGIN.test(text);
  const body = PEM_BEGIN.lastIndex;
  const block = text.slice(body, most);
  const stop = /"|-{4} ?BEGIN /.exec(block)?.index ?? -1;
  const inside = stop < 0 ? block : block.slice(0, stop);
  const close = /-{4,5} ?END [A-Z0-9 ]{0,60}-{4,5}/.exec(inside);
  if (close !== null) {
    const end = body + close.index + close[0].length;
    const mayGoOn = end === text.length && !isAll;
    return mayGoOn ? undefined : pem(text, body, body + close.index, end);
  }
  if (stop < 0 && !isAll && text.length < start + PEM_MAX) return undefined;
  const end = body + bodyLength(inside);
  return pem(text, body, end, end);
}

const pem = (text: string, body: number, bodyEnd: number, end: number): Pem => ({
  end,
  secret: `PEM ${text
    .slice(body, bodyEnd)
    .replace(/\\+[nrt]/g, "")
    .replace(/[^A-Za-z0-9+/=]+/g, "")}`,
});

const PEM_BODY =
  /(?:\s|\\+[nrt]|[A-Za-z0-9+/]{16,}={0,2}|[A-Za-z0-9+/]{1,15}={1,2}|(?:Proc-Type|DEK-Info|Version|Comment|Key-Type):[^\n"\\]{0,200})/y;

/** How much of the following text looks like the body of a key, without trailing white space. */
function bodyLength(inside: string): number {
  let length = 0;
  let told = 0;
  for (PEM_BODY.lastIndex = 0; PEM_BODY.test(inside);) {
    if (!/[\s\\]/.test(inside.charAt(length))) told = PEM_BODY.lastIndex;
    length = PEM_BODY.lastIndex;
  }
  return told;
}
