/** Screens that a reader approved, kept as files: `UNSTUCK_KEEP=1 node --test <file>` writes them anew. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "snapshots");

export function assertKept(name: string, lines: readonly string[]): void {
  const file = join(FOLDER, `${name}.txt`);
  const text = `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
  if (process.env["UNSTUCK_KEEP"] === "1") {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(file, text);
  }
  assert.equal(text, readFileSync(file, "utf8"), name);
}
