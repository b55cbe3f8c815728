/**
 * The report of one attempt, made from an agent's output as it comes: words and amounts from its steps, verdicts
 * from its typed events. Invariants: the report does not depend on how the output was cut into chunks; never
 * throws; bounded memory; an attempt that did and said nothing is never complete.
 */
import type { Evidence } from "../../core/evidence.ts";
import { estimateUsd } from "../../core/prices.ts";
import { cutMiddle, tameLine } from "../../core/foreign-text.ts";
import type { Step } from "../../core/stuck/step.ts";
import type {
  AgentReport,
  AgentRequest,
  AgentUsage,
  Capped,
  ProcessEnd,
} from "../../runtime/ports-agent.ts";
import { parseFields } from "../transcripts/json.ts";
import type { Fields } from "../transcripts/json.ts";
import { createLineSplitter } from "../transcripts/line-splitter.ts";
import { lineReaderOf } from "../transcripts/transcript.ts";
import type { AgentFormat } from "../transcripts/transcript.ts";
import { isFinal, NOTHING_SEEN, recovered } from "./seen.ts";
import type { EventReader, FinalRule, Seen } from "./seen.ts";
import { createWords } from "./words.ts";

export interface ReportFormat {
  readonly steps: AgentFormat;
  readonly events: EventReader;
  readonly finals: readonly FinalRule[];
  /** What it says when the session it was to go on with is not there; lower case. */
  readonly sessionGone: readonly string[];
  /** What its error says when it stops itself because it goes in circles; lower case. */
  readonly loopStop?: readonly string[];
  /** Nothing is known of it: where its events say nothing, its exit code and its words count. */
  readonly unknown?: boolean;
  /** Its token counts are those of the whole session, also of attempts before this one. */
  readonly countsSession?: boolean;
}

/** The session an attempt goes on with, and what the agent had counted for it before. */
export interface AskedFor {
  readonly session: string;
  readonly before?: AgentUsage;
}

export interface ReportReader {
  /** The typed lines in this piece. */
  push(stream: "stdout" | "stderr", chunk: string | Uint8Array): readonly Fields[];
  /** Why the attempt need not go on; it stays, whatever the agent says on its way out. */
  final(): string | undefined;
  /** What the agent itself counted, for the next attempt of the same session. */
  counted(): AgentUsage;
  /** Once, after the last chunk. */
  report(end: ProcessEnd): AgentReport;
}

const MAX_NOTE = 64 * 1024;
const MAX_PLAIN = 8000;
const EMPTY: Evidence = {
  tool: "agent_cli",
  origin: "provider",
  providerError: { type: "empty_response" },
  message: "the agent ended its turn without a word and without a call",
};

export function createReportReader(
  format: ReportFormat,
  askedFor?: AskedFor,
  { model = "", cap = {}, turns = Infinity }: Pick<AgentRequest, "model" | "cap" | "turns"> = {},
): ReportReader {
  const lines = { stdout: createLineSplitter(), stderr: createLineSplitter(MAX_NOTE) };
  const stepsOf = lineReaderOf(format.steps);
  const words = createWords();
  let seen: Seen = NOTHING_SEEN;
  let plain = "";
  let notes = "";
  let lastNote = "";
  let final: Evidence | undefined;
  let capped: Capped | undefined;

  const settle = (): void => {
    if (!seen.completed && seen.error === undefined) capped ??= overCap(used(), cap);
    if (final !== undefined || seen.retry === undefined) return;
    if (isFinal(format.finals, seen.retry)) final = seen.retry.evidence;
  };
  const readEvent = (text: string): Fields | undefined => {
    const line = parseFields(text);
    if (line === undefined) {
      if (text.trim() !== "") plain = cutMiddle(`${plain}${text}\n`, MAX_PLAIN);
      return undefined;
    }
    const steps = stepsOf(line);
    if (steps.some(isWork)) seen = recovered(seen);
    seen = format.events.event(seen, line);
    // The last turn it may take has ended, and this is of the next.
    if (words.turns() >= turns && steps.some(isDeed)) capped ??= "turns";
    words.take(steps);
    settle();
    return line;
  };
  const readNote = (text: string): undefined => {
    notes = cutMiddle(`${notes}${text}\n`, MAX_PLAIN);
    seen = format.events.note?.(seen, text, lastNote) ?? seen;
    lastNote = text.slice(0, MAX_PLAIN);
    settle();
  };
  const read = (stream: "stdout" | "stderr", ready: readonly (string | undefined)[]): Fields[] => {
    const events: Fields[] = [];
    for (const text of ready) {
      if (text === undefined) continue;
      const event = stream === "stdout" ? readEvent(text) : readNote(text);
      if (event !== undefined) events.push(event);
    }
    return events;
  };

  const counted = (): AgentUsage => {
    const told = seen.usage ?? words.usage();
    if (told.usd !== undefined || seen.counts === undefined) return told;
    const usd = estimateUsd(seen.model || model, seen.counts);
    return usd === undefined ? told : { ...told, usd, estimated: true };
  };
  const used = (): AgentUsage =>
    format.countsSession === true ? since(counted(), askedFor) : counted();
  return {
    counted,
    push: (stream, chunk) => read(stream, lines[stream].push(chunk)),
    final() {
      if (final !== undefined) return tameLine(final.message ?? "", 200);
      return capped && `it has used the ${capped} it may use`;
    },
    report(end) {
      read("stdout", lines.stdout.end());
      read("stderr", lines.stderr.end());
      const silent = format.unknown !== true && words.calls() === 0 && words.said().trim() === "";
      const completed = (seen.completed || saysNothing(format, seen, end)) && !silent;
      const settled = end.kind === "killed" && end.reason === "settled" ? final : undefined;
      const typed = completed ? undefined : (settled ?? errorOf(seen, end, { plain, notes }));
      const vague = format.unknown === true || isVague(typed);
      const error = typed !== undefined && vague ? { stderr: notes, ...typed } : typed;
      const { session, warnings } = seen;
      const stopped = seen.capped ?? capped;
      const gone =
        !completed && says(`${plain}${notes}${error?.message ?? ""}`, format.sessionGone);
      const lost =
        askedFor !== undefined && (gone || (session ?? askedFor.session) !== askedFor.session);
      return {
        completed,
        ...(error === undefined ? {} : { error }),
        said: words.said(),
        answer: words.answer(),
        ...(session === undefined ? {} : { session }),
        ...(lost ? { sessionLost: true } : {}),
        ...loopedOf(format, error),
        usage: used(),
        ...(stopped === undefined || completed ? {} : { capped: stopped }),
        warnings,
      };
    },
  };
}

/** At most one model call more than the cap: agents count a call when it is answered. */
function overCap(used: AgentUsage, cap: AgentUsage): "usd" | "tokens" | undefined {
  return (["usd", "tokens"] as const).find(
    (measure) => (used[measure] ?? 0) >= (cap[measure] ?? Infinity),
  );
}

/** Unknown, where it goes on with a session of which nothing is known. */
function since(counted: AgentUsage, askedFor: AskedFor | undefined): AgentUsage {
  if (askedFor === undefined) return counted;
  const { tokens, usd } = counted;
  const before = askedFor.before?.tokens;
  if (tokens === undefined || before === undefined || tokens < before) return {};
  const usdBefore = askedFor.before?.usd;
  const priced = usd !== undefined && usdBefore !== undefined && usd >= usdBefore;
  return {
    tokens: tokens - before,
    ...(priced ? { usd: usd - usdBefore, estimated: true as const } : {}),
  };
}

const saysNothing = ({ unknown }: ReportFormat, { error, retry }: Seen, end: ProcessEnd): boolean =>
  unknown === true &&
  error === undefined &&
  retry === undefined &&
  end.kind === "exited" &&
  end.code === 0;

const isDeed = ({ kind, runId }: Step): boolean =>
  runId === undefined && (kind === "tool_call" || kind === "message");

function loopedOf(
  { loopStop = [] }: ReportFormat,
  { message = "" }: Evidence = {},
): { readonly looped?: string } {
  return says(message.slice(0, 400), loopStop) ? { looped: tameLine(message, 200) } : {};
}

/** Nothing but words: what it printed for people may say more. */
const isVague = (evidence: Evidence | undefined): boolean =>
  evidence?.providerError === undefined && evidence?.httpStatus === undefined;

const isWork = ({ kind }: Step): boolean => kind === "tool_call" || kind === "tool_result";

const says = (text: string, phrases: readonly string[]): boolean => {
  const lower = text.toLowerCase();
  return phrases.some((phrase) => lower.includes(phrase));
};

/** Typed first; where nothing was typed, what it printed and how it ended. */
function errorOf(
  seen: Seen,
  end: ProcessEnd,
  { plain, notes }: { readonly plain: string; readonly notes: string },
): Evidence | undefined {
  if (seen.completed) return EMPTY;
  const typed = seen.error ?? seen.retry?.evidence;
  if (typed !== undefined) return typed;
  if (end.kind !== "exited" && end.kind !== "signalled") return undefined;
  return {
    tool: "agent_cli",
    stdout: plain,
    stderr: notes,
    ...(end.kind === "exited" ? { exitCode: end.code } : { signal: end.signal }),
  };
}
