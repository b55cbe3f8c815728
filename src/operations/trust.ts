/**
 * Trust (U14): setup, checks and agent commands that stand in a repository's plan run only after the user trusted
 * that content, by its hash. The file is the user's own, outside every repository.
 */
import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";

export const trustMark = (text: string): string => createHash("sha256").update(text).digest("hex");

export function isTrusted(file: string, mark: string): boolean {
  return read(file).includes(mark);
}

export function trust(file: string, mark: string): void {
  const marks = [...new Set([...read(file), mark])].slice(-1000);
  writeFileSync(`${file}.new`, `${JSON.stringify({ trusted: marks }, null, 1)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function read(file: string): readonly string[] {
  try {
    const { trusted } = JSON.parse(readFileSync(file, "utf8")) as { trusted?: unknown };
    return Array.isArray(trusted) ? trusted.filter((mark) => typeof mark === "string") : [];
  } catch {
    return [];
  }
}
