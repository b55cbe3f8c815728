/**
 * Creates an agent of the registry by its name, and starts agents with typed output: the driver's command line, the
 * guarded process, the output reader, and the conversation if the agent accepts messages. Ends the attempt once its own
 * output has shown how it ends. Invariants: the prompt is never on a command line; the user's environment takes
 * precedence over the driver's; nothing here is specific to one agent.
 */
import { distinctRefusals, type Refusal } from "../core/agent-words/refusal.ts";
import { defined } from "../core/defined.ts";
import { join } from "node:path";
import { cleanLine } from "../core/foreign-text.ts";
import type { Agent, AgentRequest, AgentStart } from "../runtime/ports-agent.ts";
import type { AgentUsage } from "../runtime/agent-result.ts";
import { versionedAgent } from "./agent-version.ts";
import type { Conversation, Driver, Reply } from "./agent.ts";
import { keepPrompt, writeAgentFiles, removeLentFiles } from "./attempt-files.ts";
import { startAttempt, type AttemptProcess } from "./attempt-process.ts";
import { commandAgent } from "./command/command-agent.ts";
import { parseTemplate } from "./command/template.ts";
import { createOutputReader, type OutputReader, type OutputSource } from "./output/report.ts";
import { redactionFor } from "./process/environment.ts";
import { REGISTRY, type Registry } from "./registry.ts";

interface AgentOptions {
  /** What to start instead of the agent's usual program; split into words like a shell, but without one. */
  readonly command?: string;
  /** The output format of a plain command; by default detected from its first line. */
  readonly format?: string;
}

/** `acp:<command>` names an agent without a program of its own, together with its command. */
export function agentNamed(
  name: string,
  options: AgentOptions = {},
  registry: Registry = REGISTRY,
): Agent | undefined {
  const started = startable(name, options, registry);
  const { profile, driver } = registry.find(name.split(":")[0] ?? "") ?? {};
  if (started === undefined || driver === undefined) return started;
  // An agent without a profile asks its client for permission, and is answered by the same rule.
  const isGated = profile?.features.includes("least-permissions") ?? true;
  const canThink = profile?.features.includes("thinking") ?? false;
  return { ...started, isGated, canThink };
}

function startable(
  name: string,
  { command, format }: AgentOptions,
  registry: Registry,
): Agent | undefined {
  const [kind = "", ...given] = name.split(":");
  const agent = registry.find(kind);
  const usual = given.length > 0 ? given.join(":") : agent?.profile?.binary;
  const program = command ?? usual;
  if (agent === undefined || program === undefined) return undefined;
  const { profile, output, driver, older, tellsVersion } = agent;
  if (given.length > 0 && profile !== undefined) return undefined;
  if (output === undefined || driver === undefined) return commandAgent(program, format, registry);
  const source = { output, ...(profile && { profile }) };
  const started = typedAgent(source, driver, program);
  const parsed = parseTemplate(program);
  if (profile === undefined || tellsVersion === true || !parsed.ok) return started;
  return versionedAgent(
    profile,
    parsed.words,
    started,
    older && { below: older.below, agent: typedAgent(source, older.driver, program) },
  );
}

/** A safe argument: one word that cannot be mistaken for an option. */
const WORD = /^[\w@/][^\s\0]{0,300}$/;

const ENDLESS = "turns: this agent has no limit for them, and they cannot be counted";
const MAX_COUNTED = 1000;

export function typedAgent(source: OutputSource, driver: Driver, command: string): Agent {
  const program = parseTemplate(command);
  /** Usage so far, by session. */
  const counted = new Map<string, AgentUsage>();
  return {
    async start(request) {
      if (!program.ok) return program;
      const { session: given, ...anew } = request;
      const asked: AgentRequest = given !== undefined && WORD.test(given) ? request : anew;
      const { session, model, cap, turns } = asked;
      if (model !== undefined && !WORD.test(model))
        return { ok: false, problem: `no agent has a model called ${cleanLine(model, 80)}` };
      const before = session === undefined ? undefined : counted.get(session);
      const reader = createOutputReader(source, {
        ...defined({ model, cap }),
        ...(turns === undefined || driver.turns !== "counted" ? {} : { turns }),
        ...(session === undefined ? {} : { askedFor: { session, ...(before && { before }) } }),
        countsSession: driver.countsSession === true,
      });
      return startTyped(asked, reader, driver, program.words, (of) => {
        if (counted.size < MAX_COUNTED) counted.set(of, reader.counted());
      });
    },
  };
}

async function startTyped(
  asked: AgentRequest,
  reader: OutputReader,
  driver: Driver,
  program: readonly string[],
  onSession: (session: string) => void,
): Promise<AgentStart> {
  const { args, env, files = {}, warnings = [] } = driver.commandLine(asked);
  const link = createLink(reader, asked.onStep);
  const { askPermission: ask } = asked;
  const request = {
    ...{ ...asked, env: { ...env, ...asked.env } },
    ...(ask && { askPermission: (call: Refusal) => link.held(() => ask(call)) }),
  };
  const endless = request.turns !== undefined && driver.turns === undefined ? [ENDLESS] : [];
  const conversation = await driver.converse?.(request, link.reply);
  let lent: readonly string[] = [];
  const started = await writeFiles(request, files).then(
    (written) => {
      lent = written;
      return startAttempt(request, {
        argv: [...program, ...args],
        stdin: conversation === undefined ? { text: request.prompt } : "pipe",
        onText: link.onText,
      });
    },
    ({ message }: Error) =>
      ({ ok: false, problem: `the files of the attempt cannot be written: ${message}` }) as const,
  );
  if (!started.ok) {
    await removeLentFiles(lent);
    conversation?.close?.();
    return started;
  }
  const { process } = started;
  link.connect(process, conversation);
  const steer = conversation?.steer?.bind(conversation);
  return {
    ok: true,
    attempt: {
      identity: process.identity,
      release() {
        process.release();
        link.open();
      },
      stop(detail) {
        conversation?.stop?.();
        process.stop(detail);
      },
      ...(steer === undefined ? {} : { steer: (text: string) => link.told(steer(text)) }),
      result: process.ended.then(async (evidence) => {
        await removeLentFiles(lent);
        link.close();
        const report = reader.report(evidence.end);
        if (report.session !== undefined) onSession(report.session);
        const said = conversation?.warnings?.() ?? [];
        const all = [...warnings, ...endless, ...said, ...report.warnings];
        const asked = conversation?.refusals?.() ?? [];
        const refusals = distinctRefusals([...(report.refusals ?? []), ...asked]);
        const whole = {
          ...{ ...report, warnings: all },
          ...(refusals.length > 0 ? { refusals } : {}),
          ...defined({ unsafe: conversation?.unsafe?.() }),
        };
        return { ...evidence, promptBy: "stdin", report: whole };
      }),
    },
  };
}

/** Writes the agent's files and the prompt, which people may read later; returns the files that must be removed. */
async function writeFiles(
  { folder, prompt, env, redaction = redactionFor(env) }: AgentRequest,
  files: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  await keepPrompt(folder, prompt, redaction);
  const named = Object.entries(files).map(([name, content]) => [join(folder, name), content]);
  return writeAgentFiles(Object.fromEntries(named) as typeof files, redaction);
}

/** How long an agent may keep running after its last message. */
const LAST_WORD_MS = 10_000;

/** Connects the reader, the conversation and the process in both directions. */
function createLink(reader: OutputReader, onStep: AgentRequest["onStep"]) {
  let process: AttemptProcess | undefined;
  let conversation: Conversation | undefined;
  let leaving: NodeJS.Timeout | undefined;
  let early: unknown[] | undefined = [];
  let gone = false;
  const send = (lines: readonly unknown[]): boolean => {
    if (gone || leaving !== undefined || lines.length === 0) return false;
    if (early === undefined) return process?.say(textOf(lines)) === true;
    early.push(...lines);
    return true;
  };
  const reply = ({ send: lines = [], print = [], hangUp, end }: Reply): void => {
    send(lines);
    if (print.length > 0) process?.print(textOf(print));
    if (end === true) process?.settle("its work was over");
    if (hangUp !== true || gone || leaving !== undefined) return;
    process?.hangUp();
    leaving = setTimeout(() => process?.settle("it had said its last word"), LAST_WORD_MS);
  };
  return {
    reply,
    onText: (stream: "stdout" | "stderr", text: string): void => {
      if (stream === "stdout") conversation?.onText?.(text);
      const { steps, lines } = reader.push(stream, text);
      for (const step of steps) onStep?.(step);
      for (const line of lines) if (conversation !== undefined) reply(conversation.onLine(line));
      const final = reader.final();
      if (final === undefined) return;
      conversation?.stop?.();
      process?.settle(final);
    },
    connect(started: AttemptProcess, talking: Conversation | undefined): void {
      process = started;
      conversation = talking;
    },
    open(): void {
      const lines = [...(conversation?.opening ?? []), ...(early ?? [])];
      early = undefined;
      send(lines);
    },
    async held<T>(wait: () => Promise<T>): Promise<T> {
      const goOn = process?.hold();
      return wait().finally(goOn);
    },
    told: (said: readonly unknown[] | boolean): boolean =>
      typeof said === "boolean" ? said : send(said),
    close(): void {
      gone = true;
      clearTimeout(leaving);
      conversation?.close?.();
    },
  };
}

const textOf = (lines: readonly unknown[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");
