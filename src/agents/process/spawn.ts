/**
 * Starts a command under its guard, in a process group and session of its own, in two phases: the guard is up and
 * its identity known before `release` lets the command start. Invariants: `ended` never rejects and settles only
 * when the guard is gone and the output drained; stdin is a file without a name, empty, or a pipe that only `say` writes
 * to; a guard that dies without a word leaves nothing behind, and one that never starts is given up after a limit.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { collectOutput, type Output } from "./output.ts";
import { tellOfGuard } from "./process-memory.ts";
import { HAS_PROC, readStat } from "./proc-files.ts";
import { identify } from "./proof-of-death.ts";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { starting, guarded, type GuardedProcess, type GuardedRequest } from "./guarded-process.ts";

export type Started<Process> =
  | { readonly ok: true; readonly process: Process }
  | { readonly ok: false; readonly problem: string };

/** Beside this file: as TypeScript in a checkout, as one file of CommonJS, which starts sooner, in the package. */
const GUARD_FILE = join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "guard.ts" : "guard.cjs",
);

/** One V8 thread, not one for each core: guards are many and do little. */
const GUARD_FLAGS = ["--disable-warning=ExperimentalWarning", "--v8-pool-size=1"];

export async function startGuarded(request: GuardedRequest): Promise<Started<GuardedProcess>> {
  let pipes: readonly OutputPipe[] = [];
  let output: Output | undefined;
  let stdinFd: number | undefined;
  try {
    if (typeof request.stdin === "object") stdinFd = openUnnamedFile(request.stdin.text);
    pipes = await openPipes(2);
    output = await collectOutput(pipes[0]!.reading, pipes[1]!.reading, request);
    const stdin = request.stdin === "pipe" ? "pipe" : (stdinFd ?? "ignore");
    const stdio = [stdin, ...pipes.map((p) => p.writingFd)] as const;
    let guard = spawnGuard(request, stdio);
    for (let again = 0; again < STILLBORN_TRIES && isStillborn(guard); again += 1)
      guard = spawnGuard(request, stdio);
    const identity = guard.pid === undefined ? undefined : identify(guard.pid, request.attemptId);
    if (identity === undefined) throw await startProblem(guard);
    tellOfGuard(identity);
    return { ok: true, process: guarded(request, guard, identity, output) };
  } catch (error) {
    for (const pipe of pipes) pipe.reading.destroy();
    await output?.finish();
    return { ok: false, problem: (error as Error).message };
  } finally {
    for (const pipe of pipes) closeSync(pipe.writingFd);
    if (stdinFd !== undefined) closeSync(stdinFd);
  }
}

function spawnGuard(
  { attemptId, graceMs }: GuardedRequest,
  stdio: readonly (number | "ignore" | "pipe")[],
): ChildProcess {
  const { PATH = "", LD_LIBRARY_PATH, NODE_COMPILE_CACHE } = process.env;
  return spawn(process.execPath, [...GUARD_FLAGS, GUARD_FILE, attemptId, String(graceMs)], {
    cwd: "/",
    detached: true,
    env: { PATH, LD_LIBRARY_PATH, NODE_COMPILE_CACHE, UNSTUCK_ATTEMPT: attemptId },
    stdio: [...stdio, "pipe"],
  });
}

/**
 * Between its birth and its session of its own a child still hears the terminal hang up, and dies before its first
 * line: it is started once more.
 */
const STILLBORN_TRIES = 3;

const isStillborn = ({ pid }: ChildProcess): boolean =>
  HAS_PROC && pid !== undefined && readStat(pid)?.ended === true;

/** Why there is no guard, or none that could be told from others later. */
async function startProblem(guard: ChildProcess): Promise<Error> {
  if (guard.pid === undefined) return new Promise((resolve) => guard.once("error", resolve));
  (guard.stdio[3] as Socket).destroy();
  return new Error("the start time of the guard process cannot be read");
}

process.on("exit", () => {
  for (const guard of starting) guard.kill("SIGKILL");
});

interface OutputPipe {
  readonly reading: Socket;
  /** For the child; to be closed here once the child has it. */
  readonly writingFd: number;
}

async function openPipes(count: number): Promise<readonly OutputPipe[]> {
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
async function makePipes(paths: readonly string[], tries = STILLBORN_TRIES): Promise<void> {
  const args = ["-m", "600", ...paths];
  const child = spawn("mkfifo", args, { detached: true, stdio: "ignore" });
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  if (code === 0) return;
  if (signal === null || tries === 0)
    throw new Error(`mkfifo ${args.join(" ")} failed: ${signal ?? `exit code ${code}`}`);
  for (const path of paths) rmSync(path, { force: true });
  await makePipes(paths, tries - 1);
}

/** A descriptor to read the text from. */
function openUnnamedFile(text: string): number {
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
