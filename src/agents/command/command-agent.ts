/**
 * The `command` agent: any command a user names, with the prompt by argument, file or stdin. It translates, it
 * never decides: what an exit code or a kill means is for the core. Invariants: no shell; the prompt reaches the
 * command byte for byte, and where the system's limit on arguments forbids that, the result says so (`promptBy:
 * "file-reference"`).
 */
import type {
  Agent,
  AgentRequest,
  AgentResult,
  AgentStart,
  RunningAttempt,
} from "../../runtime/ports-agent.ts";
import { keepPrompt, lendFiles, promptPath, takeBack } from "../attempt-files.ts";
import { startAttempt } from "../attempt-process.ts";
import type { AttemptProcess } from "../attempt-process.ts";
import { fillTemplate, parseTemplate, takesPrompt } from "./template.ts";
import { environmentOf, redactionFor } from "../process/environment.ts";
import { createSniffedReader } from "../output/sniff.ts";
import type { SniffedReader } from "../output/sniff.ts";
import type { Registry } from "../registry.ts";

/** Linux: 32 pages for one argument with its end; macOS: a little under 1 MB for all of them. */
const ARGUMENT_MAX_BYTES = 131_071;
const ARGUMENTS_MAX_BYTES = 900_000;

/** Output in a format that is named, or known by its first line, gives a report. */
export function commandAgent(template: string, format?: string, registry?: Registry): Agent {
  const parsed = parseTemplate(template);
  return {
    async start(request) {
      if (!parsed.ok) return parsed;
      return startCommand(parsed.words, request, createSniffedReader(format, request, registry));
    },
  };
}

async function startCommand(
  words: readonly string[],
  request: AgentRequest,
  reader: SniffedReader,
): Promise<AgentStart> {
  const { place, model, folder } = request;
  if (model === undefined && words.some((word) => word.includes("{model}")))
    return {
      ok: false,
      problem: "the agent command has {model}, but no model is set for this tier",
    };
  const redaction = request.redaction ?? redactionFor(request.env);
  const promptFile = promptPath(folder, request.prompt, redaction);
  const env = environmentOf(place, request.env);
  const { argv, promptBy } = passPrompt(words, request, promptFile, env);
  let lent: readonly string[] = [];
  try {
    if (promptBy !== "argument") await keepPrompt(folder, request.prompt, redaction);
    if (promptBy === "file" || promptBy === "file-reference")
      lent = await lendFiles({ [promptFile]: request.prompt }, redaction);
  } catch (error) {
    return { ok: false, problem: `the prompt file cannot be written: ${(error as Error).message}` };
  }
  const process: { current?: AttemptProcess } = {};
  const started = await startAttempt(request, {
    argv,
    stdin: promptBy === "stdin" ? { text: request.prompt } : "empty",
    onText(stream, text) {
      for (const step of reader.push(stream, text)) request.onStep?.(step);
      const final = reader.final();
      if (final !== undefined) process.current?.settle(final);
    },
  });
  if (!started.ok) {
    await takeBack(lent);
    return started;
  }
  process.current = started.process;
  return { ok: true, attempt: attemptOf(started.process, promptBy, reader, lent) };
}

function attemptOf(
  process: AttemptProcess,
  promptBy: AgentResult["promptBy"],
  reader: SniffedReader,
  lent: readonly string[],
): RunningAttempt {
  return {
    identity: process.identity,
    release: () => process.release(),
    stop: (detail) => process.stop(detail),
    result: process.ended.then(async (evidence) => {
      await takeBack(lent);
      const report = reader.report(evidence.end);
      return { ...evidence, promptBy, ...(report === undefined ? {} : { report }) };
    }),
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
