/**
 * The messages between a process and its starter process. Each has a program id, a kind, a length and that many bytes.
 */

/**
 * To the starter: `begin` (JSON), `input`, `inputEnd`. From the starter: `begun` (JSON), `output`, `errors`, `ended`
 * (JSON).
 */
export const KINDS = {
  ...{ begin: 1, input: 2, inputEnd: 3 },
  ...{ begun: 4, output: 5, errors: 6, ended: 7 },
} as const;

export interface Begin {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export type Begun = { readonly pid: number } | { readonly problem: string; readonly code?: string };

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const HEADER = 9;

export function frame(program: number, kind: number, content: Buffer | string = ""): Buffer {
  const body = typeof content === "string" ? Buffer.from(content) : content;
  const head = Buffer.allocUnsafe(HEADER);
  head.writeUInt32BE(program, 0);
  head.writeUInt8(kind, 4);
  head.writeUInt32BE(body.length, 5);
  return Buffer.concat([head, body]);
}

/** Parses a pipe's output, however it is split. */
export function frameReader(
  on: (program: number, kind: number, content: Buffer) => void,
): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (rest.length - at >= HEADER) {
      const end = at + HEADER + rest.readUInt32BE(at + 5);
      if (end > rest.length) break;
      on(rest.readUInt32BE(at), rest.readUInt8(at + 4), rest.subarray(at + HEADER, end));
      at = end;
    }
    rest = rest.subarray(at);
  };
}
