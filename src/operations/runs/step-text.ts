/** One step of an agent in one line, for whoever follows a run. */
import { createStepReader } from "../../agents/output/transcript.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import type { Step } from "../../core/stuck/step.ts";

const STEP_CHARS = 200;

/** Of the end of a transcript; its first line may be cut and is then passed over. */
export function stepText(tail: string, format: string | undefined): string {
  const lines = tail.split("\n").filter((line) => line.trim() !== "");
  const last = lines.at(-1)?.trim() ?? "";
  if (format === undefined && !last.startsWith("{")) return cleanLine(last, STEP_CHARS);
  const reader = createStepReader(format ?? "steps");
  const steps = reader.push(`${lines.join("\n")}\n`).steps.map(({ step }) => doing(step));
  return steps.findLast((text) => text !== "") ?? "";
}

function doing(step: Step): string {
  switch (step.kind) {
    case "tool_call":
      return cleanLine(`${step.tool} ${argumentText(step.args)}`, STEP_CHARS);
    case "message":
    case "error":
      return cleanLine(lastLine(step.text), STEP_CHARS);
    case "compaction":
      return "compacting its context";
    default:
      return "";
  }
}

const lastLine = (text: string): string => text.trim().split("\n").at(-1) ?? "";

/** The argument that says most: a command, a path, a pattern; else all of them. */
const TELLING = ["command", "file_path", "path", "pattern", "query", "url", "description"];

function argumentText(args: unknown): string {
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
