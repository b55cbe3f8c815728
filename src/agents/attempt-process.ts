/**
 * The process of one attempt, whatever agent it is: guarded, watched, its output recorded. Invariants: nothing
 * runs before `release`; every process of the attempt carries its mark; the result tells how it ended, not what
 * that means.
 */
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { assert } from "../core/assert.ts";
import type { AgentRequest, AgentResult, ProcessIdentity } from "../runtime/ports-agent.ts";
import { environmentOf, redactionFor } from "./process/environment.ts";
import { startGuarded } from "./process/spawn.ts";
import { watchProcess } from "./process/watched-process.ts";
import type { WatchedEnd } from "./process/watched-process.ts";

const WINDOW = { headBytes: 16 * 1024, tailBytes: 64 * 1024 };
const TRANSCRIPT_MAX_BYTES = 256 * 1024 * 1024;
const GRACE_MS = [10_000, 5000, 5000] as const;
const LEFT_BEHIND_GRACE_MS = 2000;

export interface AttemptCommand {
  readonly argv: readonly string[];
  readonly stdin: { readonly text: string } | "pipe" | "empty";
  readonly onText: (stream: "stdout" | "stderr", text: string) => void;
}

/** What every agent knows of an ended attempt. */
export type AttemptEvidence = Omit<AgentResult, "promptBy" | "report">;

export interface AttemptProcess {
  readonly identity: ProcessIdentity;
  release(): void;
  stop(detail: string): void;
  /** Ends it because its own output has already told how it ends. */
  settle(detail: string): void;
  say(text: string): boolean;
  hangUp(): void;
  /** Recorded as its standard output: what it said by another way. */
  print(text: string): void;
  readonly ended: Promise<AttemptEvidence>;
}

export type AttemptStart =
  | { readonly ok: true; readonly process: AttemptProcess }
  | { readonly ok: false; readonly problem: string };

export async function startAttempt(
  request: AgentRequest,
  { argv, stdin, onText }: AttemptCommand,
): Promise<AttemptStart> {
  const { place } = request;
  const started = await startGuarded({
    attemptId: place.attemptId,
    argv,
    cwd: request.cwd,
    env: environmentOf(place, request.env),
    ...(stdin === "pipe" ? { stdinPipe: true } : {}),
    ...(typeof stdin === "object" ? { stdinText: stdin.text } : {}),
    window: WINDOW,
    redaction: request.redaction ?? redactionFor(request.env),
    transcript: { path: join(request.folder, "transcript"), maxBytes: TRANSCRIPT_MAX_BYTES },
    graceMs: LEFT_BEHIND_GRACE_MS,
    onChunk: texts(onText),
  });
  if (!started.ok) return started;
  const guarded = started.process;
  const watched = watchProcess(guarded, {
    limits: { ...request.limits, graceMs: GRACE_MS },
    ...(request.treeMark === undefined ? {} : { treeMark: request.treeMark }),
  });
  return {
    ok: true,
    process: {
      identity: guarded.identity,
      release: () => watched.release(),
      stop: (detail) => watched.stop(detail),
      settle: (detail) => watched.stop(detail, "settled"),
      say: (text) => guarded.say(text),
      hangUp: () => guarded.hangUp(),
      print: (text) => guarded.print(text),
      ended: watched.result.then(evidenceOf),
    },
  };
}

function texts(
  onText: AttemptCommand["onText"],
): (stream: "stdout" | "stderr", chunk: Buffer) => void {
  const decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
  return (stream, chunk) => {
    const text = decoders[stream].write(chunk);
    if (text !== "") onText(stream, text);
  };
}

function evidenceOf(ended: WatchedEnd): AttemptEvidence {
  const { end, stdout, stderr, transcript, durations, word, survivors } = ended;
  assert(transcript !== undefined, "an attempt has a transcript");
  const leftBehind = word?.say === "ended" ? word.leftBehind : 0;
  return { end, stdout, stderr, transcript, durations, leftBehind, survivors };
}
