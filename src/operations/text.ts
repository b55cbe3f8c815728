/**
 * Text as people read and write it. Foreign text is sanitized before it is shown; a line consists of pieces, each with
 * an optional style, and means the same without its styles.
 */
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { cleanLine } from "../core/foreign-text.ts";
import type { Problem } from "../core/read-yaml.ts";
import { faultText, systemFault } from "../core/system-faults.ts";
import { ProblemError } from "./operation.ts";

export { count, duration, limitText, spending } from "../core/amounts.ts";
export { waitText } from "../core/backoff.ts";
export { cleanText, cleanLine, escapeHtml } from "../core/foreign-text.ts";
export { faultText };
export { nearestName } from "../core/validate/nearest-name.ts";

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";
export type Piece = readonly [text: string, style?: Style];
export type Line = readonly Piece[];

const BYTES_MAX = 256 * 1024 * 1024;

/** Reads a file that a person named. `name`: as they wrote it. */
export function readTextFile(file: string, name = file): string {
  const shown = cleanLine(name);
  try {
    if (statSync(file).size > BYTES_MAX)
      throw new ProblemError("bad-input", `${shown} is too large to be read`);
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    const why = code === "ENOENT" ? "no such file" : (systemFault(code)?.words ?? code);
    throw new ProblemError("bad-input", `cannot read ${shown}: ${why}`);
  }
}

/** Like `readTextFile`, for a file that people edit: anything but UTF-8 would be misread. */
export function readUtf8File(file: string, name = file): string {
  const text = readTextFile(file, name);
  if (!text.includes("\ufffd") || isUtf8(readFileSync(file))) return text;
  throw new ProblemError("bad-input", `${cleanLine(name)} is not UTF-8 text: save it as UTF-8`);
}

/** Undefined if the file is missing or cannot be read. */
export function textIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** One line per problem, with its place in the file, or the flag it comes from. Without a file there are only flags. */
export const describeProblems = (file: string | undefined, problems: readonly Problem[]): string =>
  problems
    .map(({ line, column, path, message }) => {
      const words = cleanLine(message, 400);
      // `budget.usd must be more than 0`, but `policy: there is no policy "x"`.
      const joint = /^(?:is|has|must) /.test(words) ? " " : ": ";
      const named = path === "" ? words : `${cleanLine(path)}${joint}${words}`;
      if (file === undefined || (line === 0 && path.startsWith("--"))) return named;
      return `${cleanLine(file)}${line === 0 ? "" : `:${line}:${column}`}: ${named}`;
    })
    .join("\n");

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
