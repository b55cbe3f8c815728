/**
 * The redaction of this process (U12): that of the run it works on, if any, otherwise its own. A file in the run's
 * folder numbers the run's secrets, one keyed hash per line. Invariants: everything shown or kept of a run goes through
 * the same redaction, in every process that ever works on it; no secret is ever written; lines are only appended, so
 * concurrent processes agree; a failing disk costs the numbers, never the redaction.
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

/** For text that is shown, or kept outside of a run. */
export function redact(text: string): string {
  current ??= redactionOf(secretsOf(process.env));
  return current.text(text);
}

const written = new WeakMap<
  object,
  { readonly by: Redaction | undefined; readonly text: string }
>();

/** JSON for objects that are shown repeatedly or to many: serialized once, so the object must not change afterwards. */
export function redactedJson(value: object): string {
  const known = written.get(value);
  if (known !== undefined && known.by === current) return known.text;
  const text = redact(JSON.stringify(value));
  written.set(value, { by: current, text });
  return text;
}

/** For bytes that arrive in pieces, with each byte as one character. */
export function redactedBytes(): ReturnType<Redaction["bytes"]> {
  current ??= redactionOf(secretsOf(process.env));
  return current.bytes();
}

/** Makes this run's redaction the one of the process. `carried`: files the run takes along. */
export function redactionOfRun(runDir: string, carried: readonly string[] = []): Redaction {
  const secrets = [process.env, ...envTexts(carried).map(variablesIn)].flatMap(secretsOf);
  current = redactionOf(secrets, storedMarks(runDir));
  return current;
}

const RECORDED_CHARS = 200_000;

/** For recorded text of agents: removes secrets and everything a terminal would interpret. */
export const recordable =
  (redaction: Redaction) =>
  (text: string): string =>
    cutMiddle(redaction.text(cleanText(text, { maxChars: Infinity })), RECORDED_CHARS);

const ENV_FILES_MAX = 50;
const ENV_BYTES_MAX = 256 * 1024;

/** Values in .env files count as secrets; an unreadable file is not carried either. */
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

/** A secret's number is the number of its line. */
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
