/**
 * Faults of the machine, by script: what a command said and how it ended, kept word for word. A snapshot has a line
 * `$ command` for each command, its output, lines of standard error with `! ` before them, and `exit N`; ids, folders and times are
 * masked. UNSTUCK_SNAPSHOTS=write writes them anew.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Said {
  /** As a person would type it. */
  readonly command: string;
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Folders of this test and what they are called in the snapshot; the longest first. */
export type Masks = Readonly<Record<string, string>>;

const MASKED: readonly (readonly [RegExp, string])[] = [
  [/\b\d{8}-\d{4}-[0-9a-f]{6}\b/g, "<run>"],
  [/\b\d+(?:\.\d+)? ?(?:ms|s|min)\b/g, "<time>"],
  [/\b\d+ KB\b/g, "<n> KB"],
  [/ +(?=<time>)/g, " "],
  [/─+$/gm, "──"],
];

export function assertSnapshot(name: string, said: readonly Said[], masks: Masks): void {
  const file = join(import.meta.dirname, "snapshots", `${name}.txt`);
  const text = masked(said.map(shown).join("\n"), masks);
  if (process.env["UNSTUCK_SNAPSHOTS"] === "write") writeFileSync(file, text);
  assert.equal(text, existsSync(file) ? readFileSync(file, "utf8") : "(no snapshot yet)");
}

function shown({ command, code, out, err }: Said): string {
  const lines = (text: string, mark: string): string =>
    text
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => `${mark}${line}\n`)
      .join("");
  const words = (out === "" ? "" : lines(out, "")) + (err === "" ? "" : lines(err, "! "));
  return `$ ${command}\n${words}exit ${code}\n`;
}

function masked(text: string, masks: Masks): string {
  const folders = Object.entries(masks).sort(([a], [b]) => b.length - a.length);
  const named = folders.reduce((sum, [folder, name]) => sum.replaceAll(folder, name), text);
  return MASKED.reduce((sum, [pattern, name]) => sum.replace(pattern, name), named);
}
