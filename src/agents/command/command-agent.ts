/**
 * The `command` agent: any command a user names, with the prompt by argument, file or stdin. It translates, it never
 * decides: what an exit code or a kill means is for the core. Invariants: no shell; the prompt reaches the command byte
 * for byte, and if the system's limit on arguments forbids that, the result says so (`promptBy: "file-reference"`).
 */
import { defined } from "../../core/defined.ts";
import type { Step } from "../../core/stuck/step.ts";
import type { Agent, AgentRequest, AgentStart } from "../../runtime/ports-agent.ts";
import type { AgentReport, AgentResult, ProcessEnd } from "../../runtime/agent-result.ts";
import { keepPrompt, writeAgentFiles, promptPath, removeLentFiles } from "../attempt-files.ts";
import { startAttempt, type AttemptProcess } from "../attempt-process.ts";
import { parseFields } from "../output/json.ts";
import { createOutputReader } from "../output/report.ts";
import { stepsOutput } from "../output/loose.ts";
import { environmentOf, redactionFor } from "../process/environment.ts";
import { REGISTRY, type Registry } from "../registry.ts";
import { fillTemplate, parseTemplate, takesPrompt, takesThinking } from "./template.ts";

/** Linux: 32 pages for one argument including its terminator; macOS: a little under 1 MB for all of them. */
const ARGUMENT_MAX_BYTES = 131_071;
const ARGUMENTS_MAX_BYTES = 900_000;

/** Output in a known format, given by name or detected from the first line, gives a report. */
export function commandAgent(template: string, format?: string, registry?: Registry): Agent {
  const parsed = parseTemplate(template);
  return {
    canThink: parsed.ok && takesThinking(parsed.words),
    async start(asked) {
      if (!parsed.ok) return parsed;
      const request = { ...asked, env: { ...asked.env, ...variablesOf(asked) } };
      return startCommand(parsed.words, request, createSniffedReader(format, request, registry));
    },
  };
}

/** The settings that other agents get as options, for a command that reads these variables. */
function variablesOf({ thinking, cap }: AgentRequest): Readonly<Record<string, string>> {
  const { usd, tokens } = cap ?? {};
  return {
    UNSTUCK_THINKING: thinkingWord(thinking),
    ...(usd === undefined ? {} : { UNSTUCK_CAP_USD: String(usd) }),
    ...(tokens === undefined ? {} : { UNSTUCK_CAP_TOKENS: String(tokens) }),
  };
}

const thinkingWord = (thinking = false): "on" | "off" => (thinking ? "on" : "off");

async function startCommand(
  words: readonly string[],
  request: AgentRequest,
  reader: ReturnType<typeof createSniffedReader>,
): Promise<AgentStart> {
  const { place, model, folder, prompt, env, redaction = redactionFor(env), onStep } = request;
  if (model === undefined && words.some((word) => word.includes("{model}")))
    return {
      ok: false,
      problem: "the agent command has {model}, but no model is set for this tier",
    };
  const promptFile = promptPath(folder, prompt, redaction);
  const { argv, promptBy } = passPrompt(words, request, promptFile, environmentOf(place, env));
  let lent: readonly string[] = [];
  try {
    await keepPrompt(folder, prompt, redaction);
    if (promptBy === "file" || promptBy === "file-reference")
      lent = await writeAgentFiles({ [promptFile]: prompt }, redaction);
  } catch (error) {
    return { ok: false, problem: `the prompt file cannot be written: ${(error as Error).message}` };
  }
  const settle: { by?: AttemptProcess } = {};
  const started = await startAttempt(request, {
    argv,
    ...(promptBy === "stdin" ? { stdin: { text: prompt } } : {}),
    onText(stream, text) {
      for (const step of reader.push(stream, text)) onStep?.(step);
      const final = reader.final();
      if (final !== undefined) settle.by?.settle(final);
    },
  });
  if (!started.ok) {
    await removeLentFiles(lent);
    return started;
  }
  const { process } = started;
  settle.by = process;
  return {
    ok: true,
    attempt: {
      identity: process.identity,
      release: () => process.release(),
      stop: (detail) => process.stop(detail),
      result: process.ended.then(async (evidence) => {
        await removeLentFiles(lent);
        const report = reader.report(evidence.end);
        return { ...evidence, promptBy, ...(report === undefined ? {} : { report }) };
      }),
    },
  };
}

function passPrompt(
  words: readonly string[],
  { prompt, model, thinking }: AgentRequest,
  promptFile: string,
  env: Readonly<Record<string, string>>,
): { readonly argv: readonly string[]; readonly promptBy: AgentResult["promptBy"] } {
  const values = { prompt, promptFile, ...defined({ model }), thinking: thinkingWord(thinking) };
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

const MAX_HELD = 256 * 1024;
const MAX_NOTES = 64 * 1024;

/**
 * Reads output in a format detected from its first line. Plain text has no format and becomes one long message. A
 * command that prints plain text, or our own steps, gives no report: its output and exit code are all there is. Results
 * do not depend on chunk boundaries; a bounded beginning is buffered.
 */
export function createSniffedReader(
  format?: string,
  limits?: Pick<AgentRequest, "model" | "cap">,
  registry: Registry = REGISTRY,
) {
  let source = format === undefined ? undefined : registry.outputNamed(format);
  let reader = source && createOutputReader(source, limits);
  let isPlain = false;
  let held = "";
  let notes = "";
  const isOwnSteps = (): boolean => source?.output === stepsOutput;
  const read = (stream: "stdout" | "stderr", text: string): readonly Step[] => {
    if (reader !== undefined) return reader.push(stream, text).steps;
    if (stream !== "stdout" || text === "") return [];
    return [{ kind: "message", partial: true, channel: "output", text }];
  };
  const begin = (text: string): readonly Step[] => {
    const line = parseFields(text.trimStart().split("\n", 1)[0] ?? "");
    source = line && registry.outputBeginning(line);
    isPlain = source === undefined;
    reader = source && createOutputReader(source, limits);
    reader?.push("stderr", notes);
    return read("stdout", text);
  };
  return {
    push(stream: "stdout" | "stderr", text: string): readonly Step[] {
      if (reader !== undefined || isPlain) return read(stream, text);
      if (stream === "stdout") held += text;
      else notes = (notes + text).slice(0, MAX_NOTES);
      return stream === "stdout" && isTelling(held) ? begin(held) : [];
    },
    final: (): string | undefined => (isOwnSteps() ? undefined : reader?.final()),
    report(end: ProcessEnd): AgentReport | undefined {
      if (reader === undefined && !isPlain) begin(`${held}\n`);
      return isOwnSteps() ? undefined : reader?.report(end);
    },
  };
}

/** Whether the first line is complete, or cannot be one of a known format. */
function isTelling(held: string): boolean {
  const start = held.length - held.trimStart().length;
  return held.includes("\n", start) || held.length >= MAX_HELD || held[start] !== "{";
}
