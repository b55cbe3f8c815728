/**
 * When an attempt printed what: a file next to its transcript, with lines `offset milliseconds` for what was written
 * from that offset on. Invariants: offsets and times only grow; lines are few and bounded; a disk error loses the
 * times, never the transcript.
 */
import { open, type FileHandle } from "node:fs/promises";

export const TIMES_SUFFIX = "-times";

const APART_MS = 100;
const MAX_TIMES = 100_000;

export interface TranscriptTimes {
  /** Bytes from here on are being written now. */
  note(offset: number): Promise<void>;
  close(): Promise<void>;
}

export function keepTimes(transcript: string, now: () => number = Date.now): TranscriptTimes {
  let file: Promise<FileHandle | undefined> | undefined;
  let last = -Infinity;
  let noted = 0;
  return {
    async note(offset) {
      const at = now();
      if (at - last < APART_MS || noted >= MAX_TIMES) return;
      last = at;
      noted += 1;
      file ??= open(`${transcript}${TIMES_SUFFIX}`, "wx", 0o600).catch(() => undefined);
      await (await file)?.write(`${offset} ${at}\n`).catch(() => undefined);
    },
    close: async () => void (await (await file)?.close().catch(() => undefined)),
  };
}
