/**
 * Transcript readers: an agent's output, as it comes, to steps. Invariants: the steps do not depend on how the
 * output was cut into chunks; a line that is no JSON is reported with its number and skipped; lines have a limit,
 * so memory is bounded; never throws.
 */
import { readStep } from "../../core/stuck/step.ts";
import type { Step } from "../../core/stuck/step.ts";
import { createAcpReader } from "./acp.ts";
import { createClaudeReader } from "./claude.ts";
import { createCodexReader } from "./codex.ts";
import { createGeminiReader } from "./gemini.ts";
import { parseFields } from "./json.ts";
import type { LineReader } from "./line-reader.ts";
import { createLineSplitter } from "./line-splitter.ts";
import { createLooseReader } from "./loose.ts";
import { createOpencodeReader } from "./opencode.ts";
import { createPiReader } from "./pi.ts";

const READERS = {
  claude: createClaudeReader,
  codex: createCodexReader,
  gemini: createGeminiReader,
  opencode: createOpencodeReader,
  pi: createPiReader,
  acp: createAcpReader,
  loose: createLooseReader,
} as const satisfies Record<string, () => LineReader>;

export type AgentFormat = keyof typeof READERS;

export const TRANSCRIPT_FORMATS = [
  "claude",
  "codex",
  "gemini",
  "opencode",
  "pi",
  "acp",
  "steps",
] as const;
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

export function createTranscriptReader(format: AgentFormat | "steps"): TranscriptReader {
  const readLine = format === "steps" ? readStepLine : agentLine(lineReaderOf(format));
  const splitter = createLineSplitter();
  let number = 0;

  const read = (lines: readonly (string | undefined)[]): TranscriptPiece => {
    const out = { steps: [] as PlacedStep[], problems: [] as LineProblem[] };
    for (const text of lines) {
      number += 1;
      const line = number;
      const read = text === undefined ? "line too long" : text.trim() === "" ? [] : readLine(text);
      if (typeof read === "string") out.problems.push({ line, problem: read });
      else for (const step of read) out.steps.push({ line, step });
    }
    return out;
  };

  return { push: (chunk) => read(splitter.push(chunk)), end: () => read(splitter.end()) };
}

/** For those who read an agent's typed lines themselves and want their steps too. */
export const lineReaderOf = (format: AgentFormat): LineReader => READERS[format]();

const agentLine =
  (reader: LineReader) =>
  (text: string): readonly Step[] | string => {
    const value = parseFields(text);
    return value === undefined ? "not a JSON object" : reader(value);
  };

function readStepLine(text: string): readonly Step[] | string {
  const value = parseFields(text);
  if (value === undefined) return "not a JSON object";
  const reading = readStep(value);
  return reading.ok ? [reading.step] : `${reading.field}: ${reading.problem}`;
}
