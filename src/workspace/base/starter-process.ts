/**
 * The small process that starts programs for a large one (see starter.ts), controlled over standard input. Invariant:
 * when that closes, the large process is gone, and everything started here is ended soon after.
 */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { frame, frameReader, KINDS, type Begin, type Begun, type Ended } from "./frames.ts";

const GRACE_MS = 2000;

interface Running {
  readonly stdin: NodeJS.WritableStream;
  readonly group: number;
  flow(isOpen: boolean): void;
}

const running = new Map<number, Running>();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
process.stdin.on(
  "data",
  frameReader((id, kind, content) => {
    if (kind === KINDS.begin) begin(id, JSON.parse(content.toString()) as Begin);
    else if (kind === KINDS.input) running.get(id)?.stdin.write(content);
    else running.get(id)?.stdin.end();
  }),
);
process.stdin.on("error", () => undefined);
process.stdin.once("close", () => void endAll());
process.stdout.on("error", () => undefined);
process.stdout.on("drain", () => {
  for (const one of running.values()) one.flow(true);
});

/** Output that the reader has not taken yet stays in the programs' pipes. */
function tell(id: number, kind: number, content: Buffer | string): void {
  if (process.stdout.write(frame(id, kind, content))) return;
  for (const one of running.values()) one.flow(false);
}

function begin(id: number, plan: Begin): void {
  const { file, args, cwd, env } = plan;
  const failed = ({ message, code }: NodeJS.ErrnoException): void =>
    tell(id, KINDS.begun, JSON.stringify({ problem: message, code }));
  try {
    const child = spawn(file, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    if (child.pid === undefined) child.once("error", failed);
    else passOn(id, child, child.pid);
  } catch (error) {
    failed(error as NodeJS.ErrnoException);
  }
}

function passOn(id: number, child: ChildProcessWithoutNullStreams, group: number): void {
  const { stdin, stdout, stderr } = child;
  tell(id, KINDS.begun, JSON.stringify({ pid: group } satisfies Begun));
  child.on("error", () => undefined);
  stdin.on("error", () => undefined); // the program may end before it has read everything
  stdout.on("data", (chunk: Buffer) => tell(id, KINDS.output, chunk));
  stderr.on("data", (chunk: Buffer) => tell(id, KINDS.errors, chunk));
  running.set(id, {
    ...{ stdin, group },
    flow(isOpen) {
      for (const stream of [stdout, stderr]) stream[isOpen ? "resume" : "pause"]();
    },
  });
  child.once("close", (code, signal) => {
    running.delete(id);
    tell(id, KINDS.ended, JSON.stringify({ code, signal } satisfies Ended));
  });
}

async function endAll(): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    for (const { group } of running.values()) {
      try {
        process.kill(-group, signal);
      } catch {
        // it has just ended
      }
    }
    for (const end = Date.now() + GRACE_MS; running.size > 0 && Date.now() < end; await sleep(20));
  }
  process.exit(0);
}
