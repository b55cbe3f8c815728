/**
 * Transcript readers: an agent's output, as it comes, to steps. Imports core steps and the formats.
 * Invariants: the steps do not depend on how the output was cut into chunks; a line that is no JSON
 * is reported with its number and skipped; lines have a limit, so memory is bounded; never throws.
 */
import { readStep } from "../../core/stuck/step.ts";
import type { Step } from "../../core/stuck/step.ts";
import { createClaudeReader } from "./claude.ts";
import { createCodexReader } from "./codex.ts";
import { createGeminiReader } from "./gemini.ts";
import type { Fields } from "./json.ts";
import type { LineReader } from "./line-reader.ts";
import { createOpencodeReader } from "./opencode.ts";
import { createPiReader } from "./pi.ts";

const READERS = {
  claude: createClaudeReader,
  codex: createCodexReader,
  gemini: createGeminiReader,
  opencode: createOpencodeReader,
  pi: createPiReader,
} as const satisfies Record<string, () => LineReader>;

export const TRANSCRIPT_FORMATS = ["claude", "codex", "gemini", "opencode", "pi", "steps"] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

export interface PlacedStep {
  /** Number of the line, from 1. */
  readonly line: number;
  readonly step: Step;
}

export interface LineProblem {
  readonly line: number;
  readonly problem: string;
}

export interface TranscriptPiece {
  readonly steps: readonly PlacedStep[];
  readonly problems: readonly LineProblem[];
}

export interface TranscriptReader {
  push(chunk: string | Uint8Array): TranscriptPiece;
  /** The last line may lack its newline. */
  end(): TranscriptPiece;
}

/** Longest line that is read, in UTF-16 units. */
export const MAX_LINE = 16 * 1024 * 1024;

export function createTranscriptReader(format: TranscriptFormat): TranscriptReader {
  const readLine = format === "steps" ? readStepLine : agentLine(READERS[format]());
  const decoder = new TextDecoder();
  let rest = "";
  let dropped = false;
  let number = 0;

  const take = (text: string, out: { steps: PlacedStep[]; problems: LineProblem[] }): void => {
    number += 1;
    const line = number;
    const tooLong = dropped || text.length > MAX_LINE;
    dropped = false;
    if (tooLong) return void out.problems.push({ line, problem: "line too long" });
    if (text.trim() === "") return;
    const read = readLine(text);
    if (typeof read === "string") out.problems.push({ line, problem: read });
    else for (const step of read) out.steps.push({ line, step });
  };

  const read = (chunk: string, last: boolean): TranscriptPiece => {
    const out = { steps: [] as PlacedStep[], problems: [] as LineProblem[] };
    rest += chunk;
    if (!last && !chunk.includes("\n") && rest.length <= MAX_LINE) return out;
    const lines = rest.split("\n");
    rest = last ? "" : (lines.pop() ?? "");
    if (rest.length > MAX_LINE) {
      rest = "";
      dropped = true;
    }
    for (const text of lines) take(text, out);
    return out;
  };

  return {
    push: (chunk) =>
      read(typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }), false),
    end: () => read(decoder.decode(), true),
  };
}

const agentLine =
  (reader: LineReader) =>
  (text: string): readonly Step[] | string => {
    const value = parse(text);
    return value === undefined ? "not a JSON object" : reader(value);
  };

function readStepLine(text: string): readonly Step[] | string {
  const value = parse(text);
  if (value === undefined) return "not a JSON object";
  const reading = readStep(value);
  return reading.ok ? [reading.step] : `${reading.field}: ${reading.problem}`;
}

function parse(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : undefined;
  } catch {
    return undefined;
  }
}
