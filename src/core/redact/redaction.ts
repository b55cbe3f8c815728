/**
 * Redaction of one scope, such as a run: whole texts, streams and values, with the same marks for the same
 * secrets. Invariant: of a value, names by which things are found again are never touched.
 */
import { redactorOf } from "./redactor.ts";
import type { MarkOf, Redactor } from "./redactor.ts";

export interface Redaction {
  text(text: string): string;
  /** For text that comes in pieces. */
  stream(): Redactor;
  /** The same for bytes, each as one character: nothing of them is lost, whatever they are. */
  bytes(): Redactor;
}

export function redactionOf(secrets: readonly string[], markOf: MarkOf = numbered()): Redaction {
  const stream = redactorOf(secrets, markOf);
  return {
    stream,
    bytes: redactorOf(secrets, (secret) => markOf(textOf(secret))),
    text(text) {
      const redactor = stream();
      return redactor.push(text) + redactor.end();
    },
  };
}

/** Bytes of UTF-8 as the text they are. */
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

/** As many are told apart. */
export const NUMBERED_MAX = 10_000;
/** For secrets beyond those that are told apart. */
export const ONE_OF_MANY = "[secret]";

/** Numbers secrets as they come, in memory. */
function numbered(): MarkOf {
  const numbers = new Map<string, number>();
  return (secret) => {
    const number = numbers.get(secret) ?? numbers.size + 1;
    if (number > NUMBERED_MAX) return ONE_OF_MANY;
    numbers.set(secret, number);
    return `[secret ${number}]`;
  };
}

/** Fields by which things are found again: ours, never an agent's words. */
const NAMES: ReadonlySet<string> = new Set([
  ...["kind", "subtask", "slot", "identity", "session", "signature"],
  ...["treeBefore", "treeAfter", "commit", "checkpoint"],
]);

/** What only a field is called, never a command or a text. */
const PLAIN_NAME = /^[A-Za-z]{1,30}$/;

/** Every text inside a value, whatever it is made of, but for names. */
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
