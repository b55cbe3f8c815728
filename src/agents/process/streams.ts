/**
 * What a command's standard streams are. Real pipes for its output: Node hands children sockets, on which common
 * shell idioms such as `tee /dev/stderr` or `> /dev/stdout` fail, and a command must not fail because of who watches
 * it. A file without a name for its input, which may hold secrets (U12). Invariant: leaves nothing in the file
 * system.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface OutputPipe {
  readonly reading: Socket;
  /** For the child; to be closed here once the child has it. */
  readonly writingFd: number;
}

export async function openPipes(count: number): Promise<readonly OutputPipe[]> {
  const folder = await mkdtemp(join(tmpdir(), "unstuck-pipe-"));
  const opened: number[] = [];
  try {
    const paths = Array.from({ length: count }, (_, index) => join(folder, String(index)));
    await makePipes(paths);
    const ends = paths.map((path) => {
      const readingFd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      opened.push(readingFd);
      const writingFd = openSync(path, constants.O_WRONLY);
      opened.push(writingFd);
      return { readingFd, writingFd };
    });
    return ends.map(({ readingFd, writingFd }) => ({
      reading: new Socket({ fd: readingFd, readable: true, writable: false }),
      writingFd,
    }));
  } catch (error) {
    for (const fd of opened) closeSync(fd);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** In a session of its own: else a terminal that is closed at this moment ends it. */
async function makePipes(paths: readonly string[]): Promise<void> {
  const args = ["-m", "600", ...paths];
  const child = spawn("mkfifo", args, { detached: true, stdio: "ignore" });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`Command failed: mkfifo ${args.join(" ")}`);
}

/** A descriptor to read the text from. */
export function openUnnamedFile(text: string): number {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-input-"));
  try {
    const file = join(folder, "text");
    const writing = openSync(file, "wx", 0o600);
    const reading = openSync(file, "r");
    rmSync(folder, { recursive: true });
    try {
      writeFileSync(writing, text);
    } finally {
      closeSync(writing);
    }
    return reading;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
