/**
 * Private keys in PEM and its kin, over many lines or in one text with `\n` in it. Invariants: what is public
 * stays (certificates, public keys, signatures); a key that is never closed ends where its lines no longer look
 * like one; a quote ends it, so that JSON stays JSON, and so does another key.
 */

/** A key that has no end within this much is taken for one that was cut off. */
const PEM_MAX = 64 * 1024;

const BEGIN = /-{4,5} ?BEGIN ([A-Z0-9 ]{0,60}?) ?-{4,5}/y;
const PUBLIC = /PUBLIC KEY|CERTIFICATE|SIGNATURE|SIGNED MESSAGE|X509 CRL|PARAMETERS/;

/** The first private key that begins in [from, to), or -1. */
export function nextPem(text: string, from: number, to: number): number {
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
  BEGIN.lastIndex = start;
  const label = BEGIN.exec(text)?.[1];
  return label !== undefined && !PUBLIC.test(label);
}

export interface Pem {
  readonly end: number;
  /** The key itself, without how it is broken into lines. */
  readonly secret: string;
}

const LONGEST_LINE = 80;

/**
 * The key that begins at `start`; nothing while it cannot be told where it ends. `isAll`: no more text will come. `looked`: nothing ended
 * it before this place when it was looked at last.
 */
export function pemAt(
  text: string,
  start: number,
  isAll: boolean,
  looked: number,
): Pem | undefined {
  const most = Math.min(text.length, start + PEM_MAX);
  if (looked > start + LONGEST_LINE && !isAll && most < start + PEM_MAX)
    if (!/"|-{4}/.test(text.slice(looked - LONGEST_LINE))) return undefined;
  BEGIN.lastIndex = start;
  BEGIN.test(text);
  const body = BEGIN.lastIndex;
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

const BODY =
  /(?:\s|\\+[nrt]|[A-Za-z0-9+/]{16,}={0,2}|[A-Za-z0-9+/]{1,15}={1,2}|(?:Proc-Type|DEK-Info|Version|Comment|Key-Type):[^\n"\\]{0,200})/y;

/** How much of what follows looks like the inside of a key; the blank before what does not is left. */
function bodyLength(inside: string): number {
  let length = 0;
  let told = 0;
  for (BODY.lastIndex = 0; BODY.test(inside);) {
    if (!/[\s\\]/.test(inside.charAt(length))) told = BODY.lastIndex;
    length = BODY.lastIndex;
  }
  return told;
}
