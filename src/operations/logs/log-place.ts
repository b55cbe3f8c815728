/**
 * How far the log of one attempt was reported, so that a client that reconnects gets the rest: the last event of the
 * run that was considered, a number of bytes of the transcript after which nothing was held back, and the number of
 * entries reported after that.
 */
import type { LogEntry } from "./schemas.ts";

export interface TranscriptPlace {
  readonly bytes: number;
  readonly entries: number;
}

export interface LogPlace {
  /** The last event that was reported. */
  readonly seq: number;
  /** `all`: its end was reported too. */
  readonly at: TranscriptPlace | "all";
}

export interface PlacedEntry {
  readonly entry: LogEntry;
  /** The place after this entry. */
  readonly at?: LogPlace["at"];
}

export const placeText = ({ seq, at }: LogPlace): string =>
  at === "all" ? `${seq}.all` : `${seq}.${at.bytes}.${at.entries}`;

/** Undefined if the text is no place: then everything is reported. */
export function logPlace(text = ""): LogPlace | undefined {
  const [, seq, bytes, entries] = /^(\d{1,15})\.(?:(\d{1,15})\.(\d{1,15})|all)$/.exec(text) ?? [];
  if (seq === undefined) return undefined;
  const at =
    bytes === undefined ? "all" : ({ bytes: Number(bytes), entries: Number(entries) } as const);
  return { seq: Number(seq), at };
}
