/**
 * Groups a transcript's entries: a call with its result, and consecutive lines of printed output. It grows with the
 * transcript at constant cost per entry. Invariant: a group of printed lines is bounded.
 */
import type { LogEntry } from "../api/operations.ts";

export type ToolResult = Extract<LogEntry, { readonly kind: "tool-result" }>;

export interface Piece {
  readonly entry: LogEntry;
  readonly result?: ToolResult;
}

const PRINTED_LINES = 100;
const PRINTED_CHARS = 20_000;

export function pieceCollector() {
  const pieces: Piece[] = [];
  /** Positions of calls without a result, by their id; those without an id in order. */
  const named = new Map<string, number>();
  const unnamed: number[] = [];
  let printedLines = 0;

  const addResult = (result: ToolResult): void => {
    const at = result.id === undefined ? unnamed.shift() : named.get(result.id);
    const call = at === undefined ? undefined : pieces[at];
    if (result.id !== undefined) named.delete(result.id);
    if (at === undefined || call === undefined) pieces.push({ entry: result });
    else pieces[at] = { entry: call.entry, result };
  };
  const addPrinted = (entry: Extract<LogEntry, { readonly kind: "output" }>): void => {
    const last = pieces.at(-1)?.entry;
    const isMore =
      last?.kind === "output" &&
      printedLines < PRINTED_LINES &&
      last.text.length + entry.text.length < PRINTED_CHARS;
    printedLines = isMore ? printedLines + 1 : 1;
    if (isMore)
      pieces[pieces.length - 1] = { entry: { ...last, text: `${last.text}\n${entry.text}` } };
    else pieces.push({ entry });
  };
  return {
    pieces: pieces as readonly Piece[],
    add(entries: readonly LogEntry[]): void {
      for (const entry of entries) {
        if (entry.kind === "tool-result") addResult(entry);
        else if (entry.kind === "output") addPrinted(entry);
        else {
          if (entry.kind === "tool-call" || entry.kind === "file-change")
            if (entry.id === undefined) unnamed.push(pieces.length);
            else named.set(entry.id, pieces.length);
          pieces.push({ entry });
        }
      }
    },
  };
}
