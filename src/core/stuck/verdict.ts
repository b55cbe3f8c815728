/**
 * What the detector says after each step: the rules' counts held against the thresholds, the strongest finding with
 * its evidence, and the words for the person (reason) and for the agent (nudge). Invariants: reads only; the same
 * state and config give the same verdict; nothing is made before a threshold is reached; text that came from the agent
 * is cleaned here, and fenced in the nudge (U15).
 */
import { fence, cleanLine } from "../foreign-text.ts";
import type { RuleName, StuckConfig, Threshold } from "./config.ts";
import type { Origin } from "./event.ts";
import type { Messages } from "./messages.ts";
import { weightOfStreak } from "./nothing-new.ts";
import { repetitionOf } from "./repeated-text.ts";
import { cycleOf, goesOn, lastResultOf } from "./repeats.ts";
import type { RunState } from "./run-state.ts";

/** Where a rule's count began, as the rule's own state has it. */
interface Source {
  readonly origin: Origin | undefined;
  readonly tool?: string | undefined;
  readonly error?: string | undefined;
  /** Steps of a cycle. */
  readonly period?: number;
}

interface Words {
  readonly reason: (count: number, tool: string, period: number) => string;
  readonly advice: string;
}

const WORDS = {
  same_call: {
    reason: (count, tool) => `${tool} called ${count} times with nothing new in the result`,
    advice: "The result will not change by asking again. Use what it already told you.",
  },
  cycle: {
    reason: (count, _, period) => `the same ${period} calls in turn, ${count} times over`,
    advice: "Going round these calls again brings the same results. Break out of the circle.",
  },
  poll: {
    reason: (count, tool) => `${tool} asked ${count} times without any new output`,
    advice: "What you wait for does not move. Look at why, or stop it and go another way.",
  },
  same_failure: {
    reason: (count, tool) => `${tool} failed ${count} times with the same error`,
    advice: "Changing the arguments does not cure this error. Find its cause first.",
  },
  failures_in_a_row: {
    reason: (count) => `${count} calls failed one after the other`,
    advice: "Stop and check your assumptions: look at the folder, the tools, the exact error.",
  },
  unknown_tool: {
    reason: (count, tool) => `${tool} does not exist and was called ${count} times`,
    advice: "Use only tools that you were given.",
  },
  same_failing_tests: {
    reason: (count) => `the same checks fail after ${count} rounds of edits`,
    advice: "Your edits do not reach the cause. Read the failing check, and prove where it fails.",
  },
  edit_revert: {
    reason: (count) => `edits undone and made again ${count} times`,
    advice: "You go back and forth between the same states. Decide by evidence which one is right.",
  },
  repeated_message: {
    reason: (count) => `the same message ${count} times without any work between`,
    advice: "Do not announce it again: do the next step, or say plainly what is missing.",
  },
  chanting: {
    reason: (count) => `the same words ${count} times over in one answer`,
    advice: "Your answer repeats itself. End it and take the next step.",
  },
  nothing_new: {
    reason: (count) => `${count} reads or searches in a row brought nothing new`,
    advice: "You have this information already. Act on it.",
  },
  compaction: {
    reason: (count) => `context cut ${count} times without progress between`,
    advice: "The context fills up without work getting done. Do one small piece and finish it.",
  },
  call_cap: {
    reason: (count) => `${count} calls, more than the limit allows`,
    advice: "Finish with what you have, or say what is missing.",
  },
  agent_reported: {
    reason: () => "the agent's own guard reports a loop",
    advice: "Take a different approach.",
  },
} as const satisfies Record<string, Words>;

export type Pattern = keyof typeof WORDS;
export const PATTERNS = Object.keys(WORDS) as readonly Pattern[];

const LEVELS = ["none", "nudge", "stuck"] as const;
export type Level = (typeof LEVELS)[number];

export interface StuckVerdict {
  readonly level: Level;
  readonly pattern?: Pattern;
  /** Number of the step (from 0) with which the loop begins: the point to roll back to. */
  readonly loopStart?: number;
  /** From the loop's first step on; tokens and money where the steps carry them. */
  readonly cost?: { readonly steps: number; readonly tokens?: number; readonly usd?: number };
  /** One cleaned line. */
  readonly firstError?: string;
  /** One cleaned line for a person. */
  readonly reason?: string;
  /** For the agent's prompt. */
  readonly nudge?: string;
}

export const NO_VERDICT: StuckVerdict = { level: "none" };

/** The strongest so far. */
interface Finding {
  /** Place of its level in LEVELS. */
  rank: number;
  pattern: Pattern;
  count: number;
  source: Source;
}

type Thresholds = StuckConfig["thresholds"];

/** Among equals the first counts, so the most telling pattern stands first. */
export function judge(run: RunState, config: StuckConfig, now: Origin): StuckVerdict {
  const { thresholds } = config;
  const best: Finding = { rank: 0, pattern: "same_call", count: 0, source: { origin: undefined } };
  if (run.reported !== undefined)
    offer(best, "agent_reported", 1, ALWAYS, { origin: run.rows.same.origin ?? run.reported });
  offerRows(best, run, config);
  offerFailures(best, run, thresholds);
  offerWorld(best, run, thresholds);
  offerMessages(best, run.answer, thresholds);
  offerMessages(best, run.thought, thresholds);
  if (run.calls > config.call_cap)
    offer(best, "call_cap", run.calls, ALWAYS, { origin: run.firstCall });
  return verdictOf(best, now);
}

export function verdictOf({ pattern, rank, count, source }: Finding, now: Origin): StuckVerdict {
  const { origin, error, period = 0 } = source;
  if (origin === undefined) return NO_VERDICT;
  const { reason: reasonOf, advice } = WORDS[pattern];
  const reason = reasonOf(count, cleanLine(source.tool ?? "", 60) || "a tool", period);
  const tokens = now.tokens - origin.tokens;
  const usd = now.usd - origin.usd;
  const quoted =
    error === undefined ? "" : `\nThe first error was:\n${fence(error, { maxChars: 400 })}`;
  return {
    level: LEVELS[rank] ?? "none",
    pattern,
    loopStart: origin.step,
    cost: {
      steps: now.step - origin.step,
      ...(tokens > 0 ? { tokens } : {}),
      ...(usd > 0 ? { usd } : {}),
    },
    ...(error === undefined ? {} : { firstError: error }),
    reason,
    nudge: `You are going in circles: ${reason}. ${advice}${quoted}`,
  };
}

const ALWAYS: Threshold = { nudge: 1, stuck: 1 };

function offer(
  best: Finding,
  pattern: Pattern,
  count: number,
  threshold: Threshold,
  source: Source,
): void {
  const rank = count >= threshold.stuck ? 2 : count >= threshold.nudge ? 1 : 0;
  if (rank <= best.rank) return;
  best.rank = rank;
  best.pattern = pattern;
  best.count = count;
  best.source = source;
}

function offerRows(best: Finding, run: RunState, config: StuckConfig): void {
  const { rows, next, memory } = run;
  const { thresholds } = config;
  const last = rows.past.at(-1);
  if (last === undefined) return;
  if (next === undefined || goesOn(rows, next.call.key, 1)) {
    const pattern = last.poll ? "poll" : "same_call";
    offer(best, pattern, rows.same.count, sameCallThreshold(run, config, last.poll), rows.same);
    offer(best, "same_call", rows.failing.count, thresholds.same_call_failing, rows.failing);
  }
  if (run.resultsSeen && last.id === rows.acting.hash && next === undefined)
    offer(best, "same_call", rows.acting.count, actingThreshold(run, config), rows.acting);
  const cycle = cycleOf(rows);
  if (cycle !== undefined && (next === undefined || goesOn(rows, next.call.key, cycle.period))) {
    const threshold = cycle.polls ? scaled(thresholds.poll, cycle.period) : thresholds.cycle;
    offer(best, "cycle", cycle.count, threshold, cycle);
  }
  const { spread } = memory;
  if (spread === undefined || leadsOn(run)) return;
  const count = spread.dense && run.resultsSeen ? spread.count + 1 : spread.count;
  const pattern = spread.poll ? "poll" : "same_call";
  offer(best, pattern, count, spreadThreshold(run, thresholds, spread.poll), spread);
}

/** The call that is under way was never made before. */
const leadsOn = ({ next, memory }: RunState): boolean =>
  next !== undefined && lastResultOf(memory, next.call.key) === undefined;

function sameCallThreshold(run: RunState, config: StuckConfig, poll: boolean): Threshold {
  const { thresholds } = config;
  const own = ownThreshold(config, run.rows.same.tool);
  if (own !== undefined) return own;
  if (poll) return thresholds.poll;
  if (run.alone && run.rows.same.error === undefined) return thresholds.same_output;
  return run.resultsSeen ? thresholds.same_call : thresholds.same_call_unseen;
}

function actingThreshold({ rows }: RunState, config: StuckConfig): Threshold {
  const { tool, kind } = rows.acting;
  const { same_delegation, same_call } = config.thresholds;
  return ownThreshold(config, tool) ?? (kind === "delegate" ? same_delegation : same_call);
}

const ownThreshold = ({ tools }: StuckConfig, tool: string): Threshold | undefined =>
  Object.hasOwn(tools, tool) ? tools[tool]?.same_call : undefined;

function spreadThreshold(run: RunState, thresholds: Thresholds, poll: boolean): Threshold {
  if (poll) return thresholds.poll;
  return run.resultsSeen ? thresholds.same_call_spread : thresholds.same_call_spread_unseen;
}

const scaled = ({ nudge, stuck }: Threshold, by: number): Threshold => ({
  nudge: Math.ceil(nudge / by),
  stuck: Math.ceil(stuck / by),
});

function offerFailures(best: Finding, run: RunState, thresholds: Thresholds): void {
  const { failing, next } = run;
  const { same, kind, any, unknown, set } = failing;
  if (!run.movedOn && (next === undefined || next.call.tool.name === same.tool)) {
    offer(best, "unknown_tool", unknown.count, thresholds.unknown_tool, unknown);
    if (failing.looked)
      offer(best, "same_failure", kind.count, thresholds.same_failure_looking, kind);
    else if (!failing.weak) {
      offer(best, "same_failure", same.count, thresholds.same_failure, same);
      offer(best, "same_failure", kind.count, thresholds.same_failure_kind, kind);
    }
  }
  if (set !== undefined) {
    const rule: RuleName = set.severalPaths ? "same_failing_tests_spread" : "same_failing_tests";
    offer(best, "same_failing_tests", set.count, thresholds[rule], set);
  }
  offer(best, "failures_in_a_row", any.count, thresholds.failures_in_a_row, any);
}

function offerWorld(best: Finding, run: RunState, thresholds: Thresholds): void {
  const { edits, lookups, idleCompactions } = run;
  if (edits.swing !== undefined)
    offer(best, "edit_revert", edits.swing.count, thresholds.edit_revert, edits.swing);
  if (edits.returns > 0)
    offer(best, "edit_revert", edits.returns, thresholds.edit_revert, {
      origin: edits.returnOrigin,
    });
  if (lookups.streak > 0 && !leadsOn(run))
    offer(best, "nothing_new", weightOfStreak(lookups), thresholds.nothing_new, lookups);
  if (idleCompactions > 0 && !run.progress)
    offer(best, "compaction", idleCompactions, thresholds.compaction, {
      origin: run.idleCompactionOrigin,
    });
}

/** Fewer units or words than this are a figure of speech. */
const CHANT_UNITS = 100;
const CHANT_WORDS = 12;
/** A paragraph comes again for better reasons than a phrase. */
const LONG_PIECE = 250;

function offerMessages(best: Finding, messages: Messages, thresholds: Thresholds): void {
  const { repeated } = messages;
  if (messages.count > 0) {
    offer(best, "repeated_message", messages.count, thresholds.repeated_message, messages);
    offer(best, "repeated_message", messages.alike, thresholds.paraphrased_message, {
      origin: messages.alikeOrigin,
    });
  }
  if (repeated === undefined || repeated.period === 0) return;
  const { count, units, words } = repetitionOf(repeated, thresholds.chanting.nudge);
  if (units < CHANT_UNITS && words < CHANT_WORDS) return;
  if (repeated.period <= 2 && units < 4 * CHANT_UNITS) return;
  const weight = repeated.period > LONG_PIECE ? Math.floor(count / 1.5) : count;
  const origin = messages.openOrigin ?? messages.origin;
  offer(best, "chanting", weight, thresholds.chanting, { origin });
}
