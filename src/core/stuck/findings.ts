/**
 * The rules' counts held against the thresholds: the strongest finding of a run. Imports the states.
 * Invariant: reads only; the same state and config give the same finding.
 */
import type { RuleName, StuckConfig, Threshold } from "./config.ts";
import { refrainOf } from "./chant.ts";
import type { Origin } from "./event.ts";
import type { Streak } from "./failing.ts";
import { lastMarkOf } from "./memory.ts";
import { weightOfStreak } from "./reading.ts";
import { cycleOf, goesOn } from "./rows.ts";
import type { Channel, RunState } from "./run-state.ts";
import type { Finding, Pattern } from "./verdict.ts";

export interface Found {
  readonly finding: Finding;
  readonly origin: Origin;
}

interface Candidate {
  readonly pattern: Pattern;
  readonly count: number;
  readonly threshold: Threshold;
  readonly origin: Origin | undefined;
  readonly tool?: string | undefined;
  readonly period?: number;
  readonly error?: string | undefined;
}

type Thresholds = StuckConfig["thresholds"];

/** The strongest; among equals the first, so the most telling pattern stands first. */
export function strongest(run: RunState, config: StuckConfig): Found | undefined {
  let best: Candidate | undefined;
  let bestRank = 0;
  const offer = (candidate: Candidate | undefined): void => {
    if (candidate === undefined) return;
    const { count, threshold } = candidate;
    const rank = count >= threshold.stuck ? 2 : count >= threshold.nudge ? 1 : 0;
    if (rank <= bestRank) return;
    best = candidate;
    bestRank = rank;
  };
  const { thresholds } = config;
  offer(reported(run));
  offerRows(run, config, offer);
  offerFailures(run, thresholds, offer);
  offerWorld(run, thresholds, offer);
  for (const channel of [run.answer, run.thought]) offerTalk(channel, thresholds, offer);
  offer(callCap(run, config));
  return best === undefined ? undefined : found(best, bestRank === 2 ? "stuck" : "nudge");
}

type Offer = (candidate: Candidate | undefined) => void;

function found(candidate: Candidate, level: "nudge" | "stuck"): Found | undefined {
  const { pattern, count, origin, tool, period, error } = candidate;
  if (origin === undefined) return undefined;
  return {
    origin,
    finding: {
      pattern,
      level,
      count,
      start: origin.step,
      ...(tool === undefined ? {} : { tool }),
      ...(period === undefined ? {} : { period }),
      ...(error === undefined ? {} : { firstError: error }),
    },
  };
}

const ALWAYS: Threshold = { nudge: 1, stuck: 1 };

const reported = (run: RunState): Candidate | undefined =>
  run.reported && {
    pattern: "agent_reported",
    count: 1,
    threshold: ALWAYS,
    origin: run.rows.same.origin ?? run.reported,
  };

function offerRows(run: RunState, config: StuckConfig, offer: Offer): void {
  const { rows, next, lastTool, memory } = run;
  const { thresholds } = config;
  const last = rows.past.at(-1);
  if (last === undefined) return;
  if (next === undefined || goesOn(rows, next.call.key, 1)) {
    const { count, origin, error } = rows.same;
    const pattern = last.poll ? "poll" : "same_call";
    const threshold = sameCallThreshold(run, config, last.poll);
    offer({ pattern, count, threshold, origin, tool: lastTool, error });
    const { failing } = rows;
    offer({
      pattern: "same_call",
      count: failing.count,
      threshold: thresholds.same_call_failing,
      origin: failing.origin,
      tool: lastTool,
      error: failing.error,
    });
  }
  const { acting } = rows;
  if (run.resultsSeen && last.id === acting.id && next === undefined)
    offer({ ...acting, pattern: "same_call", threshold: actingThreshold(run, config) });
  const cycle = cycleOf(rows);
  if (cycle !== undefined && (next === undefined || goesOn(rows, next.call.key, cycle.period)))
    offer({
      ...cycle,
      pattern: "cycle",
      threshold: cycle.polls ? scaled(thresholds.poll, cycle.period) : thresholds.cycle,
    });
  const { spread } = memory;
  if (spread !== undefined && !leadsOn(run))
    offer({
      ...spread,
      count: spread.dense && run.resultsSeen ? spread.count + 1 : spread.count,
      pattern: spread.poll ? "poll" : "same_call",
      threshold: spreadThreshold(run, thresholds, spread.poll),
    });
}

/** The call that is under way was never made before. */
const leadsOn = ({ next, memory }: RunState): boolean =>
  next !== undefined && lastMarkOf(memory, next.call.key) === undefined;

function sameCallThreshold(run: RunState, config: StuckConfig, poll: boolean): Threshold {
  const { thresholds } = config;
  const own = ownThreshold(config, run.lastTool);
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

function offerFailures(run: RunState, thresholds: Thresholds, offer: Offer): void {
  const { failing, next } = run;
  const streak = (pattern: Pattern, rule: RuleName, one: Streak): Candidate => ({
    ...one,
    pattern,
    threshold: thresholds[rule],
  });
  if (!run.movedOn && (next === undefined || next.call.tool.name === failing.same.tool)) {
    offer(streak("unknown_tool", "unknown_tool", failing.unknown));
    if (failing.looked) offer(streak("same_failure", "same_failure_looking", failing.kind));
    else if (!failing.weak) {
      offer(streak("same_failure", "same_failure", failing.same));
      offer(streak("same_failure", "same_failure_kind", failing.kind));
    }
  }
  const { set } = failing;
  if (set !== undefined)
    offer({
      pattern: "same_failing_tests",
      count: set.count,
      threshold: thresholds[set.severalPaths ? "same_failing_tests_spread" : "same_failing_tests"],
      origin: set.origin,
      error: set.error,
    });
  offer(streak("failures_in_a_row", "failures_in_a_row", failing.any));
}

function offerWorld(run: RunState, thresholds: Thresholds, offer: Offer): void {
  const { edits, reading, barren, barrenOrigin } = run;
  const threshold = thresholds.edit_revert;
  if (edits.swing !== undefined)
    offer({
      pattern: "edit_revert",
      count: edits.swing.count,
      threshold,
      origin: edits.swing.origin,
    });
  offer({
    pattern: "edit_revert",
    count: edits.returns,
    threshold,
    origin: edits.returnOrigin,
  });
  if (!leadsOn(run))
    offer({
      pattern: "nothing_new",
      count: weightOfStreak(reading),
      threshold: thresholds.nothing_new,
      origin: reading.origin,
    });
  if (!run.progress)
    offer({
      pattern: "compaction",
      count: barren,
      threshold: thresholds.compaction,
      origin: barrenOrigin,
    });
}

/** Fewer units or words than this are a figure of speech. */
const CHANT_UNITS = 100;
const CHANT_WORDS = 12;
/** A paragraph comes again for better reasons than a phrase. */
const LONG_PIECE = 250;

function offerTalk({ messages, chant }: Channel, thresholds: Thresholds, offer: Offer): void {
  const { repeated_message, paraphrased_message, chanting } = thresholds;
  offer({
    pattern: "repeated_message",
    count: messages.count,
    threshold: repeated_message,
    origin: messages.origin,
  });
  offer({
    pattern: "repeated_message",
    count: messages.alike,
    threshold: paraphrased_message,
    origin: messages.alikeOrigin,
  });
  if (chant === undefined || chant.period === 0) return;
  const { count, units, words } = refrainOf(chant, chanting.nudge);
  if (units < CHANT_UNITS && words < CHANT_WORDS) return;
  if (chant.period <= 2 && units < 4 * CHANT_UNITS) return;
  offer({
    pattern: "chanting",
    count: chant.period > LONG_PIECE ? Math.floor(count / 1.5) : count,
    threshold: chanting,
    origin: messages.openOrigin ?? messages.origin,
  });
}

function callCap({ calls, firstCall }: RunState, { call_cap: cap }: StuckConfig): Candidate {
  return {
    pattern: "call_cap",
    count: calls,
    threshold: { nudge: cap + 1, stuck: cap + 1 },
    origin: firstCall,
  };
}
