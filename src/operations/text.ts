/**
 * Text as people read and write it. What is foreign is cleaned before it is shown; a line is pieces, each with a
 * style or none, and says everything without its styles.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { cleanLine } from "../core/foreign-text.ts";
import type { Problem } from "../core/read-yaml.ts";
import { ProblemError } from "./operation.ts";

export { count, duration, limitText, spending } from "../core/amounts.ts";
export { waitText } from "../core/backoff.ts";
export { cleanText, cleanLine } from "../core/foreign-text.ts";
export { nearestName } from "../core/validate/nearest-name.ts";
export { faultText } from "../core/system-faults.ts";

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";
export type Piece = readonly [text: string, style?: Style];
export type Line = readonly Piece[];

/** A file that a person named. `name`: as they wrote it. */
export function readTextFile(file: string, name = file): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    throw new ProblemError("bad-input", `cannot read ${cleanLine(name)}: ${code}`);
  }
}

/** Undefined where there is no such file, or it cannot be read. */
export function textIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** One line for each, with its place in the file. */
export const describeProblems = (file: string, problems: readonly Problem[]): string =>
  problems
    .map(({ line, column, path, message }) => {
      const at = path === "" ? "" : `${path}: `;
      return `${cleanLine(file)}:${line}:${column}: ${at}${cleanLine(message, 300)}`;
    })
    .join("\n");

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
