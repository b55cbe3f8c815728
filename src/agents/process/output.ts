/**
 * Collects what a guarded command prints: windows in memory, the transcript on disk, chunks to a listener.
 * Invariants: reading pauses while the disk is behind; `finish` waits for the end of both streams, but not for a
 * stranger that holds them open in silence; only the listener sees secrets (U12).
 */
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redaction } from "../../core/redact/redaction.ts";
import type { Transcript } from "../../runtime/ports-agent.ts";
import { openTranscript } from "./transcript-file.ts";

export interface OutputOptions {
  readonly window: WindowSize;
  /** What is kept of the output goes through it; the listener gets every byte as it came. */
  readonly redaction: Redaction;
  readonly transcript?: { readonly path: string; readonly maxBytes: number };
  readonly onChunk?: (stream: "stdout" | "stderr", chunk: Buffer) => void;
}

export interface FinishedOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** One of the two was longer than its window. */
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

/** The first and the last bytes of an endless output: never more of them in memory than that. */
interface OutputWindow {
  push(chunk: Buffer): void;
  readonly bytes: number;
  readonly cut: boolean;
  /** Both ends, with a note of what was left out between them. */
  text(): string;
}

export function createWindow({ headBytes, tailBytes }: WindowSize): OutputWindow {
  const head = Buffer.alloc(headBytes);
  const tail = Buffer.alloc(tailBytes);
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    get cut() {
      return bytes > headBytes + tailBytes;
    },
    push(chunk) {
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
    text() {
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
