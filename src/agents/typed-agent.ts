/**
 * Starts an agent with typed output and keeps both sides in touch: what its driver says to start, the guarded
 * process, the reader of its output, the conversation where it listens. Ends the attempt once its own output has
 * told how it ends. Invariants: the prompt never stands on a command line; the user's environment wins over the
 * driver's; nothing here knows one agent from another.
 */
import { join } from "node:path";
import { tameLine } from "../core/foreign-text.ts";
import type {
  Agent,
  AgentRequest,
  AgentResult,
  AgentStart,
  AgentUsage,
} from "../runtime/ports-agent.ts";
import type { Conversation, Driver, Reply } from "./agent.ts";
import { keepPrompt, lendFiles, takeBack } from "./attempt-files.ts";
import { startAttempt } from "./attempt-process.ts";
import type { AttemptProcess, AttemptStart } from "./attempt-process.ts";
import { parseTemplate } from "./command/template.ts";
import { createOutputReader } from "./output/report.ts";
import type { AskedFor, OutputReader, OutputSource } from "./output/report.ts";
import { redactionFor } from "./process/environment.ts";

/** What can be an argument without being taken for an option or more than one word. */
const WORD = /^[\w@/][^\s\0]{0,300}$/;

const ENDLESS = "turns: this agent has no limit for them, and they cannot be counted";

/** How long an agent may stay after its last word. */
const LAST_WORD_MS = 10_000;

export function typedAgent(source: OutputSource, driver: Driver, command: string): Agent {
  const program = parseTemplate(command);
  const counted: Counted = new Map();
  return {
    async start(request) {
      if (!program.ok) return program;
      const { session, ...anew } = request;
      if (request.model !== undefined && !WORD.test(request.model))
        return { ok: false, problem: `no agent has a model called ${tameLine(request.model, 80)}` };
      const asked = session === undefined || WORD.test(session) ? request : anew;
      return startTyped({ source, driver, program: program.words, counted }, asked);
    },
  };
}

/** What was counted for each session so far. */
type Counted = Map<string, AgentUsage>;
const MAX_COUNTED = 1000;

interface TypedAgent {
  readonly source: OutputSource;
  readonly driver: Driver;
  readonly program: readonly string[];
  readonly counted: Counted;
}

async function startTyped(
  { source, driver, program, counted }: TypedAgent,
  asked: AgentRequest,
): Promise<AgentStart> {
  const { args, env, files, warnings = [] } = driver.commandLine(asked);
  const request = { ...asked, env: { ...env, ...asked.env } };
  const { model, cap, turns } = request;
  const reader = createOutputReader(source, {
    ...(model === undefined ? {} : { model }),
    ...(cap === undefined ? {} : { cap }),
    ...(turns === undefined || driver.turns !== "counted" ? {} : { turns }),
    ...askedFor(request, counted),
    countsSession: driver.countsSession === true,
  });
  const link = createLink(reader, request.onStep);
  const endless = turns !== undefined && driver.turns === undefined ? [ENDLESS] : [];
  const conversation = await driver.converse?.(request, link.reply);
  const written = await writeFiles(request, files, conversation === undefined);
  const started: AttemptStart =
    "lent" in written
      ? await startAttempt(request, {
          argv: [...program, ...args],
          stdin: conversation === undefined ? { text: request.prompt } : "pipe",
          onText: link.onText,
        })
      : { ok: false, problem: written.problem };
  const lent = "lent" in written ? written.lent : [];
  if (!started.ok) {
    await takeBack(lent);
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
      result: process.ended.then(async (evidence): Promise<AgentResult> => {
        await takeBack(lent);
        link.close();
        const report = reader.report(evidence.end);
        if (report.session !== undefined && counted.size < MAX_COUNTED)
          counted.set(report.session, reader.counted());
        return {
          ...evidence,
          promptBy: "stdin",
          report: {
            ...report,
            warnings: [
              ...warnings,
              ...endless,
              ...(conversation?.warnings?.() ?? []),
              ...report.warnings,
            ],
          },
        };
      }),
    },
  };
}

function askedFor({ session }: AgentRequest, counted: Counted): { readonly askedFor?: AskedFor } {
  if (session === undefined) return {};
  const before = counted.get(session);
  return { askedFor: { session, ...(before === undefined ? {} : { before }) } };
}

/** What the agent reads, and the prompt where it is not said to the agent. */
async function writeFiles(
  { folder, prompt, env, redaction = redactionFor(env) }: AgentRequest,
  files: Readonly<Record<string, string>> = {},
  withPrompt: boolean,
): Promise<{ readonly lent: readonly string[] } | { readonly problem: string }> {
  try {
    if (withPrompt) await keepPrompt(folder, prompt, redaction);
    const named = Object.entries(files).map(([name, content]) => [join(folder, name), content]);
    return { lent: await lendFiles(Object.fromEntries(named) as typeof files, redaction) };
  } catch (error) {
    return { problem: `the files of the attempt cannot be written: ${(error as Error).message}` };
  }
}

interface Link {
  readonly onText: (stream: "stdout" | "stderr", text: string) => void;
  readonly reply: (reply: Reply) => void;
  connect(process: AttemptProcess, conversation: Conversation | undefined): void;
  open(): void;
  told(said: readonly unknown[] | boolean): boolean;
  close(): void;
}

/** Both directions between the reader, the conversation and the process. */
function createLink(reader: OutputReader, onStep: AgentRequest["onStep"]): Link {
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
    onText(stream, text) {
      if (stream === "stdout") conversation?.onText?.(text);
      const { steps, lines } = reader.push(stream, text);
      for (const step of steps) onStep?.(step);
      for (const line of lines) if (conversation !== undefined) reply(conversation.onLine(line));
      const final = reader.final();
      if (final === undefined) return;
      conversation?.stop?.();
      process?.settle(final);
    },
    reply,
    connect(started, talking) {
      process = started;
      conversation = talking;
    },
    open() {
      const lines = [...(conversation?.opening ?? []), ...(early ?? [])];
      early = undefined;
      send(lines);
    },
    told: (said) => (typeof said === "boolean" ? said : send(said)),
    close() {
      gone = true;
      clearTimeout(leaving);
      conversation?.close?.();
    },
  };
}

const textOf = (lines: readonly unknown[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");
