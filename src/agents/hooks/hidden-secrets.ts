/**
 * Takes secrets out of what a session remembers (U12). Invariants: bounded work, however long the text; the same
 * secret always leaves the same word, so that equal calls and results stay equal, and nearly always another one
 * than a different secret; of the secret itself the word tells fifteen bits.
 */
import { hashText } from "../../core/hash.ts";
import { secretsOf } from "../../core/redact/known-values.ts";
import { redactionOf } from "../../core/redact/redaction.ts";
import type { Redaction } from "../../core/redact/redaction.ts";

/** More than any secret is long, so that none is cut in two where something of it is kept. */
const WINDOW = 26_000;

let redaction: Redaction | undefined;

/** `name`: what the text is the value of, where that is known. */
export function withoutSecrets(text: string, name = ""): string {
  if (text.length > 2 * WINDOW)
    return `${withoutSecrets(text.slice(0, WINDOW), name)}\n${withoutSecrets(text.slice(-WINDOW))}`;
  redaction ??= redactionOf(secretsOf(process.env), wordFor);
  const start = `${name}=`;
  const assigned = name === "" ? "" : redaction.text(start + text);
  return assigned.startsWith(start) ? assigned.slice(start.length) : redaction.text(text);
}

/** Letters and digits in turn: what compares results takes it for noise, as it does most secrets. */
function wordFor(secret: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = Array.from(hashText(secret), (digit) => parseInt(digit, 16));
  const letter = (place: number): string => "ghijklmnopqrstuv".charAt(place);
  return `[secret ${`${letter(a)}${b % 10}${letter(c)}${d % 10}`.repeat(3)}]`;
}
