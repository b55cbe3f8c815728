/**
 * Reads a transcript in pieces, with the time each was printed; called again, it returns what was added. Invariants:
 * never more than one piece in memory; no file stays open between reads; a missing file is empty; a file that was
 * replaced or truncated is read again from its start, and the piece says so.
 */
import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { TRANSCRIPT_FILE } from "../../agents/attempt-files.ts";
import { TIMES_SUFFIX } from "../../agents/process/transcript-times.ts";

const PIECE_BYTES = 64 * 1024;
/** Far above any real size. */
const TIMES_MAX_BYTES = 8 * 1024 * 1024;

export interface ReadPiece {
  readonly bytes: Buffer;
  /** Epoch milliseconds; absent if it was not recorded. */
  readonly at?: number;
  /** The file is not the one that was read before: this is its start. */
  readonly anew: boolean;
}

export function transcriptFile(folder: string) {
  const path = join(folder, TRANSCRIPT_FILE);
  const times = timesFile(`${path}${TIMES_SUFFIX}`);
  let inode = 0;
  let offset = 0;
  return {
    /** How many bytes were read. */
    place: (): number => offset,
    async *read(upTo = Infinity): AsyncGenerator<ReadPiece> {
      const file = await open(path, "r").catch(() => undefined);
      if (file === undefined) return;
      try {
        const { ino, size } = await file.stat();
        let anew = offset > 0 && (ino !== inode || size < offset);
        if (anew) offset = 0;
        inode = ino;
        await times.load();
        const buffer = Buffer.alloc(PIECE_BYTES);
        for (;;) {
          const { at, until } = times.around(offset);
          const most = Math.min(PIECE_BYTES, until - offset, upTo - offset);
          const { bytesRead } = await file.read(buffer, 0, most, offset);
          if (bytesRead === 0) return;
          offset += bytesRead;
          const bytes = Buffer.from(buffer.subarray(0, bytesRead));
          yield { bytes, anew, ...(at === undefined ? {} : { at }) };
          anew = false;
        }
      } finally {
        await file.close();
      }
    },
  };
}

/** The times of the output, by position; positions must be requested in order. */
function timesFile(path: string) {
  const offsets: number[] = [];
  const moments: number[] = [];
  let loaded = 0;
  let next = 0;
  const take = (line: string): void => {
    const [offset, moment] = line.split(" ").map(Number);
    if (offset === undefined || moment === undefined) return;
    if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(moment)) return;
    if (offset < (offsets.at(-1) ?? 0)) return;
    offsets.push(offset);
    moments.push(moment);
  };
  return {
    async load(): Promise<void> {
      const file = await open(path, "r").catch(() => undefined);
      if (file === undefined) return;
      try {
        const text = await restOf(file, loaded);
        const whole = text.slice(0, text.lastIndexOf("\n") + 1);
        loaded += whole.length;
        for (const line of whole.split("\n")) if (line !== "") take(line);
      } finally {
        await file.close();
      }
    },
    /** When the byte at this offset was printed, and up to which offset that time applies. */
    around(offset: number): { readonly at: number | undefined; readonly until: number } {
      if ((offsets[next - 1] ?? 0) > offset) next = 0;
      while ((offsets[next] ?? Infinity) <= offset) next += 1;
      return { at: moments[next - 1], until: offsets[next] ?? Infinity };
    },
  };
}

async function restOf(file: FileHandle, from: number): Promise<string> {
  const { size } = await file.stat();
  const length = Math.max(0, Math.min(size, TIMES_MAX_BYTES) - from);
  if (length === 0) return "";
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, from);
  return buffer.toString("latin1", 0, bytesRead);
}
