/**
 * Starts programs for a process that has grown. To start one, the system copies the table of all memory that the starting
 * process has, which soon takes longer than a git does; so a small process of ours starts them and passes on what they
 * write. Invariants: nothing that a terminal sends reaches it; it ends with this process, and what it started with it; if
 * it dies, what it started is ended and counts as hung up, so that it is started again.
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
  /** `end`: asks it to stop; what it wrote by then is still told. */
  readonly onOutput: (chunk: Buffer, end: () => void) => void;
  readonly onErrors: (chunk: Buffer) => void;
}

export interface Program {
  /** Also the number of its group. */
  readonly pid: number;
  /** Once it has ended and everything it wrote was told. */
  readonly ended: Promise<Ended>;
  /** One that does not even die: this process must be able to end without it. */
  letGo(): void;
}

/** Beside this file: as TypeScript in a checkout, as one file of CommonJS in the package. */
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

/** Undefined: it died before it said that the program runs. */
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
  /** This process may end while nothing is under way. */
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
  // Who ends in order waits for it: in a container nobody may bury what an ended process leaves.
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
    // all of them are gone
  }
}
