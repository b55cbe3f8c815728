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

/** Beside this file: as TypeScript in a checkout, as one file of CommonJS, which starts sooner, in the package. */
const GUARD_FILE = join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "guard.ts" : "guard.cjs",
);

/** One V8 thread, not one for each core: guards are many and do little. */
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

/** A guard that can be told from every other process, now and later. */
export async function spawnGuard(
  request: Pick<GuardedRequest, "attemptId" | "graceMs">,
  stdio: readonly (number | "ignore" | "pipe")[],
): Promise<{ readonly guard: ChildProcess; readonly identity: ProcessIdentity }> {
  let guard = spawnOnce(request, stdio);
  for (let again = 0; again < STILLBORN_TRIES && isStillborn(guard); again += 1)
    guard = spawnOnce(request, stdio);
  const identity = guard.pid === undefined ? undefined : identify(guard.pid, request.attemptId);
  if (identity === undefined) throw await startProblem(guard);
  tellOfGuard(identity);
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

/** Two pipes for what a command prints, read here. */
export interface OutputPipes {
  readonly reading: readonly [stdout: Socket, stderr: Socket];
  readonly paths: readonly [stdout: string, stderr: string];
  readonly writingFds: readonly number[];
  /** Once the child has them: nobody writes from here, and their names are gone. */
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
