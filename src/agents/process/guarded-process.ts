/** A command under its guard, as its owner sees it: releasing, signalling, talking to it, and how it ended. */
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
  /** Includes the mark of the attempt: see environment.ts. */
  readonly env: Readonly<Record<string, string>>;
  /** Absent: empty. `pipe`: stays open for `say` until `hangUp`. */
  readonly stdin?: { readonly text: string } | "pipe";
  /** From SIGTERM to SIGKILL, for processes the command leaves behind, and after the owner's death. */
  readonly graceMs: number;
}

type Word = Exclude<FromGuard, { readonly say: "up" }>;
type LastWord = Exclude<Word, { readonly say: "opened" | "sampled" }>;

export interface GuardedEnd extends FinishedOutput {
  /** Undefined if the guard sent none: it was cancelled before release, or died. */
  readonly word: LastWord | undefined;
  readonly survivors: readonly ProcessTrace[];
}

/** The connection between an owner and a guard. */
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
    /** Later messages go to this listener. */
    hear: (listener: (word: Word) => void): void => void (heard = listener),
    gone: new Promise<void>((resolve) => guard.once("close", () => resolve())),
    /** Once it is gone: why it never came up. */
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
  /** For a guard that stays: named pipes for the command, and what to do once the guard has opened them or is gone. */
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
    /** Before release: nothing will start. After it: acts as if the owner had died. */
    cancel: (): void => line.hangUp(),
    signal: (signal: "SIGINT" | "SIGTERM" | "SIGKILL"): void =>
      line.tell({ say: "signal", signal }),
    /** CPU time of the attempt's living processes; undefined if the guard does not answer. */
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
    /** Writes to the command's standard input; false if nothing can read it. */
    say: (text: string): boolean => {
      const heard = stdin?.writable === true && word === undefined;
      if (heard) stdin.write(text);
      return heard;
    },
    hangUp: (): void => void stdin?.end(),
    /** Records text that arrived another way as standard output. */
    print: (text: string): void => output.print(Buffer.from(text)),
    outputBytes: output.bytes,
    ended: over.then(async (): Promise<GuardedEnd> => {
      named?.taken();
      // A guard that stays reports only once everything is dead.
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
 * Watches a guard's start. If threads or processes are scarce, Node may hang before the guard's first line runs; such a
 * guard receives nothing, not even its owner's death. It is killed if it is not up in time, or when its owner exits.
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
    /** The guard has reported: from now on it looks after itself. */
    up(): void {
      isUp = true;
      over();
    },
    /** Once the guard is gone: why it never came up; undefined if it did, or exited normally. */
    problem(): string | undefined {
      if (isUp || guard.exitCode === 0) return undefined;
      const how = isLate
        ? `did not start in ${limitMs / 1000} s`
        : `ended while it started (${guard.signalCode ?? `exit code ${guard.exitCode}`})`;
      return `its guard process ${how}: too few processes may be left (see ulimit -u)`;
    },
  };
}
