/**
 * Collects what a guarded command prints: excerpts in memory, the transcript on disk, chunks for a listener.
 * Invariants: reading pauses while the disk falls behind; `finish` waits for the end of both streams, but not for an
 * unrelated process that holds them open silently; only the listener sees secrets.
 */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redaction } from "../../core/redact/redaction.ts";
import type { Transcript } from "../../runtime/agent-result.ts";
import { keepTimes } from "./transcript-times.ts";

export interface OutputOptions {
  readonly window: WindowSize;
  /** Applied to all output that is kept; the listener gets every byte unchanged. */
  readonly redaction: Redaction;
  readonly transcript?: { readonly path: string; readonly maxBytes: number };
  readonly onChunk?: (stream: "stdout" | "stderr", chunk: Buffer) => void;
}

export interface FinishedOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** At least one of the two was longer than its window. */
  readonly cut: boolean;
  readonly transcript?: Transcript;
}

export interface Output {
  readonly bytes: () => number;
  /** As if the command had printed it. */
  print(chunk: Buffer): void;
  finish(): Promise<FinishedOutput>;
}

const SILENCE_MS = 1000;

export async function collectOutput(
  stdout: Readable,
  stderr: Readable,
  { window, redaction, transcript, onChunk }: OutputOptions,
): Promise<Output> {
  const both = [stdout, stderr];
  const file =
    transcript &&
    (await openTranscript({
      ...transcript,
      onRoom: () => {
        for (const stream of both) stream.resume();
      },
    }));
  const windows = { stdout: createWindow(window), stderr: createWindow(window) };
  const redactors = { stdout: redaction.bytes(), stderr: redaction.bytes() };
  let seen = 0;
  const bytes = (): number => seen;
  const closed = both.map(
    (stream) => new Promise<void>((resolve) => stream.once("close", () => resolve())),
  );
  let over = false;
  const keep = (name: "stdout" | "stderr", text: string): void => {
    if (text === "") return;
    const clean = Buffer.from(text, "latin1");
    windows[name].push(clean);
    if (file?.write(name, clean) === true) for (const stream of both) stream.pause();
  };
  const take = (name: "stdout" | "stderr", chunk: Buffer): void => {
    seen += chunk.length;
    onChunk?.(name, chunk);
    keep(name, redactors[name].push(chunk.toString("latin1")));
  };
  for (const [name, source] of [
    ["stdout", stdout],
    ["stderr", stderr],
  ] as const) {
    source.on("error", () => undefined);
    source.on("data", (chunk: Buffer) => take(name, chunk));
  }
  return {
    bytes,
    print: (chunk) => void (over || take("stdout", chunk)),
    async finish() {
      await untilSilent(Promise.all(closed), bytes);
      over = true;
      for (const stream of both) stream.destroy();
      for (const name of ["stdout", "stderr"] as const) keep(name, redactors[name].end());
      const { stdout: out, stderr: err } = windows;
      const texts = { stdout: out.text(), stderr: err.text(), cut: out.cut || err.cut };
      return file === undefined ? texts : { ...texts, transcript: await file.close() };
    },
  };
}

async function untilSilent(closed: Promise<unknown>, bytes: () => number): Promise<void> {
  const end = closed.then(() => true);
  for (let before = -1; before !== bytes();) {
    before = bytes();
    const timer = new AbortController();
    const waited = sleep(SILENCE_MS, false, { signal: timer.signal }).catch(() => false);
    const ended = await Promise.race([end, waited]);
    timer.abort();
    if (ended) return;
  }
}

interface WindowSize {
  readonly headBytes: number;
  readonly tailBytes: number;
}

/** The first and last bytes of an endless output; memory is bounded by their sizes. */
export function createWindow({ headBytes, tailBytes }: WindowSize) {
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  let bytes = 0;
  /** Most commands print little, so buffers grow as needed. */
  const makeRoom = (more: number): void => {
    const wanted = Math.min(headBytes, bytes + more);
    if (head.length < wanted)
      head = Buffer.concat([head], Math.min(headBytes, Math.max(wanted, 2 * head.length)));
    if (bytes + more > headBytes && tail.length === 0) tail = Buffer.alloc(tailBytes);
  };
  return {
    get bytes(): number {
      return bytes;
    },
    get cut(): boolean {
      return bytes > headBytes + tailBytes;
    },
    push(chunk: Buffer): void {
      makeRoom(chunk.length);
      let at = bytes < headBytes ? chunk.copy(head, bytes) : 0;
      bytes += at;
      if (chunk.length - at > tailBytes) {
        bytes += chunk.length - at - tailBytes;
        at = chunk.length - tailBytes;
      }
      while (at < chunk.length) {
        const copied = chunk.copy(tail, (bytes - headBytes) % tailBytes, at);
        at += copied;
        bytes += copied;
      }
    },
    /** Both ends, with a note about what was left out in between. */
    text(): string {
      const start = head.subarray(0, Math.min(bytes, headBytes));
      const after = Math.max(0, bytes - headBytes);
      if (after <= tailBytes) return Buffer.concat([start, tail.subarray(0, after)]).toString();
      const cut = after % tailBytes;
      const note = `\n[... ${after - tailBytes} bytes left out ...]\n`;
      const end = Buffer.concat([tail.subarray(cut), tail.subarray(0, cut)]);
      return start.toString() + note + end.toString();
    },
  };
}

interface TranscriptOptions {
  readonly path: string;
  readonly maxBytes: number;
  readonly onRoom: () => void;
}

const FULL_BYTES = 1024 * 1024;
const LINE_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/**
 * Streams what an attempt printed, without secrets, to a file. The hash covers exactly its bytes; an existing file is
 * never overwritten; one stream does not split a line of the other (up to a bound); writes are in order, and a bounded
 * amount waits in memory if the caller stops when told to; a disk error ends the recording, not the attempt.
 */
export async function openTranscript({ path, maxBytes, onRoom }: TranscriptOptions) {
  const file = await open(path, "wx", 0o600);
  const times = keepTimes(path);
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
      await times.note(written);
      for (let at = 0; problem === undefined && at < part.length;)
        try {
          const { bytesWritten } = await file.write(part, at);
          hash.update(part.subarray(at, at + bytesWritten));
          at += bytesWritten;
          written += bytesWritten;
        } catch (error) {
          problem = (error as NodeJS.ErrnoException).code ?? "EUNKNOWN";
        }
      const wasFull = waiting >= FULL_BYTES;
      waiting -= part.length;
      if (wasFull && waiting < FULL_BYTES) onRoom();
    });
  };

  return {
    /** True: stop reading until `onRoom` is called. */
    write(stream: "stdout" | "stderr", chunk: Buffer): boolean {
      const lineEnd = chunk.lastIndexOf(NEWLINE) + 1;
      if (lineEnd > 0 || rest[stream].length + chunk.length > LINE_BYTES) {
        const cut = lineEnd > 0 ? lineEnd : chunk.length;
        append(Buffer.concat([rest[stream], chunk.subarray(0, cut)]));
        rest[stream] = Buffer.from(chunk.subarray(cut));
      } else rest[stream] = Buffer.concat([rest[stream], chunk]);
      return waiting >= FULL_BYTES;
    },
    async close(): Promise<Transcript> {
      append(rest.stdout);
      append(rest.stderr);
      await last;
      await file.sync().catch(() => undefined);
      await file.close().catch(() => undefined);
      await times.close();
      const sha256 = hash.digest("hex");
      const state = { path, bytes: written, sha256, complete: complete && problem === undefined };
      return problem === undefined ? state : { ...state, problem };
    },
  };
}
