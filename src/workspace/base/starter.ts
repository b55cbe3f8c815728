/**
 * Starts programs for a process that has grown large. Starting a program copies the page tables of the parent, which
 * soon takes longer than running a git. So a small process starts them and passes on their output. Invariants: no
 * terminal signal reaches it; it ends with this process, and so does everything it started; if it dies, what it started
 * is ended and reported as ended by SIGHUP, so that callers start it again.
 */
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { join } from "node:path";
import { frame, frameReader, KINDS, type Begun, type Ended } from "./frames.ts";

export interface ProgramPlan {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  /** `end` asks the program to stop; output written until then is still delivered. */
  readonly onOutput: (chunk: Buffer, end: () => void) => void;
  readonly onErrors: (chunk: Buffer) => void;
}

export interface Program {
  /** Also the id of its process group. */
  readonly pid: number;
  /** Resolves once it has ended and all its output was delivered. */
  readonly ended: Promise<Ended>;
  /** For a program that cannot be killed: allows this process to exit without it. */
  letGo(): void;
}

/** Next to this file: TypeScript in a checkout, a single CommonJS file in the package. */
const FILE = join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "starter-process.ts" : "starter-process.cjs",
);
const FLAGS = ["--disable-warning=ExperimentalWarning", "--v8-pool-size=1"];
const PIECE = 64 * 1024;

interface Waiting {
  readonly plan: ProgramPlan;
  readonly begun: PromiseWithResolvers<number | undefined>;
  readonly ended: PromiseWithResolvers<Ended>;
  pid?: number;
}

/** Undefined if it died before it confirmed that the program runs. */
type Starter = (plan: ProgramPlan) => Promise<Program | undefined>;

let starter: Starter | undefined;

export const startBySmallProcess: Starter = async (plan) => (starter ??= opened())?.(plan);

function opened(): Starter | undefined {
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, [...FLAGS, FILE], {
    ...{ env: { PATH }, cwd: "/", detached: true, stdio: ["pipe", "pipe", "ignore"] },
  });
  if (child.pid === undefined) {
    child.once("error", () => undefined);
    return undefined;
  }
  const [input, output] = [child.stdin as Socket, child.stdout as Socket];
  const waiting = new Map<number, Waiting>();
  let last = 0;
  /** Lets this process exit while no program is running. */
  const hold = (): void => {
    for (const one of [child, input, output]) one[waiting.size > 0 ? "ref" : "unref"]();
  };
  const gone = (): void => {
    if (starter === self) starter = undefined;
    for (const { pid, begun, ended } of waiting.values()) {
      signalled(pid === undefined ? undefined : -pid, "SIGKILL");
      begun.resolve(undefined);
      ended.resolve({ code: null, signal: "SIGHUP" });
    }
    waiting.clear();
  };
  const heard: Record<number, (one: Waiting, content: Buffer, id: number) => void> = {
    [KINDS.begun](one, content, id) {
      const said = JSON.parse(content.toString()) as Begun;
      if ("pid" in said) return one.begun.resolve((one.pid = said.pid));
      waiting.delete(id);
      one.begun.reject(Object.assign(new Error(said.problem), { code: said.code }));
    },
    [KINDS.output]: ({ plan, pid }, content) =>
      plan.onOutput(content, () => signalled(pid, "SIGTERM")),
    [KINDS.errors]: ({ plan }, content) => plan.onErrors(content),
    [KINDS.ended](one, content, id) {
      waiting.delete(id);
      one.ended.resolve(JSON.parse(content.toString()) as Ended);
    },
  };
  output.on(
    "data",
    frameReader((id, kind, content) => {
      const one = waiting.get(id);
      if (one !== undefined) heard[kind]?.(one, content, id);
      hold();
    }),
  );
  for (const stream of [input, output]) stream.on("error", () => undefined);
  child.once("error", gone).once("exit", gone);
  // A normal exit waits for the small process: in a container, orphaned processes may never be reaped.
  process.once("beforeExit", () => {
    input.end();
    child.ref();
  });
  const self: Starter = async (plan) => {
    const id = (last += 1);
    const one: Waiting = {
      plan,
      begun: Promise.withResolvers<number | undefined>(),
      ended: Promise.withResolvers<Ended>(),
    };
    waiting.set(id, one);
    hold();
    const { file, args, cwd, env, input: given = "" } = plan;
    input.write(frame(id, KINDS.begin, JSON.stringify({ file, args, cwd, env })));
    const bytes = Buffer.from(given);
    for (let at = 0; at < bytes.length; at += PIECE)
      input.write(frame(id, KINDS.input, bytes.subarray(at, at + PIECE)));
    input.write(frame(id, KINDS.inputEnd));
    const pid = await one.begun.promise;
    if (pid === undefined) return undefined;
    return {
      ...{ pid, ended: one.ended.promise },
      letGo() {
        waiting.delete(id);
        hold();
      },
    };
  };
  return self;
}

function signalled(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, signal);
  } catch {
    // all of them have ended
  }
}
