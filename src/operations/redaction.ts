/**
 * The redaction of this process (U12): of the run it is about where there is one, else its own. A file in the run's
 * folder numbers the run's secrets, line by line a keyed hash of each. Invariants: what is shown and what is kept of
 * a run go through the same redaction, in every process that ever works on it; no secret is ever written; lines are
 * only appended, so two processes at a time agree; a disk that refuses costs the numbers, never the redaction.
 */
import { createHmac } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { cleanText, cutMiddle } from "../core/foreign-text.ts";
import { secretsOf, variablesIn } from "../core/redact/known-values.ts";
import { NUMBERED_MAX, ONE_OF_MANY, redactionOf } from "../core/redact/redaction.ts";
import type { MarkOf, Redaction } from "../core/redact/redaction.ts";
import { madeKeyFile } from "./key-file.ts";
import { textIfThere } from "./text.ts";

let current: Redaction | undefined;

/** For what is shown, or kept outside of a run. */
export function redact(text: string): string {
  current ??= redactionOf(secretsOf(process.env));
  return current.text(text);
}

const written = new WeakMap<
  object,
  { readonly by: Redaction | undefined; readonly text: string }
>();

/** As JSON, for what is shown again and again, or to many at once: it is written out once, and never changed after. */
export function redactedJson(value: object): string {
  const known = written.get(value);
  if (known !== undefined && known.by === current) return known.text;
  const text = redact(JSON.stringify(value));
  written.set(value, { by: current, text });
  return text;
}

/** For bytes that come in pieces, each byte as one character. */
export function redactedBytes(): ReturnType<Redaction["bytes"]> {
  current ??= redactionOf(secretsOf(process.env));
  return current.bytes();
}

/** From now on, everything goes through the redaction of this run. `carried`: files it takes along. */
export function redactionOfRun(runDir: string, carried: readonly string[] = []): Redaction {
  const secrets = [process.env, ...envTexts(carried).map(variablesIn)].flatMap(secretsOf);
  current = redactionOf(secrets, storedMarks(runDir));
  return current;
}

const RECORDED_CHARS = 200_000;

/** For what is recorded of an agent's words: nothing a terminal would obey, and no secret. */
export const recordable =
  (redaction: Redaction) =>
  (text: string): string =>
    cutMiddle(redaction.text(cleanText(text, { maxChars: Infinity })), RECORDED_CHARS);

const ENV_FILES_MAX = 50;
const ENV_BYTES_MAX = 256 * 1024;

/** What .env files name is known for a secret; what cannot be read is not carried either. */
const envTexts = (files: readonly string[]): readonly string[] =>
  files
    .filter((file) => basename(file).startsWith(".env"))
    .slice(0, ENV_FILES_MAX)
    .flatMap((file) => {
      try {
        return statSync(file).size > ENV_BYTES_MAX ? [] : [readFileSync(file, "utf8")];
      } catch {
        return [];
      }
    });

const MARKS_FILE = "secret-marks";
const HASH_CHARS = 20;

function storedMarks(runDir: string): MarkOf {
  const file = join(runDir, MARKS_FILE);
  const marks = new Map<string, string>();
  return (secret) => {
    const known = marks.get(secret);
    if (known !== undefined) return known;
    const mark = markIn(file, runDir, secret);
    if (marks.size < NUMBERED_MAX) marks.set(secret, mark);
    return mark;
  };
}

/** The number of a secret is the place of its line. */
function markIn(file: string, runDir: string, secret: string): string {
  try {
    const [key = "", ...before] = linesOf(file) ?? begun(file, runDir);
    const hash = createHmac("sha256", key).update(secret).digest("hex").slice(0, HASH_CHARS);
    if (!before.includes(hash)) {
      if (before.length >= NUMBERED_MAX) return ONE_OF_MANY;
      appendFileSync(file, `${hash}\n`);
    }
    return `[secret ${(linesOf(file) ?? []).indexOf(hash)}]`;
  } catch {
    return ONE_OF_MANY;
  }
}

const linesOf = (file: string): readonly string[] | undefined =>
  textIfThere(file)?.trimEnd().split("\n");

function begun(file: string, runDir: string): readonly string[] {
  mkdirSync(runDir, { recursive: true, mode: 0o700 });
  return madeKeyFile(file).trimEnd().split("\n");
}
