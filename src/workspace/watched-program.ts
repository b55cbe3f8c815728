/**
 * A git or cp that the workspace waits for, with everything it starts (filter programs outlive a git that is ended
 * alone): told of while it is slow, ended at its limit, by an abort, and by the first stop. Invariants: asked to
 * end first, so that git takes its locks away, and killed after a grace; one that not even that ends is waited for
 * no longer; a stop gives what is quick the time to finish.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { tameLine } from "../core/foreign-text.ts";
import { keepGroup } from "./program-keeper.ts";

/** Who is told of slow programs, and ends them. One process works on one run, so there is one of it. */
export interface ProgramWatch {
  readonly tell: (words: string) => void;
  /** What a person does about it. */
  readonly ending: string;
  readonly stop?: AbortSignal;
}

const ON_TERMINAL: ProgramWatch = {
  tell: (words) => void process.stderr.write(`unstuck: ${words}\n`),
  ending: "Ctrl-C ends it at once",
};
let watch = ON_TERMINAL;

/** Gives what makes it as it was: words on standard error. */
export function watchPrograms(wanted: ProgramWatch): () => void {
  watch = wanted;
  return () => {
    if (watch === wanted) watch = ON_TERMINAL;
  };
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const KILL_AFTER = 2 * SECOND;
const GIVEN_UP_AFTER = 5 * SECOND;

/** Ten minutes, or what the user allows for a repository that takes longer. */
export function programLimit(): number {
  const minutes = Number(process.env["UNSTUCK_GIT_MINUTES"]);
  return minutes > 0 && minutes <= 24 * 60 ? minutes * MINUTE : 10 * MINUTE;
}
const slowAfter = (): number => Math.min(30 * SECOND, programLimit() / 4);
const graceAfterStop = (): number => Math.min(10 * SECOND, programLimit() / 4);

export type EndedBy = "limit" | "abort" | "stop";

export interface Ended {
  readonly code: number;
  readonly by?: EndedBy;
}

/** `child` leads a process group of its own. Rejects where it could not be started. */
export async function watched(
  child: ChildProcess,
  { name, folder, limitMs }: { name: string; folder: string; limitMs: number },
  abort: AbortSignal | undefined,
): Promise<Ended> {
  const { stop, tell, ending } = watch;
  const begun = performance.now();
  const timers = new Set<NodeJS.Timeout>();
  const after = (ms: number, work: () => void): void => void timers.add(setTimeout(work, ms));
  const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<[null]>();
  let by: EndedBy | undefined;
  const end = (why: EndedBy): void => {
    if (by !== undefined) return;
    by = why;
    signalGroup(child, "SIGTERM");
    after(KILL_AFTER, () => signalGroup(child, "SIGKILL"));
    after(KILL_AFTER + GIVEN_UP_AFTER, () => giveUp([null]));
  };
  const say = (): void => {
    const took = spokenTime(performance.now() - begun);
    const where = tameLine(folder, 300);
    tell(
      `${name} has taken ${took} in ${where}; it is ended after ${spokenTime(limitMs)}; ${ending}`,
    );
    after(MINUTE, say);
  };
  const onAbort = (): void => end("abort");
  const onStop = (): void => {
    const isSlow = performance.now() - begun >= slowAfter();
    after(isSlow ? 0 : graceAfterStop(), () => end("stop"));
  };
  after(slowAfter(), say);
  after(limitMs, () => end("limit"));
  const forget = child.pid === undefined ? undefined : keepGroup(child.pid);
  for (const [signal, heard] of [
    [abort, onAbort],
    [stop, onStop],
  ] as const) {
    if (signal?.aborted === true) heard();
    else signal?.addEventListener("abort", heard, { once: true });
  }
  try {
    const [code] = (await Promise.race([once(child, "close"), givenUp])) as [number | null];
    return { code: code ?? -1, ...(by === undefined ? {} : { by }) };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    abort?.removeEventListener("abort", onAbort);
    stop?.removeEventListener("abort", onStop);
    if (child.exitCode !== null || child.signalCode !== null) forget?.();
    else letGo(child);
  }
}

function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // all of them are gone
  }
}

/** One that does not even die: this process must be able to end without it. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
}

export const spokenTime = (ms: number): string =>
  ms < 2 * MINUTE ? `${Math.round(ms / SECOND)} s` : `${Math.round(ms / MINUTE)} min`;
