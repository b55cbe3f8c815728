/** Reads a file that a person named. */
import { readFileSync } from "node:fs";
import { tameLine } from "../core/foreign-text.ts";
import { ProblemError } from "./operation.ts";

/** `name`: as the person wrote it. */
export function readTextFile(file: string, name = file): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    throw new ProblemError("bad-input", `cannot read ${tameLine(name)}: ${code}`);
  }
}
