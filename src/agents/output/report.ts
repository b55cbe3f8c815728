/**
 * Reads an attempt's output once, as it arrives: its steps, and its report, with text and amounts from the steps and
 * the verdict from each line's meaning. Invariants: neither depends on chunk boundaries; never throws; bounded memory;
 * an attempt that did and said nothing is never complete.
 */
import { distinctRefusals } from "../../core/agent-words/refusal.ts";
import { askedWithTool } from "../../core/agent-words/question-tool.ts";
import { defined } from "../../core/defined.ts";
import { reportsOwnLoop } from "../../core/stuck/results/own-loop.ts";
import { classifyByStandardRules } from "../../core/rules/standard.ts";
import type { Evidence } from "../../core/evidence.ts";
import { cutMiddle, cleanLine } from "../../core/foreign-text.ts";
import { estimateUsd } from "../../core/prices.ts";
import type { Step } from "../../core/stuck/step.ts";
import type { AgentRequest } from "../../runtime/ports-agent.ts";
import type { AgentReport, AgentUsage, Capped, ProcessEnd } from "../../runtime/agent-result.ts";
import type { AgentProfile } from "../agent.ts";
import { versionWarning } from "../agent-version.ts";
import { createRefusals } from "./refusals.ts";
import { brokenOff } from "./error-text.ts";
import { isFinal, type OutputFormat } from "./format.ts";
import { spent, type Fields } from "./json.ts";
import { createLines, createLineSplitter, type ReadLine } from "./lines.ts";
import {
  MAX_WARNINGS,
  INITIAL_OUTPUT_STATE,
  withRecovery,
  type OutputState,
} from "./output-state.ts";

/** The source of an output: an agent, or a format without an agent. */
export interface OutputSource {
  readonly output: OutputFormat;
  readonly profile?: AgentProfile;
}

/** The session that an attempt continues, and what the agent had counted for it before. */
export interface ResumedSession {
  readonly session: string;
  readonly before?: AgentUsage;
}

export interface ReadOptions extends Pick<AgentRequest, "model" | "cap" | "turns"> {
  readonly askedFor?: ResumedSession;
  /** Its token counts cover the whole session. */
  readonly countsSession?: boolean;
}

/** The steps in a piece of output, and its typed lines. */
interface Piece {
  readonly steps: readonly Step[];
  readonly lines: readonly Fields[];
}

export type OutputReader = ReturnType<typeof createOutputReader>;

const MAX_NOTE = 64 * 1024;
const MAX_PLAIN = 8000;
const NOTHING_READ: Piece = { steps: [], lines: [] };
const EMPTY = brokenOff(
  "empty_response",
  "the agent ended its turn without a word and without a call",
);

export function createOutputReader(
  { output: format, profile }: OutputSource,
  { model = "", cap = {}, turns = Infinity, askedFor, countsSession = false }: ReadOptions = {},
) {
  const lines = createLines(format);
  const noteLines = createLineSplitter(MAX_NOTE);
  const said = createTextCollector();
  const refusals = createRefusals();
  let seen: OutputState = INITIAL_OUTPUT_STATE;
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
  const readLines = (read: readonly ReadLine[]): Piece => ({
    steps: read.flatMap(readLine),
    lines: read.flatMap(({ fields }) => (fields === undefined ? [] : [fields])),
  });
  const readLine = ({ text, fields, steps = [], tells }: ReadLine): readonly Step[] => {
    if (fields === undefined) {
      if (text.trim() !== "") plain = cutMiddle(`${plain}${text}\n`, MAX_PLAIN);
      return [];
    }
    if (steps.some(isWork)) seen = withRecovery(seen);
    seen = tells?.(seen, (evidence) => classifyByStandardRules(evidence).kind) ?? seen;
    // The last permitted turn has ended, and this belongs to the next.
    if (said.turns() >= turns && steps.some(isDeed)) capped ??= "turns";
    said.take(steps);
    refusals.take(steps);
    settle();
    return steps;
  };
  const readNotes = (read: readonly (string | undefined)[]): Piece => {
    for (const text of read) {
      if (text === undefined) continue;
      notes = cutMiddle(`${notes}${text}\n`, MAX_PLAIN);
      seen = format.note?.(seen, text, lastNote) ?? seen;
      lastNote = text.slice(0, MAX_PLAIN);
      settle();
    }
    return NOTHING_READ;
  };

  const counted = (): AgentUsage => {
    const told = seen.usage ?? said.usage();
    if (told.usd !== undefined || seen.counts === undefined) return told;
    const usd = estimateUsd(seen.model || model, seen.counts);
    return usd === undefined ? told : { ...told, usd, estimated: true };
  };
  const used = (): AgentUsage => (countsSession ? since(counted(), askedFor) : counted());
  return {
    /** What the agent itself counted, for the next attempt in the same session. */
    counted,
    push: (stream: "stdout" | "stderr", chunk: string | Uint8Array): Piece =>
      stream === "stdout" ? readLines(lines.push(chunk)) : readNotes(noteLines.push(chunk)),
    /** Why the attempt need not continue; does not change, whatever the agent prints while ending. */
    final(): string | undefined {
      if (final !== undefined) return cleanLine(final.message ?? "", 200);
      return capped && `it has used the ${capped} it may use`;
    },
    /** Call it once, after the last chunk. */
    report(end: ProcessEnd): AgentReport {
      readLines(lines.end());
      readNotes(noteLines.end());
      const silent = format.unknown !== true && said.calls() === 0 && said.all().trim() === "";
      const completed = (seen.completed || exitedCleanly(format, seen, end)) && !silent;
      const settled = end.kind === "killed" && end.reason === "settled" ? final : undefined;
      const typed = completed ? undefined : (settled ?? errorOf(seen, end, { plain, notes }));
      const vague = format.unknown === true || isVague(typed);
      const error = typed !== undefined && vague ? { stderr: notes, ...typed } : typed;
      const { session, version = "", warnings } = seen;
      const stopped = seen.capped ?? capped;
      const words = error?.message ?? "";
      const looped = reportsOwnLoop(words);
      const gone = !completed && says(`${plain}${notes}${words}`, format.sessionGone);
      const lost =
        askedFor !== undefined && (gone || (session ?? askedFor.session) !== askedFor.session);
      const refused = distinctRefusals([...(seen.refused ?? []), ...refusals.left()]);
      const untested = profile && versionWarning(profile, version);
      return {
        completed,
        ...(error === undefined ? {} : { error }),
        said: said.all(),
        answer: said.answer(),
        ...defined({ asked: said.asked() }),
        ...(refused.length === 0 ? {} : { refusals: refused }),
        ...(session === undefined ? {} : { session }),
        ...(lost ? { sessionLost: true } : {}),
        ...(looped ? { looped: cleanLine(words, 200) } : {}),
        usage: used(),
        ...(stopped === undefined || completed ? {} : { capped: stopped }),
        warnings: [untested ?? [], warnings].flat().slice(0, MAX_WARNINGS),
      };
    },
  };
}

/** Exceeds the cap by at most one model call, because agents count a call when it is answered. */
function overCap(used: AgentUsage, cap: AgentUsage): "usd" | "tokens" | undefined {
  return (["usd", "tokens"] as const).find(
    (measure) => (used[measure] ?? 0) >= (cap[measure] ?? Infinity),
  );
}

/** Unknown if the attempt continues a session whose earlier counts are unknown. */
function since(counted: AgentUsage, askedFor: ResumedSession | undefined): AgentUsage {
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

const exitedCleanly = (
  { unknown }: OutputFormat,
  { error, retry }: OutputState,
  end: ProcessEnd,
): boolean =>
  unknown === true && (error ?? retry) === undefined && end.kind === "exited" && end.code === 0;

const isDeed = ({ kind, runId }: Step): boolean =>
  runId === undefined && (kind === "tool_call" || kind === "message");

/** Only text: what it printed for people may reveal more. */
const isVague = (evidence: Evidence | undefined): boolean =>
  evidence?.providerError === undefined && evidence?.httpStatus === undefined;

const isWork = ({ kind }: Step): boolean => kind === "tool_call" || kind === "tool_result";

const says = (text: string, phrases: readonly string[]): boolean => {
  const lower = text.toLowerCase();
  return phrases.some((phrase) => lower.includes(phrase));
};

/** Typed evidence first; without any, what it printed and how it ended. */
function errorOf(
  seen: OutputState,
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

const MAX_SAID = 256 * 1024;

/** What an agent said and used, from its steps: its own text (no thoughts, no subagents'), bounded, messages joined. */
function createTextCollector() {
  let earlier = "";
  let last = "";
  let open = false;
  let asked: string | undefined;
  let calls = 0;
  let turns = 0;
  let tokens = 0;
  let usd = 0;
  const take = (step: Step): void => {
    tokens += step.tokens ?? 0;
    usd += step.usd ?? 0;
    if (step.runId !== undefined) return;
    if (step.kind === "tool_call") {
      calls += 1;
      asked = askedWithTool(step.tool, step.args);
    }
    if (step.kind === "turn_end") turns += 1;
    if (step.kind === "message" && step.channel !== "thought") {
      if (!open || step.partial !== true) {
        if (last !== "") earlier = `${earlier}${last}\n`.slice(-MAX_SAID);
        last = "";
      }
      last = (last + step.text).slice(-MAX_SAID);
      open = step.partial === true;
    } else if (step.kind !== "message") open = false;
  };
  return {
    take: (steps: readonly Step[]) => steps.forEach(take),
    all: () => (earlier + last).slice(-MAX_SAID),
    /** The last message. */
    answer: () => last,
    /** The question asked in its last call. */
    asked: () => asked,
    calls: () => calls,
    /** Answers of its model. */
    turns: () => turns,
    usage: (): AgentUsage => spent(tokens, usd),
  };
}
