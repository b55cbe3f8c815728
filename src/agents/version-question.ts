/**
 * Asks an agent's program for its version: once for each program in the life of this process. Invariants: bounded
 * in time and output; never rejects; guarded like an attempt, under a mark of its own, so that it ends with its
 * owner and is no part of any attempt.
 */
import { ownRedaction } from "./process/own-redaction.ts";
import { startGuarded } from "./process/spawn.ts";
import { versionIn } from "./version.ts";

export interface VersionQuestion {
  readonly program: readonly string[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const LONGEST_MS = 20_000;
const MAX_ASKED = 100;
const WINDOW = { headBytes: 4096, tailBytes: 4096 };
const GRACE_MS = 1000;

export interface VersionAnswer {
  /** Undefined where it does not tell, or not in time. */
  readonly told: Promise<string | undefined>;
  /** Nobody waits for it any more: if it is still to come, it will not. */
  letGo(): void;
}

const UNKNOWN: VersionAnswer = { told: Promise.resolve(undefined), letGo: () => undefined };
const asked = new Map<string, VersionAnswer>();
let count = 0;

export function askVersion(question: VersionQuestion): VersionAnswer {
  const key = JSON.stringify([question.program, question.env["PATH"]]);
  const before = asked.get(key);
  if (before !== undefined) return before;
  if (asked.size >= MAX_ASKED) return UNKNOWN;
  const stop = new AbortController();
  let isOpen = true;
  const told = ask(question, stop.signal).finally(() => (isOpen = false));
  const letGo = (): void => {
    if (!isOpen) return;
    stop.abort();
    asked.delete(key);
  };
  asked.set(key, { told, letGo });
  return { told, letGo };
}

async function ask(
  { program, args, env }: VersionQuestion,
  stop: AbortSignal,
): Promise<string | undefined> {
  count += 1;
  const mark = `version/${process.pid}/${count}`;
  const started = await startGuarded({
    attemptId: mark,
    argv: [...program, ...args],
    cwd: "/",
    env: { ...env, NO_COLOR: "1", UNSTUCK_ATTEMPT: mark },
    window: WINDOW,
    redaction: ownRedaction(env),
    graceMs: GRACE_MS,
  });
  if (!started.ok) return undefined;
  const cancel = (): void => started.process.cancel();
  const late = setTimeout(cancel, LONGEST_MS);
  stop.addEventListener("abort", cancel);
  if (stop.aborted) cancel();
  else started.process.release();
  const { stdout, stderr } = await started.process.ended;
  clearTimeout(late);
  return versionIn(stdout) ?? versionIn(stderr);
}
