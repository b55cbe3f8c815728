/**
 * Cuts a stream of text into lines. Invariants: the lines do not depend on how the text was cut into chunks; a
 * line over the limit is given as undefined, so memory is bounded; never throws.
 */

export interface LineSplitter {
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
