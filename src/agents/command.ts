/**
 * The `command` agent: any command a user names, with the prompt by argument, file or stdin.
 * Imports process/ and the port. It translates, it never decides: what an exit code or a kill
 * means is for the core. Invariants: no shell; the prompt reaches the command byte for byte, and
 * where the system's limit on arguments forbids that, the result says so (`promptBy:
 * "file-reference"`).
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { assert } from "../core/assert.ts";
import type { Agent, AgentRequest, AgentResult, AgentStart } from "../runtime/ports-agent.ts";
import { fillTemplate, parseTemplate, takesPrompt } from "./process/command-template.ts";
import { environmentOf } from "./process/environment.ts";
import { startGuarded } from "./process/spawn.ts";
import { watchProcess } from "./process/watched-process.ts";
import type { WatchedEnd } from "./process/watched-process.ts";

const WINDOW = { headBytes: 16 * 1024, tailBytes: 64 * 1024 };
const TRANSCRIPT_MAX_BYTES = 256 * 1024 * 1024;
const GRACE_MS = [10_000, 5000, 5000] as const;
const LEFT_BEHIND_GRACE_MS = 2000;
/** Linux: 32 pages for one argument with its end; macOS: a little under 1 MB for all of them. */
const ARGUMENT_MAX_BYTES = 131_071;
const ARGUMENTS_MAX_BYTES = 900_000;

export function commandAgent(template: string): Agent {
  const parsed = parseTemplate(template);
  return {
    async start(request) {
      return parsed.ok ? startCommand(parsed.words, request) : parsed;
    },
  };
}

async function startCommand(words: readonly string[], request: AgentRequest): Promise<AgentStart> {
  const { place, model, folder } = request;
  if (model === undefined && words.some((word) => word.includes("{model}")))
    return {
      ok: false,
      problem: "the agent command has {model}, but no model is set for this tier",
    };
  const promptFile = join(folder, "prompt.txt");
  const env = environmentOf(place, request.env);
  const { argv, promptBy } = passPrompt(words, request, promptFile, env);
  try {
    if (promptBy !== "argument")
      await writeFile(promptFile, request.prompt, { flag: "wx", mode: 0o600 });
  } catch (error) {
    return { ok: false, problem: `the prompt file cannot be written: ${(error as Error).message}` };
  }
  const started = await startGuarded({
    attemptId: place.attemptId,
    argv,
    cwd: request.cwd,
    env,
    ...(promptBy === "stdin" ? { stdinFile: promptFile } : {}),
    window: WINDOW,
    transcript: { path: join(folder, "transcript"), maxBytes: TRANSCRIPT_MAX_BYTES },
    graceMs: LEFT_BEHIND_GRACE_MS,
    ...(request.onStep === undefined ? {} : { onChunk: stepsOf(request.onStep) }),
  });
  if (!started.ok) return started;
  const watched = watchProcess(started.process, {
    limits: { ...request.limits, graceMs: GRACE_MS },
    ...(request.treeMark === undefined ? {} : { treeMark: request.treeMark }),
  });
  return {
    ok: true,
    attempt: {
      identity: started.process.identity,
      release: () => watched.release(),
      stop: (detail) => watched.stop(detail),
      result: watched.result.then((ended) => evidenceOf(ended, promptBy)),
    },
  };
}

function passPrompt(
  words: readonly string[],
  { prompt, model }: AgentRequest,
  promptFile: string,
  env: Readonly<Record<string, string>>,
): { readonly argv: readonly string[]; readonly promptBy: AgentResult["promptBy"] } {
  const values = { prompt, promptFile, ...(model === undefined ? {} : { model }) };
  const argv = fillTemplate(words, values);
  if (!takesPrompt(words)) return { argv, promptBy: "stdin" };
  if (!words.some((word) => word.includes("{prompt}"))) return { argv, promptBy: "file" };
  if (!prompt.includes("\0") && fits(argv, env)) return { argv, promptBy: "argument" };
  const reference =
    "Your task is too long for a command line. " +
    `Read it from the file ${promptFile} and do what it says.`;
  return {
    argv: fillTemplate(words, { ...values, prompt: reference }),
    promptBy: "file-reference",
  };
}

function fits(argv: readonly string[], env: Readonly<Record<string, string>>): boolean {
  const sizes = argv.map((argument) => Buffer.byteLength(argument));
  const variables = Object.entries(env).map(([name, value]) => Buffer.byteLength(name + value));
  const all = [...sizes, ...variables].reduce((sum, size) => sum + size + 10, 0);
  return Math.max(...sizes) < ARGUMENT_MAX_BYTES && all < ARGUMENTS_MAX_BYTES;
}

function stepsOf(onStep: NonNullable<AgentRequest["onStep"]>) {
  const decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
  return (stream: "stdout" | "stderr", chunk: Buffer): void => {
    const text = decoders[stream].write(chunk);
    if (text !== "") onStep({ kind: "output", stream, text });
  };
}

function evidenceOf(ended: WatchedEnd, promptBy: AgentResult["promptBy"]): AgentResult {
  const { end, stdout, stderr, transcript, durations, word, survivors } = ended;
  assert(transcript !== undefined, "an attempt has a transcript");
  const leftBehind = word?.say === "ended" ? word.leftBehind : 0;
  return {
    end,
    stdout,
    stderr,
    transcript,
    durations,
    leftBehind,
    survivors,
    promptBy,
  };
}
