/**
 * Starts a command under its guard, in a process group and session of its own, in two phases: the guard is up and
 * its identity known before `release` lets the command start. Invariants: `ended` never rejects and settles only
 * when the guard is gone and the output drained; stdin is a file without a name, empty, or a pipe that only `say` writes
 * to; a guard that dies without a word leaves nothing behind, and one that never starts is given up after a limit.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ProcessIdentity, ProcessTrace } from "../../runtime/ports-agent.ts";
import { messageReader, writeMessage } from "./guard-messages.ts";
import type { FromGuard, ToGuard } from "./guard-messages.ts";
import { collectOutput } from "./output.ts";
import type { FinishedOutput, Output, OutputOptions } from "./output.ts";
import { tellOfGuard } from "./process-memory.ts";
import { identify, proveDead } from "./proof-of-death.ts";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface GuardedRequest extends OutputOptions {
  readonly attemptId: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** With the mark of the attempt in it: see environment.ts. */
  readonly env: Readonly<Record<string, string>>;
  /** Absent: empty. `pipe`: it stays open for `say`, until `hangUp`. */
  readonly stdin?: { readonly text: string } | "pipe";
  /** From SIGTERM to SIGKILL, for what the command leaves behind and after the owner's death. */
  readonly graceMs: number;
}

type LastWord = Exclude<FromGuard, { readonly say: "up" | "sampled" }>;

export interface GuardedEnd extends FinishedOutput {
  /** Undefined where the guard said none: it was cancelled before release, or died. */
  readonly word: LastWord | undefined;
  readonly survivors: readonly ProcessTrace[];
}

export type GuardedProcess = ReturnType<typeof guarded>;

/** Why there is nothing to run, or what runs. */
export type Started<Process> =
  | { readonly ok: true; readonly process: Process }
  | { readonly ok: false; readonly problem: string };

/** Beside this file: as TypeScript in a checkout, as JavaScript in the package. */
const GUARD_FILE = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "./guard.ts" : "./guard.js", import.meta.url),
);
/** One V8 thread, not one for each core: guards are many and do little. */
const GUARD_FLAGS = ["--disable-warning=ExperimentalWarning", "--v8-pool-size=1"];
const SAMPLE_WAIT_MS = 2000;

export async function startGuarded(request: GuardedRequest): Promise<Started<GuardedProcess>> {
  let pipes: readonly OutputPipe[] = [];
  let output: Output | undefined;
  let stdinFd: number | undefined;
  try {
    if (typeof request.stdin === "object") stdinFd = openUnnamedFile(request.stdin.text);
    pipes = await openPipes(2);
    output = await collectOutput(pipes[0]!.reading, pipes[1]!.reading, request);
    const stdin = request.stdin === "pipe" ? "pipe" : (stdinFd ?? "ignore");
    const guard = spawnGuard(request, [stdin, ...pipes.map((p) => p.writingFd)]);
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
  const { PATH = "", LD_LIBRARY_PATH } = process.env;
  const libraries = LD_LIBRARY_PATH === undefined ? {} : { LD_LIBRARY_PATH };
  return spawn(process.execPath, [...GUARD_FLAGS, GUARD_FILE, attemptId, String(graceMs)], {
    cwd: "/",
    detached: true,
    env: { PATH, ...libraries, UNSTUCK_ATTEMPT: attemptId },
    stdio: [...stdio, "pipe"],
  });
}

/** Why there is no guard, or none that could be told from others later. */
async function startProblem(guard: ChildProcess): Promise<Error> {
  if (guard.pid === undefined) return new Promise((resolve) => guard.once("error", resolve));
  (guard.stdio[3] as Socket).destroy();
  return new Error("the start time of the guard process cannot be read");
}

function guarded(
  request: GuardedRequest,
  guard: ChildProcess,
  identity: ProcessIdentity,
  output: Output,
) {
  const { argv, cwd, env } = request;
  const start = watchStart(guard);
  const control = guard.stdio[3] as Socket;
  const tell = (word: ToGuard): void =>
    void (control.writable && control.write(writeMessage(word)));
  let word: LastWord | undefined;
  let sampled: (cpuMs?: number) => void = () => undefined;
  const { stdin } = guard;
  stdin?.on("error", () => undefined);
  control.setEncoding("utf8");
  control.on("error", () => undefined);
  control.on(
    "data",
    messageReader<FromGuard>((said) => {
      if (said.say === "up") start.up();
      else if (said.say === "sampled") sampled(said.cpuMs);
      else word = said;
    }),
  );
  const gone = new Promise<void>((resolve) => guard.once("close", () => resolve()));
  return {
    identity,
    release: (): void => tell({ say: "start", argv, cwd, env }),
    /** Before release: nothing will start. After it: as if the owner had died. */
    cancel: (): void => void control.end(),
    signal: (signal: "SIGINT" | "SIGTERM" | "SIGKILL"): void => tell({ say: "signal", signal }),
    /** CPU time of the attempt's living processes; undefined where the guard does not answer. */
    sampleCpu: () =>
      new Promise<number | undefined>((resolve) => {
        const late = setTimeout(() => sampled(), SAMPLE_WAIT_MS);
        sampled = (cpuMs) => {
          clearTimeout(late);
          resolve(cpuMs);
        };
        void gone.then(() => sampled());
        tell({ say: "sample" });
      }),
    /** Writes to the command's standard input; false where nobody can hear it. */
    say: (text: string): boolean => {
      const heard = stdin?.writable === true && word === undefined;
      if (heard) stdin.write(text);
      return heard;
    },
    /** Closes its standard input. */
    hangUp: (): void => void stdin?.end(),
    /** Recorded as its standard output: what it said by another way. */
    print: (text: string): void => output.print(Buffer.from(text)),
    outputBytes: output.bytes,
    ended: gone.then(async (): Promise<GuardedEnd> => {
      const problem = start.problem();
      if (problem !== undefined) word ??= { say: "refused", errno: "EAGAIN", detail: problem };
      const survivors =
        word?.say === "ended" ? word.survivors : (await proveDead(identity, request)).survivors;
      return { ...(await output.finish()), word, survivors };
    }),
  };
}

const START_LIMIT_MS = 10_000;

const starting = new Set<ChildProcess>();

process.on("exit", () => {
  for (const guard of starting) guard.kill("SIGKILL");
});

/**
 * Where threads or processes are few, Node itself may hang before the guard's first line runs, and such a guard
 * hears nothing, not even that its owner died: not up by the limit, or when its owner exits, it is killed.
 */
export function watchStart(guard: ChildProcess, limitMs: number = START_LIMIT_MS) {
  let isUp = false;
  let isLate = false;
  starting.add(guard);
  const late = setTimeout(() => {
    isLate = true;
    guard.kill("SIGKILL");
  }, limitMs);
  const over = (): void => {
    clearTimeout(late);
    starting.delete(guard);
  };
  guard.once("exit", over);
  return {
    /** The guard has spoken: from now on it looks after itself. */
    up(): void {
      isUp = true;
      over();
    },
    /** Once the guard is gone: why it never was up; nothing if it was, or left in order. */
    problem(): string | undefined {
      if (isUp || guard.exitCode === 0) return undefined;
      const how = isLate
        ? `did not start in ${limitMs / 1000} s`
        : `ended while it started (${guard.signalCode ?? `exit code ${guard.exitCode}`})`;
      return `its guard process ${how}: too few processes may be left (see ulimit -u)`;
    },
  };
}

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
async function makePipes(paths: readonly string[]): Promise<void> {
  const args = ["-m", "600", ...paths];
  const child = spawn("mkfifo", args, { detached: true, stdio: "ignore" });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`Command failed: mkfifo ${args.join(" ")}`);
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
