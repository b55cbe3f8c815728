/**
 * The small files of an attempt: its prompt, and files for its agent. Kept files contain no secrets; a file that must
 * contain one is readable only by the user and removed when the attempt ends. Invariant: an existing file is never
 * overwritten.
 */
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Redaction } from "../core/redact/redaction.ts";
import { TIMES_SUFFIX } from "./process/transcript-times.ts";

export const PROMPT_FILE = "prompt.txt";
/** The attempt's output. */
export const TRANSCRIPT_FILE = "transcript";
/** An additional file for agents that read their prompt from a file, if the prompt contains secrets. */
const WHOLE_PROMPT_FILE = "prompt-with-secrets.txt";
/** Written without secrets in the first place. */
const KEPT = new Set([PROMPT_FILE, TRANSCRIPT_FILE, `${TRANSCRIPT_FILE}${TIMES_SUFFIX}`]);

/** The file from which an agent reads its whole prompt. */
export const promptPath = (folder: string, prompt: string, redaction: Redaction): string =>
  join(folder, redaction.text(prompt) === prompt ? PROMPT_FILE : WHOLE_PROMPT_FILE);

export const keepPrompt = (folder: string, prompt: string, redaction: Redaction): Promise<void> =>
  writeFile(join(folder, PROMPT_FILE), redaction.text(prompt), OWN);

const OWN = { flag: "wx", mode: 0o600 } as const;

/** Writes files for an agent; returns those that must be removed later. */
export async function writeAgentFiles(
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

export async function removeLentFiles(lent: readonly string[]): Promise<void> {
  for (const path of lent) await rm(path, { force: true });
}

const LOOKED_AT_BYTES = 4 * 1024 * 1024;

/** Removes files with secrets that were left behind because an attempt's owner died. */
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
