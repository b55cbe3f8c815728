/**
 * Reads transcripts into steps: either in a named format with line numbers, reporting and skipping unreadable lines; or
 * completely, for people to read. Invariants: never throws, bounded memory.
 */
import { assert } from "../../core/assert.ts";
import type { Step } from "../../core/stuck/step.ts";
import { REGISTRY } from "../registry.ts";
import { parseFields } from "./json.ts";
import { createLines, createLineSplitter, type ReadLine } from "./lines.ts";

export function createStepReader(format: string) {
  const source = REGISTRY.outputNamed(format);
  assert(source !== undefined, `there is an output format ${format}`);
  const lines = createLines(source.output);
  return {
    push: (chunk: string | Uint8Array) => pieceOf(lines.push(chunk)),
    end: () => pieceOf(lines.end()),
  };
}

const pieceOf = (lines: readonly ReadLine[]) => ({
  steps: lines.flatMap(({ number: line, steps = [] }) => steps.map((step) => ({ line, step }))),
  problems: lines.flatMap(({ number: line, problem }) =>
    problem === undefined ? [] : [{ line, problem }],
  ),
});

/** One line of a transcript: steps, text in no known format, or a line that cannot be shown, with the reason. */
export type TranscriptPiece =
  | { readonly kind: "steps"; readonly steps: readonly Step[] }
  | { readonly kind: "words"; readonly text: string }
  | { readonly kind: "lost"; readonly why: "too long" | "cut off" };

/**
 * Reads a whole transcript, standard output and error in order, without losing any text: what is in no known format is
 * returned unchanged. Without a format, the first JSON line determines it, as when the attempt ran.
 */
export function createTranscriptReader(format?: string) {
  const splitter = createLineSplitter();
  let output = format === undefined ? undefined : REGISTRY.outputNamed(format)?.output;
  let read = output?.createReader();
  const piece = (text: string | undefined, isLast: boolean): readonly TranscriptPiece[] => {
    if (text === undefined) return [{ kind: "lost", why: "too long" }];
    const fields = text.startsWith("{") ? parseFields(text) : undefined;
    if (fields === undefined) {
      const isCut = isLast && output !== undefined && text.startsWith("{");
      if (isCut) return [{ kind: "lost", why: "cut off" }];
      return isLast && text === "" ? [] : [{ kind: "words", text }];
    }
    output ??= REGISTRY.outputBeginning(fields)?.output;
    read ??= output?.createReader();
    const { steps = [], problem } = read?.(fields) ?? { problem: "no format" };
    if (steps.length > 0) return [{ kind: "steps", steps }];
    return problem !== undefined || output?.unknown === true ? [{ kind: "words", text }] : [];
  };
  return {
    push: (chunk: Uint8Array): readonly TranscriptPiece[] =>
      splitter.push(chunk).flatMap((text) => piece(text, false)),
    end: (): readonly TranscriptPiece[] => splitter.end().flatMap((text) => piece(text, true)),
  };
}
