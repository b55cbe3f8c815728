/**
 * The glue of every agent with typed output: its adapter says what to start and how to read it; this starts the
 * guarded process, feeds the reader, talks to the agent where it listens, and ends the attempt once its own events
 * have told how it ends. Invariants: the prompt never stands on a command line; the user's environment wins over
 * the adapter's; nothing here knows one agent from another.
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
import { keepPrompt, lendFiles, takeBack } from "./attempt-files.ts";
import { startAttempt } from "./attempt-process.ts";
import type { AttemptProcess, AttemptStart } from "./attempt-process.ts";
import { parseTemplate } from "./process/command-template.ts";
import { ownRedaction } from "./process/own-redaction.ts";
import { createReportReader } from "./reports/report.ts";
import type { AskedFor, ReportFormat, ReportReader } from "./reports/report.ts";
import type { Fields } from "./transcripts/json.ts";

export interface CommandLine {
  readonly args: readonly string[];
  /** Defaults: what the user's environment has under these names wins. */
  readonly env?: Readonly<Record<string, string>>;
  /** Written into the attempt's folder before the start, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** For a person. */
  readonly warnings?: readonly string[];
}

/** What to say to an agent that listens on standard input; each object is one line of JSON. */
export interface Reply {
  readonly say?: readonly unknown[];
  /** What it told by another way than standard output: read and recorded as if printed. */
  readonly heard?: readonly unknown[];
  /** It has said its last word: its standard input is closed. */
  readonly over?: boolean;
  /** Its work is over and it would stay for ever: it is ended. */
  readonly stays?: boolean;
}

export interface Talk {
  readonly opening: readonly unknown[];
  hear(line: Fields): Reply;
  /** Everything it prints, as it comes. */
  overhear?(text: string): void;
  /**
   * What to say, or whether it is said already. Absent where it cannot be told anything while it
   * works.
   */
  steer?(words: string): readonly unknown[] | boolean;
  /** It is being ended; what it hears by another way than signals may be told it now. */
  stop?(): void;
  /** For a person, once it has ended. */
  warnings?(): readonly string[];
  /** The agent is gone. */
  close?(): void;
}

export interface TypedAdapter {
  readonly binary: string;
  readonly report: ReportFormat;
  /** Who keeps it to its turns: it itself, or this glue, which counts them; absent: nobody can. */
  readonly turns?: "own" | "counted";
  commandLine(request: AgentRequest): CommandLine;
  /**
   * Without it the prompt is the content of standard input. `answer` is for what becomes known
   * later than in the line it answers; before the agent runs, it is kept until then.
   */
  talk?(request: AgentRequest, answer: (reply: Reply) => void): Talk | Promise<Talk>;
}

/** What can be an argument without being taken for an option or more than one word. */
const WORD = /^[\w@/][^\s\0]{0,300}$/;

const ENDLESS = "turns: this agent has no limit for them, and they cannot be counted";

/** How long an agent may stay after its last word. */
const LAST_WORD_MS = 10_000;

export function typedAgent(adapter: TypedAdapter, command = adapter.binary): Agent {
  const program = parseTemplate(command);
  const counted: Counted = new Map();
  return {
    async start(request) {
      if (!program.ok) return program;
      const { session, ...anew } = request;
      if (request.model !== undefined && !WORD.test(request.model))
        return { ok: false, problem: `no agent has a model called ${tameLine(request.model, 80)}` };
      const asked = session === undefined || WORD.test(session) ? request : anew;
      return startTyped(adapter, program.words, asked, counted);
    },
  };
}

/** What was counted for each session so far. */
type Counted = Map<string, AgentUsage>;
const MAX_COUNTED = 1000;

async function startTyped(
  adapter: TypedAdapter,
  program: readonly string[],
  asked: AgentRequest,
  counted: Counted,
): Promise<AgentStart> {
  const { args, env, files, warnings = [] } = adapter.commandLine(asked);
  const request = { ...asked, env: { ...env, ...asked.env } };
  const { turns, ...unlimited } = request;
  const limited = adapter.turns === "counted" ? request : unlimited;
  const reader = createReportReader(adapter.report, askedFor(request, counted), limited);
  const line = createLine(reader);
  const endless = turns !== undefined && adapter.turns === undefined ? [ENDLESS] : [];
  const talk = await adapter.talk?.(request, line.answer);
  const written = await writeFiles(request, files, talk === undefined);
  const started: AttemptStart =
    "lent" in written
      ? await startAttempt(request, {
          argv: [...program, ...args],
          stdin: talk === undefined ? { text: request.prompt } : "pipe",
          onText: line.onText,
        })
      : { ok: false, problem: written.problem };
  const lent = "lent" in written ? written.lent : [];
  if (!started.ok) {
    await takeBack(lent);
    talk?.close?.();
    return started;
  }
  const { process } = started;
  line.connect(process, talk);
  const steer = talk?.steer?.bind(talk);
  return {
    ok: true,
    attempt: {
      identity: process.identity,
      release() {
        process.release();
        line.open();
      },
      stop(detail) {
        talk?.stop?.();
        process.stop(detail);
      },
      ...(steer === undefined ? {} : { steer: (words: string) => line.told(steer(words)) }),
      result: process.ended.then(async (evidence): Promise<AgentResult> => {
        await takeBack(lent);
        line.close();
        const report = reader.report(evidence.end);
        if (report.session !== undefined && counted.size < MAX_COUNTED)
          counted.set(report.session, reader.counted());
        return {
          ...evidence,
          promptBy: "stdin",
          report: {
            ...report,
            warnings: [...warnings, ...endless, ...(talk?.warnings?.() ?? []), ...report.warnings],
          },
        };
      }),
    },
  };
}

function askedFor({ session }: AgentRequest, counted: Counted): AskedFor | undefined {
  if (session === undefined) return undefined;
  const before = counted.get(session);
  return { session, ...(before === undefined ? {} : { before }) };
}

/** What the agent reads, and the prompt where it is not said to the agent. */
async function writeFiles(
  { folder, prompt, env, redaction = ownRedaction(env) }: AgentRequest,
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

interface Line {
  readonly onText: (stream: "stdout" | "stderr", text: string) => void;
  readonly answer: (reply: Reply) => void;
  connect(process: AttemptProcess, talk: Talk | undefined): void;
  open(): void;
  told(said: readonly unknown[] | boolean): boolean;
  close(): void;
}

/** Both directions between the reader, the talk and the process. */
function createLine(reader: ReportReader): Line {
  let process: AttemptProcess | undefined;
  let talk: Talk | undefined;
  let over: NodeJS.Timeout | undefined;
  let early: unknown[] | undefined = [];
  let gone = false;
  const say = (lines: readonly unknown[]): boolean => {
    if (gone || over !== undefined || lines.length === 0) return false;
    if (early === undefined) return process?.say(textOf(lines)) === true;
    early.push(...lines);
    return true;
  };
  const answer = ({ say: lines = [], heard = [], over: last, stays }: Reply): void => {
    if (lines.length > 0) say(lines);
    if (heard.length > 0) process?.print(textOf(heard));
    if (stays === true) process?.settle("its work was over");
    if (last !== true || gone || over !== undefined) return;
    process?.hangUp();
    over = setTimeout(() => process?.settle("it had said its last word"), LAST_WORD_MS);
  };
  return {
    onText(stream, text) {
      if (stream === "stdout") talk?.overhear?.(text);
      for (const event of reader.push(stream, text))
        if (talk !== undefined) answer(talk.hear(event));
      const final = reader.final();
      if (final === undefined) return;
      talk?.stop?.();
      process?.settle(final);
    },
    answer,
    connect(started, talking) {
      process = started;
      talk = talking;
    },
    open() {
      const lines = [...(talk?.opening ?? []), ...(early ?? [])];
      early = undefined;
      say(lines);
    },
    told: (said) => (typeof said === "boolean" ? said : say(said)),
    close() {
      gone = true;
      clearTimeout(over);
      talk?.close?.();
    },
  };
}

const textOf = (lines: readonly unknown[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");
