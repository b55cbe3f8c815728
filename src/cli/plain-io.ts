/**
 * Reads and writes without streams, for commands that must answer in milliseconds: a stream loads half of Node first.
 * Invariants: a slow pipe is waited for; a closed one is no error; nothing is truncated.
 */
import { fstatSync, readSync, writeSync } from "node:fs";
import type { HookCall } from "../operations/hooks/answer.ts";

const STEP_MS = 2;
const CHUNK = 1 << 16;

/** Standard input may be a terminal: then the user needs a prompt. */
export const mayBeTerminal = (): boolean => fstatSync(0).isCharacterDevice();

export function readAll(bytesMax: number): Buffer {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    const count = whenReady(() => readSync(0, chunk, 0, CHUNK, null));
    if (count === 0 || bytes > bytesMax) return Buffer.concat(chunks);
    bytes += count;
    chunks.push(chunk.subarray(0, count));
  }
}

/** Like `readAll`, but input beyond `bytesMax` is read and dropped, so that the writer's pipe does not break. */
export function readToEnd(bytesMax: number): Buffer {
  const bytes = readAll(bytesMax);
  if (bytes.length > bytesMax) while (readAll(bytesMax).length > 0);
  return bytes;
}

/**
 * Standard input can be read only once, so a hook's call is passed on after reading. The symbol is shared by the two
 * bundles of the process.
 */
const HANDED_OVER = Symbol.for("unstuck.hook-call");
const shared = globalThis as { [HANDED_OVER]?: HookCall };

export function handOver(call: HookCall): void {
  shared[HANDED_OVER] = call;
}

export function takeHandedOver(): HookCall | undefined {
  const call = shared[HANDED_OVER];
  delete shared[HANDED_OVER];
  return call;
}

/** False if the reader is gone. */
export function writeAll(text: string): boolean {
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length;) at += whenReady(() => writeSync(1, bytes, at));
    return true;
  } catch (error) {
    if (codeOf(error) === "EPIPE") return false;
    throw error;
  }
}

function whenReady(call: () => number): number {
  for (;;)
    try {
      return call();
    } catch (error) {
      const code = codeOf(error);
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STEP_MS);
    }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";
