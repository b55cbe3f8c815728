/**
 * The transcript of an attempt: what it printed, without secrets, streamed to a file as it comes. Invariants: the
 * hash is of exactly the bytes in the file; an existing file is never overwritten; a line of one stream is not
 * broken by the other (up to a bound); writes are in order, and more than a bounded amount is never waiting in
 * memory as long as the caller obeys `full`; a disk that refuses ends the recording, not the attempt.
 */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import type { Transcript } from "../../runtime/ports-agent.ts";

export interface TranscriptFile {
  /** True: stop reading until `onRoom` is called. */
  write(stream: "stdout" | "stderr", chunk: Buffer): boolean;
  close(): Promise<Transcript>;
}

export interface TranscriptOptions {
  readonly path: string;
  readonly maxBytes: number;
  readonly onRoom: () => void;
}

const FULL_BYTES = 1024 * 1024;
const LINE_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

export async function openTranscript({
  path,
  maxBytes,
  onRoom,
}: TranscriptOptions): Promise<TranscriptFile> {
  const file = await open(path, "wx", 0o600);
  const hash = createHash("sha256");
  const rest = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
  let accepted = 0;
  let written = 0;
  let waiting = 0;
  let complete = true;
  let problem: string | undefined;
  let last = Promise.resolve();

  const append = (bytes: Buffer): void => {
    const room = Math.max(0, maxBytes - accepted);
    if (bytes.length > room) complete = false;
    const part = bytes.subarray(0, room);
    accepted += part.length;
    if (part.length === 0) return;
    waiting += part.length;
    last = last.then(async () => {
      if (problem === undefined) {
        const result = await writeAll(file, part);
        hash.update(part.subarray(0, result.bytes));
        written += result.bytes;
        if (result.problem !== undefined) problem = result.problem;
      }
      const wasFull = waiting >= FULL_BYTES;
      waiting -= part.length;
      if (wasFull && waiting < FULL_BYTES) onRoom();
    });
  };

  return {
    write(stream, chunk) {
      const lineEnd = chunk.lastIndexOf(NEWLINE) + 1;
      if (lineEnd > 0 || rest[stream].length + chunk.length > LINE_BYTES) {
        const cut = lineEnd > 0 ? lineEnd : chunk.length;
        append(Buffer.concat([rest[stream], chunk.subarray(0, cut)]));
        rest[stream] = Buffer.from(chunk.subarray(cut));
      } else rest[stream] = Buffer.concat([rest[stream], chunk]);
      return waiting >= FULL_BYTES;
    },
    async close() {
      append(rest.stdout);
      append(rest.stderr);
      await last;
      await file.sync().catch(() => undefined);
      await file.close().catch(() => undefined);
      const sha256 = hash.digest("hex");
      const state = { path, bytes: written, sha256, complete: complete && problem === undefined };
      return problem === undefined ? state : { ...state, problem };
    },
  };
}

async function writeAll(
  file: FileHandle,
  part: Buffer,
): Promise<{ readonly bytes: number; readonly problem?: string }> {
  let bytes = 0;
  try {
    while (bytes < part.length) bytes += (await file.write(part, bytes)).bytesWritten;
    return { bytes };
  } catch (error) {
    return { bytes, problem: (error as NodeJS.ErrnoException).code ?? "EUNKNOWN" };
  }
}
