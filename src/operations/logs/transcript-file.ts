/**
 * Reads a transcript in pieces, together with when each was printed; called again, it gives what was added meanwhile.
 * Invariants: never more than a piece in memory; no file is held open between two readings; a file that is not there
 * (yet) is empty; one that was replaced or cut is read again from its start, and that is said.
 */
import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { TRANSCRIPT_FILE } from "../../agents/attempt-files.ts";
import { TIMES_SUFFIX } from "../../agents/process/transcript-times.ts";

const PIECE_BYTES = 64 * 1024;
/** Far above what is ever written. */
const TIMES_MAX_BYTES = 8 * 1024 * 1024;

export interface ReadPiece {
  readonly bytes: Buffer;
  /** Epoch milliseconds; absent where nobody noted it. */
  readonly at?: number;
  /** The file is another than the one that was read before: this is its start. */
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

/** When what was printed, by place; places are asked for in order. */
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
    /** When the byte here was printed, and up to where that holds. */
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
