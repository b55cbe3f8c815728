/**
 * The process of one attempt, whatever the agent: guarded, watched, its output recorded. Invariants: nothing runs
 * before `release`; every process of the attempt carries its mark; the result says how it ended, not what that means.
 */
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { assert } from "../core/assert.ts";
import type { AgentRequest } from "../runtime/ports-agent.ts";
import type { AgentResult } from "../runtime/agent-result.ts";
import { TRANSCRIPT_FILE } from "./attempt-files.ts";
import { environmentOf, redactionFor } from "./process/environment.ts";
import { startGuarded, type Started } from "./process/spawn.ts";
import type { GuardedProcess, GuardedRequest } from "./process/guarded-process.ts";
import { watchProcess } from "./process/watchdog.ts";

const WINDOW = { headBytes: 16 * 1024, tailBytes: 64 * 1024 };
const TRANSCRIPT_MAX_BYTES = 256 * 1024 * 1024;
const GRACE_MS = [10_000, 5000, 5000] as const;
const LEFT_BEHIND_GRACE_MS = 2000;

interface AttemptCommand extends Pick<GuardedRequest, "argv" | "stdin"> {
  readonly onText: (stream: "stdout" | "stderr", text: string) => void;
}

export interface AttemptProcess extends Pick<
  GuardedProcess,
  "identity" | "release" | "say" | "hangUp" | "print"
> {
  stop(detail: string): void;
  /** It waits for a person until the returned function is called: no limit counts that time. */
  hold(): () => void;
  /** Ends it early because its output has already shown how it will end. */
  settle(detail: string): void;
  readonly ended: Promise<Omit<AgentResult, "promptBy" | "report">>;
}

export async function startAttempt(
  { place, cwd, env, redaction = redactionFor(env), folder, limits, treeMark }: AgentRequest,
  { onText, ...command }: AttemptCommand,
): Promise<Started<AttemptProcess>> {
  const decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
  const started = await startGuarded({
    ...command,
    attemptId: place.attemptId,
    cwd,
    env: environmentOf(place, env),
    window: WINDOW,
    redaction,
    transcript: { path: join(folder, TRANSCRIPT_FILE), maxBytes: TRANSCRIPT_MAX_BYTES },
    graceMs: LEFT_BEHIND_GRACE_MS,
    onChunk(stream, chunk) {
      const text = decoders[stream].write(chunk);
      if (text !== "") onText(stream, text);
    },
  });
  if (!started.ok) return started;
  const watched = watchProcess(started.process, {
    limits: { ...limits, graceMs: GRACE_MS },
    ...(treeMark === undefined ? {} : { treeMark }),
  });
  return {
    ok: true,
    process: {
      ...started.process,
      release: () => watched.release(),
      stop: (detail) => watched.stop(detail),
      hold: () => watched.hold(),
      settle: (detail) => watched.stop(detail, "settled"),
      ended: watched.result.then(({ word, cut: _, transcript, ...ended }) => {
        assert(transcript !== undefined, "an attempt has a transcript");
        const leftBehind = word?.say === "ended" ? word.leftBehind : 0;
        return { ...ended, transcript, leftBehind };
      }),
    },
  };
}
