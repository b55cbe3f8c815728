/**
 * What running agents do now, from the ends of their transcripts, in any process: the last tool call or words, read
 * in the agent's own format where that is known, else the last line. Invariants: never throws; a file that is not
 * there is no step; JSON that cannot be read is not shown; secrets are taken out.
 */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { createStepReader } from "../../agents/output/transcript.ts";
import { OUTPUT_FORMATS } from "../../agents/registry.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { vectorItems } from "../../core/persistent-vector.ts";
import type { RunPlan } from "../../core/plan/run-plan.ts";
import type { RunState } from "../../core/run/state.ts";
import type { Step } from "../../core/stuck/step.ts";
import { redact } from "../redaction.ts";

const STEP_CHARS = 200;

/** Of the end of a transcript; its first line may be cut and is then passed over. */
export function stepWords(tail: string, format: string | undefined): string {
  const lines = tail.split("\n").filter((line) => line.trim() !== "");
  const last = lines.at(-1)?.trim() ?? "";
  if (format === undefined && !last.startsWith("{")) return cleanLine(last, STEP_CHARS);
  const reader = createStepReader(format ?? "steps");
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
      return cleanLine(`${step.tool} ${argumentWords(step.args)}`, STEP_CHARS);
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

const TAIL_BYTES = 16 * 1024;
/** More agents than a screen has rows need not be read. */
const READ_MAX = 60;

/** By `subtask/attempt`. */
export async function currentSteps(
  state: RunState,
  runDir: string,
  agents: RunPlan["agents"],
): Promise<ReadonlyMap<string, string>> {
  const running = vectorItems(state.subtasks).flatMap((own, index) => {
    const id = state.plan.subtasks[index]?.id ?? "";
    return own.running.map(({ attempt, spec }) => ({ id, attempt, agent: spec.entry.agent }));
  });
  const steps = new Map<string, string>();
  for (const { id, attempt, agent } of running.slice(0, READ_MAX)) {
    const folder = join(runDir, "attempts", encodeURIComponent(id), String(attempt));
    const tail = redact(await tailOf(join(folder, "transcript")));
    const words = stepWords(tail, formatOf(agents[agent]));
    if (words !== "") steps.set(`${id}/${attempt}`, words);
  }
  return steps;
}

function formatOf(agent: RunPlan["agents"][string] | undefined): string | undefined {
  if (agent?.format !== undefined) return agent.format;
  return OUTPUT_FORMATS.find((format) => format === agent?.adapter);
}

async function tailOf(path: string): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      const from = Math.max(0, size - TAIL_BYTES);
      const { bytesRead, buffer } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, from);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return "";
  }
}
