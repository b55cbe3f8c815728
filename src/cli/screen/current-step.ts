/**
 * What an agent does now, from the end of its transcript: its last tool call or words, read in its own format
 * where that is known, else its last line. Invariants: never throws; JSON that cannot be read is not shown.
 */
import { tameLine } from "../../core/foreign-text.ts";
import type { Step } from "../../core/stuck/step.ts";
import { createTranscriptReader } from "../../agents/output/transcript.ts";

const STEP_CHARS = 200;

/** Of the end of a transcript; its first line may be cut and is then passed over. */
export function stepWords(tail: string, format: string | undefined): string {
  const lines = tail.split("\n").filter((line) => line.trim() !== "");
  const last = lines.at(-1)?.trim() ?? "";
  if (format === undefined && !last.startsWith("{")) return tameLine(last, STEP_CHARS);
  const reader = createTranscriptReader(format ?? "steps");
  const steps = [...reader.push(`${lines.join("\n")}\n`).steps].reverse();
  for (const { step } of steps) {
    const words = wordsOf(step);
    if (words !== "") return words;
  }
  return "";
}

function wordsOf(step: Step): string {
  switch (step.kind) {
    case "tool_call":
      return tameLine(`${step.tool} ${argumentWords(step.args)}`, STEP_CHARS);
    case "message":
    case "error":
      return tameLine(lastLine(step.text), STEP_CHARS);
    case "compaction":
      return "compacting its context";
    default:
      return "";
  }
}

const lastLine = (text: string): string => text.trim().split("\n").at(-1) ?? "";

/** The argument that says most: a command, a path, a pattern; else all of them. */
const TELLING = ["command", "file_path", "path", "pattern", "query", "url", "description"];

function argumentWords(args: unknown): string {
  if (typeof args === "string") return args;
  if (typeof args !== "object" || args === null) return "";
  const fields = args as Readonly<Record<string, unknown>>;
  for (const name of TELLING) {
    const value = fields[name];
    if (typeof value === "string") return value;
    if (Array.isArray(value)) return value.map(String).join(" ");
  }
  return JSON.stringify(args).slice(0, STEP_CHARS);
}
