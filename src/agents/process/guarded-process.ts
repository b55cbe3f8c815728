/** A process that is watched from its first moment: whether it started, and what it said last. */
import type { ChildProcess } from "node:child_process";
import type { ProcessIdentity, ProcessTrace } from "../../runtime/agent-result.ts";
import { messageReader, writeMessage, type FromGuard, type ToGuard } from "./guard-messages.ts";
import type { FinishedOutput, Output, OutputOptions } from "./output.ts";
import { proveDead } from "./proof-of-death.ts";
import type { Socket } from "node:net";
import type { Writable } from "node:stream";

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

type Word = Exclude<FromGuard, { readonly say: "up" }>;
type LastWord = Exclude<Word, { readonly say: "opened" | "sampled" }>;

export interface GuardedEnd extends FinishedOutput {
  /** Undefined where the guard said none: it was cancelled before release, or died. */
  readonly word: LastWord | undefined;
  readonly survivors: readonly ProcessTrace[];
}

/** What its owner and a guard say to each other. */
export type GuardLine = ReturnType<typeof guardLine>;

export function guardLine(guard: ChildProcess) {
  const start = watchStart(guard);
  const control = guard.stdio[3] as Socket;
  let heard: (word: Word) => void = () => undefined;
  control.setEncoding("utf8");
  control.on("error", () => undefined);
  control.on(
    "data",
    messageReader<FromGuard>((said) => (said.say === "up" ? start.up() : heard(said))),
  );
  return {
    tell: (word: ToGuard): void => void (control.writable && control.write(writeMessage(word))),
    hangUp: (): void => void control.end(),
    /** What it says from now on is for this listener. */
    hear: (listener: (word: Word) => void): void => void (heard = listener),
    gone: new Promise<void>((resolve) => guard.once("close", () => resolve())),
    /** Once it is gone: why it never was up. */
    problem: () => start.problem(),
  };
}

export type GuardedProcess = ReturnType<typeof guarded>;

const SAMPLE_WAIT_MS = 2000;

interface Guarded {
  readonly line: GuardLine;
  readonly identity: ProcessIdentity;
  readonly output: Output;
  readonly stdin?: Writable | null;
  /** Of a guard that stays: named pipes for the command, and what to do once the guard has them open or is gone. */
  readonly named?: { readonly pipes: readonly [string, string]; readonly taken: () => void };
}

export function guarded(
  request: GuardedRequest,
  { line, identity, output, stdin, named }: Guarded,
) {
  const { argv, cwd, env } = request;
  let word: LastWord | undefined;
  let sampled: (cpuMs?: number) => void = () => undefined;
  stdin?.on("error", () => undefined);
  const said = Promise.withResolvers<void>();
  line.hear((heard) => {
    if (heard.say === "sampled") sampled(heard.cpuMs);
    else if (heard.say === "opened") named?.taken();
    else {
      word = heard;
      said.resolve();
    }
  });
  const over = named === undefined ? line.gone : Promise.race([line.gone, said.promise]);
  const pipes = named === undefined ? {} : { pipes: named.pipes };
  return {
    identity,
    release: (): void => line.tell({ say: "start", argv, cwd, env, ...pipes }),
    /** Before release: nothing will start. After it: as if the owner had died. */
    cancel: (): void => line.hangUp(),
    signal: (signal: "SIGINT" | "SIGTERM" | "SIGKILL"): void =>
      line.tell({ say: "signal", signal }),
    /** CPU time of the attempt's living processes; undefined where the guard does not answer. */
    sampleCpu: () =>
      new Promise<number | undefined>((resolve) => {
        const late = setTimeout(() => sampled(), SAMPLE_WAIT_MS);
        sampled = (cpuMs) => {
          clearTimeout(late);
          resolve(cpuMs);
        };
        void over.then(() => sampled());
        line.tell({ say: "sample" });
      }),
    /** Writes to the command's standard input; false where nobody can hear it. */
    say: (text: string): boolean => {
      const heard = stdin?.writable === true && word === undefined;
      if (heard) stdin.write(text);
      return heard;
    },
    hangUp: (): void => void stdin?.end(),
    /** Recorded as its standard output: what it said by another way. */
    print: (text: string): void => output.print(Buffer.from(text)),
    outputBytes: output.bytes,
    ended: over.then(async (): Promise<GuardedEnd> => {
      named?.taken();
      // A guard that stays speaks only once all is dead.
      const isProven = word?.say === "ended" || (named !== undefined && word !== undefined);
      const problem = line.problem();
      if (problem !== undefined) word ??= { say: "refused", errno: "EAGAIN", detail: problem };
      const left = word?.say === "ended" ? word.survivors : [];
      const survivors = isProven ? left : (await proveDead(identity, request)).survivors;
      return { ...(await output.finish()), word, survivors };
    }),
  };
}

const START_LIMIT_MS = 10_000;

export const starting = new Set<ChildProcess>();

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
