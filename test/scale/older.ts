/**
 * An older version of the program, made from this one: it calls itself 0.0.9, and records rows of version 2 in the form
 * they had then. It runs from its source.
 */
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");

export const OLDER = { version: "0.0.9", rows: 2 };

/** What is different in it: file, what stands there now, what stood there. */
const CHANGES: readonly (readonly [string, string, string])[] = [
  ["operations/version.ts", 'VERSION = "0.1.0"', `VERSION = "${OLDER.version}"`],
  ["journal/row-text.ts", "ROW_VERSION = 3", `ROW_VERSION = ${OLDER.rows}`],
  [
    "journal/event-text.ts",
    "export const eventText = (event: RunEvent): RowText => written(event, eventProblem);",
    `export function eventText(event: RunEvent): RowText {
       const text = written(event, eventProblem);
       if (event.kind !== "recovery-chosen") return text;
       const { chosenBy: { by, id }, ...rest } = event;
       return JSON.stringify({ ...rest, rule: by === "rung" ? id : by + ":" + id }) as RowText;
     }`,
  ],
];

/** Its launcher. */
export function olderProgram(folder: string): string {
  mkdirSync(folder);
  for (const part of ["bin", "src", "package.json", "schemas"])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  for (const [name, now, then] of CHANGES) {
    const file = join(folder, "src", name);
    const text = readFileSync(file, "utf8");
    assert.ok(text.includes(now), `${name} has changed: ${now}`);
    writeFileSync(
      file,
      text.replace(now, () => then),
    );
  }
  return join(folder, "bin", "unstuck.js");
}
