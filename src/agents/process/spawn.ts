/**
 * Starts a command under its guard, in its own process group and session, in two phases: the guard is up and its
 * identity known before `release` lets the command start. Invariants: `ended` never rejects, and settles only when the
 * guard is gone and the output is drained; stdin is an unnamed file, empty, or a pipe that only `say` writes to; a
 * guard that dies silently leaves nothing behind, and one that never starts is abandoned after a limit.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { collectOutput, type Output } from "./output.ts";
import { announceGuard } from "./process-memory.ts";
import { HAS_PROC, readStat } from "./proc-files.ts";
import { identify } from "./proof-of-death.ts";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProcessIdentity } from "../../runtime/agent-result.ts";
import {
  guarded,
  guardLine,
  starting,
  type GuardedProcess,
  type GuardedRequest,
} from "./guarded-process.ts";

export type Started<Process> =
  | { readonly ok: true; readonly process: Process }
  | { readonly ok: false; readonly problem: string };

/** Next to this file: TypeScript in a checkout; in the package a single CommonJS file, which starts faster. */
const GUARD_FILE = join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "guard.ts" : "guard.cjs",
);

/** One V8 thread instead of one per core: there are many guards, and each does little. */
const GUARD_FLAGS = ["--disable-warning=ExperimentalWarning", "--v8-pool-size=1"];

export async function startGuarded(request: GuardedRequest): Promise<Started<GuardedProcess>> {
  let pipes: OutputPipes | undefined;
  let output: Output | undefined;
  let stdinFd: number | undefined;
  try {
    if (typeof request.stdin === "object") stdinFd = openUnnamedFile(request.stdin.text);
    pipes = await openPipes();
    output = await collectOutput(...pipes.reading, request);
    const stdin = request.stdin === "pipe" ? "pipe" : (stdinFd ?? "ignore");
    const { guard, identity } = await spawnGuard(request, [stdin, ...pipes.writingFds]);
    const line = guardLine(guard);
    return {
      ok: true,
      process: guarded(request, { line, identity, output, stdin: guard.stdin }),
    };
  } catch (error) {
    for (const reading of pipes?.reading ?? []) reading.destroy();
    await output?.finish();
    return { ok: false, problem: (error as Error).message };
  } finally {
    pipes?.letGo();
    if (stdinFd !== undefined) closeSync(stdinFd);
  }
}

/** Starts a guard with an identity that distinguishes it from every other process, now and later. */
export async function spawnGuard(
  request: Pick<GuardedRequest, "attemptId" | "graceMs">,
  stdio: readonly (number | "ignore" | "pipe")[],
): Promise<{ readonly guard: ChildProcess; readonly identity: ProcessIdentity }> {
  let guard = spawnOnce(request, stdio);
  for (let again = 0; again < STILLBORN_TRIES && isStillborn(guard); again += 1)
    guard = spawnOnce(request, stdio);
  const identity = guard.pid === undefined ? undefined : identify(guard.pid, request.attemptId);
  if (identity === undefined) throw await startProblem(guard);
  announceGuard(identity);
  return { guard, identity };
}

function spawnOnce(
  { attemptId, graceMs }: Pick<GuardedRequest, "attemptId" | "graceMs">,
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
 * Between its birth and its own session, a child still receives the terminal's hang-up and dies before its first line
 * runs: it is started again.
 */
const STILLBORN_TRIES = 3;

const isStillborn = ({ pid }: ChildProcess): boolean =>
  HAS_PROC && pid !== undefined && readStat(pid)?.ended === true;

/** Why there is no guard, or none that could be identified later. */
async function startProblem(guard: ChildProcess): Promise<Error> {
  if (guard.pid === undefined) return new Promise((resolve) => guard.once("error", resolve));
  (guard.stdio[3] as Socket).destroy();
  return new Error("the start time of the guard process cannot be read");
}

process.on("exit", () => {
  for (const guard of starting) guard.kill("SIGKILL");
});

/** Two pipes for a command's output, read here. */
export interface OutputPipes {
  readonly reading: readonly [stdout: Socket, stderr: Socket];
  readonly paths: readonly [stdout: string, stderr: string];
  readonly writingFds: readonly number[];
  /** Call it once the child has them: closes the writing ends here and removes the names. */
  letGo(): void;
}

export async function openPipes(): Promise<OutputPipes> {
  const folder = await mkdtemp(join(tmpdir(), "unstuck-pipe-"));
  const opened: number[] = [];
  const letGo = (fds: readonly number[]): void => {
    for (const fd of fds) closeSync(fd);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const paths = [join(folder, "0"), join(folder, "1")] as const;
    await makePipes(paths);
    const [out, err] = paths;
    const reading = [open(out, READING, opened), open(err, READING, opened)] as const;
    const writingFds = paths.map((path) => open(path, constants.O_WRONLY, opened));
    let isOver = false;
    return {
      ...{ paths, writingFds },
      reading: [socketOf(reading[0]), socketOf(reading[1])],
      letGo: () => {
        if (!isOver) letGo(writingFds);
        isOver = true;
      },
    };
  } catch (error) {
    letGo(opened);
    throw error;
  }
}

const READING = constants.O_RDONLY | constants.O_NONBLOCK;

function open(path: string, flags: number, opened: number[]): number {
  const fd = openSync(path, flags);
  opened.push(fd);
  return fd;
}

const socketOf = (fd: number): Socket => new Socket({ fd, readable: true, writable: false });

/** Runs in its own session; otherwise a terminal closed at this moment would end it. */
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

/** A descriptor from which to read the text. */
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
