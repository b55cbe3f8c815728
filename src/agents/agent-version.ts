/**
 * Asks an agent for its version, to warn about an untested one and to drive an old one differently. Invariants: the
 * warning never delays or fails an attempt, and is dropped if the version is still unknown at its end; a start waits
 * for the version only if it decides how to start. A program is asked once per process, bounded in time and output,
 * under its own mark, so that it ends with its owner and does not count as part of an attempt.
 */
import type { Agent } from "../runtime/ports-agent.ts";
import type { AgentProfile } from "./agent.ts";
import { redactionFor } from "./process/environment.ts";
import { startGuarded } from "./process/spawn.ts";

/** The first `1.2.3` in a program's version output. */
export const versionIn = (text: string): string | undefined =>
  /\d{1,6}\.\d{1,6}\.\d{1,6}/.exec(text)?.[0];

/** The warning for version output in `text`; an untested version still works, without restrictions. */
export function versionWarning(
  { title, tested: { from, below } }: Pick<AgentProfile, "title" | "tested">,
  text: string,
): string | undefined {
  const version = versionIn(text);
  return version === undefined || (!isBefore(version, from) && isBefore(version, below))
    ? undefined
    : `${title} ${version} is not tested with Unstuck (tested: ${from} to below ${below})`;
}

export const isBefore = (version: string, other: string): boolean => rank(version) < rank(other);

function rank(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  return (major * 1e6 + minor) * 1e6 + patch;
}

export function versionedAgent(
  profile: AgentProfile,
  program: readonly string[],
  agent: Agent,
  older?: { readonly below: string; readonly agent: Agent },
): Agent {
  return {
    async start(request) {
      const ask = (): VersionAnswer =>
        askVersion({ program, args: profile.versionArgs, env: request.env });
      let answer: VersionAnswer | undefined;
      let version = older === undefined ? undefined : await ask().told;
      const isOld = older !== undefined && version !== undefined && isBefore(version, older.below);
      const started = await (isOld ? older.agent : agent).start(request);
      if (!started.ok) return started;
      const { attempt } = started;
      return {
        ok: true,
        attempt: {
          ...attempt,
          release() {
            attempt.release();
            if (version !== undefined) return;
            answer = ask();
            void answer.told.then((told) => (version = told));
          },
          result: attempt.result.then((result) => {
            answer?.letGo();
            const warning = versionWarning(profile, version ?? "");
            const { report } = result;
            if (warning === undefined || report === undefined) return result;
            const warnings = [...new Set([warning, ...report.warnings])];
            return { ...result, report: { ...report, warnings } };
          }),
        },
      };
    },
  };
}

interface VersionQuestion {
  readonly program: readonly string[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const LONGEST_MS = 20_000;
const MAX_ASKED = 100;
const WINDOW = { headBytes: 4096, tailBytes: 4096 };
const GRACE_MS = 1000;

interface VersionAnswer {
  /** The first `1.2.3` it prints; undefined if it prints none, or not in time. */
  readonly told: Promise<string | undefined>;
  /** Nothing waits for the answer any more: a program still running is stopped. */
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
    redaction: redactionFor(env),
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
