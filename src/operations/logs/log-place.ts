/**
 * How far the log of one attempt was told, so that whoever comes back gets the rest: the last event of the run that was
 * taken into account, a number of bytes of the transcript after which nothing was held back, and how many entries were
 * told from there on.
 */
import type { LogEntry } from "./schemas.ts";

export interface TranscriptPlace {
  readonly bytes: number;
  readonly entries: number;
}

export interface LogPlace {
  /** The last event that was told. */
  readonly seq: number;
  /** `all`: its end was told too. */
  readonly at: TranscriptPlace | "all";
}

export interface PlacedEntry {
  readonly entry: LogEntry;
  /** Behind it. */
  readonly at?: LogPlace["at"];
}

export const placeText = ({ seq, at }: LogPlace): string =>
  at === "all" ? `${seq}.all` : `${seq}.${at.bytes}.${at.entries}`;

/** Nothing where it is no place: then everything is told. */
export function logPlace(text = ""): LogPlace | undefined {
  const [, seq, bytes, entries] = /^(\d{1,15})\.(?:(\d{1,15})\.(\d{1,15})|all)$/.exec(text) ?? [];
  if (seq === undefined) return undefined;
  const at =
    bytes === undefined ? "all" : ({ bytes: Number(bytes), entries: Number(entries) } as const);
  return { seq: Number(seq), at };
}
