/**
 * Sends long text to a pager at a terminal, otherwise straight to standard output. Invariants: no pager if it could not
 * be used (no terminal, a dumb one, a screen reader, NO_PAGER); memory is bounded, because the writer waits for the
 * reader; leaving the pager early ends the reading and is no error; if the pager cannot start, the text is printed
 * anyway.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Writable } from "node:stream";
import { ProblemError } from "../operations/operation.ts";

export interface LongOutput {
  write(text: string | Uint8Array): void;
  /** Resolves once there is room for more. */
  drained(): Promise<void>;
  /** Aborted when the reader is gone. */
  readonly left: AbortSignal;
}

const LESS = ["less", "-FRX"] as const;

export function mayPage(): boolean {
  const { NO_PAGER = "", UNSTUCK_SCREEN_READER = "", PAGER = LESS[0], TERM = "" } = process.env;
  const isReadable = process.stdout.isTTY && process.stdin.isTTY && TERM !== "dumb";
  const isWanted = NO_PAGER === "" && UNSTUCK_SCREEN_READER === "";
  return isReadable && isWanted && PAGER !== "" && PAGER !== "cat";
}

export async function withOutput<T>(
  isPaged: boolean,
  body: (output: LongOutput) => Promise<T>,
): Promise<T> {
  const left = new AbortController();
  const pager = isPaged ? await startPager() : undefined;
  if (pager === undefined) return body(outputTo(process.stdout, left.signal));
  // Ctrl-C is for the pager; it ends when the user quits it.
  const ignore = (): void => {};
  process.on("SIGINT", ignore);
  const { child, input } = pager;
  const ended = new Promise<number>((resolve) =>
    child.once("close", (code) => {
      left.abort();
      resolve(code ?? 0);
    }),
  );
  input.on("error", () => left.abort());
  try {
    const value = await body(outputTo(input, left.signal));
    input.end();
    if ((await ended) === 127)
      throw new ProblemError(
        "bad-input",
        `the pager "${process.env["PAGER"] ?? LESS[0]}" was not found: set PAGER, or add --no-pager`,
      );
    return value;
  } finally {
    input.end();
    await ended;
    process.off("SIGINT", ignore);
  }
}

/** The user's PAGER runs through a shell, as in git and man. */
async function startPager(): Promise<{ child: ChildProcess; input: Writable } | undefined> {
  const { PAGER } = process.env;
  const [program, ...args] = PAGER === undefined ? LESS : ["sh", "-c", PAGER];
  const child = spawn(program, args, {
    stdio: ["pipe", "inherit", "inherit"],
    env: { ...process.env, LESS: process.env["LESS"] ?? "FRX" },
  });
  const isThere = await Promise.race([
    once(child, "spawn").then(() => true),
    once(child, "error").then(() => false),
  ]).catch(() => false);
  return isThere ? { child, input: child.stdin } : undefined;
}

function outputTo(stream: Writable, left: AbortSignal): LongOutput {
  return {
    left,
    write: (text) => void (left.aborted || stream.write(text)),
    async drained() {
      if (!left.aborted && stream.writableNeedDrain)
        await once(stream, "drain", { signal: left }).catch(() => undefined);
    },
  };
}
