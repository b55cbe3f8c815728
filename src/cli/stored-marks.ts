/**
 * Numbers the secrets of a run, over all processes that ever work on it: a file in the run's folder holds, line by
 * line, a keyed hash of each secret, and its number is the place of its line. Invariants: no secret is ever
 * written; lines are only appended, so two processes at a time agree; a disk that refuses costs the numbers, never
 * the redaction.
 */
import { createHmac, randomBytes } from "node:crypto";
import { appendFileSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NUMBERED_MAX, ONE_OF_MANY } from "../core/redact/redaction.ts";
import type { MarkOf } from "../core/redact/redaction.ts";

const FILE = "secret-marks";
const HASH_CHARS = 20;

export function storedMarks(runDir: string): MarkOf {
  const file = join(runDir, FILE);
  const marks = new Map<string, string>();
  return (secret) => {
    const known = marks.get(secret);
    if (known !== undefined) return known;
    const mark = markIn(file, runDir, secret);
    if (marks.size < NUMBERED_MAX) marks.set(secret, mark);
    return mark;
  };
}

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

function linesOf(file: string): readonly string[] | undefined {
  try {
    return readFileSync(file, "utf8").trimEnd().split("\n");
  } catch {
    return undefined;
  }
}

/** Whoever comes first chooses the key. */
function begun(file: string, runDir: string): readonly string[] {
  mkdirSync(runDir, { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
  try {
    linkSync(fresh, file);
  } catch {
    // Somebody else was first.
  } finally {
    rmSync(fresh, { force: true });
  }
  return readFileSync(file, "utf8").trimEnd().split("\n");
}
