/**
 * The small files of an attempt: its prompt, and what its agent has to read. What is kept holds no secrets (U12); a
 * file that has to hold one for its agent is the user's alone and gone when the attempt ends. Invariant: an existing
 * file is never overwritten.
 */
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Redaction } from "../core/redact/redaction.ts";
import { TIMES_SUFFIX } from "./process/transcript-times.ts";

export const PROMPT_FILE = "prompt.txt";
/** What it printed. */
export const TRANSCRIPT_FILE = "transcript";
/** Beside it, for an agent that reads its prompt from a file, where the prompt has secrets in it. */
const WHOLE_PROMPT_FILE = "prompt-with-secrets.txt";
/** Kept without secrets from the start. */
const KEPT = new Set([PROMPT_FILE, TRANSCRIPT_FILE, `${TRANSCRIPT_FILE}${TIMES_SUFFIX}`]);

/** The file an agent reads its whole prompt from. */
export const promptPath = (folder: string, prompt: string, redaction: Redaction): string =>
  join(folder, redaction.text(prompt) === prompt ? PROMPT_FILE : WHOLE_PROMPT_FILE);

export const keepPrompt = (folder: string, prompt: string, redaction: Redaction): Promise<void> =>
  writeFile(join(folder, PROMPT_FILE), redaction.text(prompt), OWN);

const OWN = { flag: "wx", mode: 0o600 } as const;

/** Writes files that an agent reads; answers with those that must not stay. */
export async function lendFiles(
  files: Readonly<Record<string, string>>,
  redaction: Redaction,
): Promise<readonly string[]> {
  const lent: string[] = [];
  for (const [path, content] of Object.entries(files)) {
    if (basename(path) === PROMPT_FILE) continue;
    await writeFile(path, content, OWN);
    if (redaction.text(content) !== content) lent.push(path);
  }
  return lent;
}

export async function takeBack(lent: readonly string[]): Promise<void> {
  for (const path of lent) await rm(path, { force: true });
}

const LOOKED_AT_BYTES = 4 * 1024 * 1024;

/** Files with secrets that attempts left behind because their owner died. */
export async function removeLeftSecrets(attempts: string, redaction: Redaction): Promise<void> {
  const entries = await readdir(attempts, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile() || KEPT.has(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    if ((await stat(path)).size > LOOKED_AT_BYTES) continue;
    const content = await readFile(path, "utf8");
    if (redaction.text(content) !== content) await rm(path, { force: true });
  }
}
