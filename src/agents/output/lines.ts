/**
 * Splits output into lines as it arrives and reads them in its format. Invariants: results do not depend on chunk
 * boundaries; a line over the limit is skipped, so memory is bounded; never throws.
 */
import type { LineReading, OutputFormat } from "./format.ts";
import { parseFields, type Fields } from "./json.ts";

export interface ReadLine extends LineReading {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** Undefined if it is not a JSON object. */
  readonly fields?: Fields;
}

export function createLines(format: OutputFormat) {
  const splitter = createLineSplitter();
  const read = format.createReader();
  let number = 0;
  const readLine = (text: string | undefined): ReadLine => {
    number += 1;
    if (text === undefined) return { number, text: "", problem: "line too long" };
    if (text.trim() === "") return { number, text };
    const fields = parseFields(text);
    return fields === undefined
      ? { number, text, problem: "not a JSON object" }
      : { number, text, fields, ...read(fields) };
  };
  return {
    push: (chunk: string | Uint8Array): readonly ReadLine[] => splitter.push(chunk).map(readLine),
    end: (): readonly ReadLine[] => splitter.end().map(readLine),
  };
}

/** The longest line that is read, in UTF-16 units. */
export const MAX_LINE = 16 * 1024 * 1024;

/** Returns every complete line; undefined stands for one that was too long. */
export function createLineSplitter(maxLine = MAX_LINE) {
  const decoder = new TextDecoder();
  let rest = "";
  let dropped = false;
  const take = (line: string): string | undefined => {
    const tooLong = dropped || line.length > maxLine;
    dropped = false;
    return tooLong ? undefined : line;
  };
  const read = (chunk: string, last: boolean): readonly (string | undefined)[] => {
    rest += chunk;
    if (!last && !chunk.includes("\n") && rest.length <= maxLine) return [];
    const lines = rest.split("\n");
    rest = last ? "" : (lines.pop() ?? "");
    const taken = lines.map(take);
    if (rest.length > maxLine) {
      rest = "";
      dropped = true;
    }
    return taken;
  };
  return {
    push: (chunk: string | Uint8Array) =>
      read(typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }), false),
    /** The last line may lack its newline. */
    end: () => read(decoder.decode(), true),
  };
}
