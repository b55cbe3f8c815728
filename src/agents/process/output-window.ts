/**
 * A bounded view of an endless output: its first and its last bytes. Invariants: memory never exceeds head plus
 * tail, whatever is pushed; bytes counts everything.
 */

export interface WindowSize {
  readonly headBytes: number;
  readonly tailBytes: number;
}

export interface OutputWindow {
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
