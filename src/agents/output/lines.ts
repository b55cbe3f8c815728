/**
 * An output as it comes, cut into lines and read in its format. Invariants: what is read does not depend on how the
 * output was cut into chunks; a line over the limit is passed over, so memory is bounded; never throws.
 */
import type { LineReading, OutputFormat } from "./format.ts";
import { parseFields } from "./json.ts";
import type { Fields } from "./json.ts";

export interface ReadLine extends LineReading {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** Undefined where it is no JSON object. */
  readonly fields?: Fields;
}

export interface Lines {
  push(chunk: string | Uint8Array): readonly ReadLine[];
  /** The last line may lack its newline. */
  end(): readonly ReadLine[];
}

export function createLines(format: OutputFormat): Lines {
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
    push: (chunk) => splitter.push(chunk).map(readLine),
    end: () => splitter.end().map(readLine),
  };
}

interface LineSplitter {
  /** Every line that is complete now; undefined stands for one that was too long. */
  push(chunk: string | Uint8Array): readonly (string | undefined)[];
  /** The last line may lack its newline. */
  end(): readonly (string | undefined)[];
}

/** Longest line that is read, in UTF-16 units. */
export const MAX_LINE = 16 * 1024 * 1024;

export function createLineSplitter(maxLine = MAX_LINE): LineSplitter {
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
    push: (chunk) =>
      read(typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }), false),
    end: () => read(decoder.decode(), true),
  };
}
