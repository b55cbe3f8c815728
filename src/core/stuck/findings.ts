/**
 * What the rules find after a step: compares their counts with the thresholds and keeps the strongest finding with its
 * evidence. Invariants: reads only; the same state and config give the same verdict; allocates nothing until a
 * threshold is reached.
 */
import type { RuleName, StuckConfig, Threshold } from "./config.ts";
import type { Origin } from "./event.ts";
import type { Messages } from "./messages.ts";
import { weightOfStreak } from "./nothing-new.ts";
import { timesPrinted } from "./repeated-lines.ts";
import { repetitionOf } from "./repeated-text.ts";
import { cycleOf, continuesCycle, lastResultOf } from "./repeats.ts";
import type { RunState } from "./run-state.ts";
import { grindToReport } from "./grinding.ts";
import { verdictOf } from "./verdict.ts";
import type { Pattern, StuckVerdict, Finding, Source } from "./verdict.ts";

type Thresholds = StuckConfig["thresholds"];

/** The first of equally strong findings wins, so the most informative patterns come first. */
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
  if (run.printed !== undefined && run.printed.period > 0)
    offer(
      best,
      "repeated_output",
      timesPrinted(run.printed),
      thresholds.repeated_output,
      run.printed,
    );
  const ground = grindToReport(run.grind, thresholds.grinding.nudge);
  if (ground > 0) offer(best, "grinding", ground, thresholds.grinding, run.grind);
  if (run.calls > config.call_cap)
    offer(best, "call_cap", run.calls, ALWAYS, { origin: run.firstCall });
  return verdictOf(best, now);
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
  if (next === undefined || continuesCycle(rows, next.call.key, 1)) {
    const pattern = last.poll ? "poll" : "same_call";
    offer(best, pattern, rows.same.count, sameCallThreshold(run, config, last.poll), rows.same);
    offer(best, "same_call", rows.failing.count, thresholds.same_call_failing, rows.failing);
  }
  if (run.resultsSeen && last.id === rows.acting.hash && next === undefined)
    offer(best, "same_call", rows.acting.count, actingThreshold(run, config), rows.acting);
  const cycle = cycleOf(rows);
  if (
    cycle !== undefined &&
    (next === undefined || continuesCycle(rows, next.call.key, cycle.period))
  ) {
    const threshold = cycle.polls ? scaled(thresholds.poll, cycle.period) : thresholds.cycle;
    offer(best, "cycle", cycle.count, threshold, cycle);
  }
  const { spread } = memory;
  if (spread === undefined || callsSomethingNew(run)) return;
  const count = spread.dense && run.resultsSeen ? spread.count + 1 : spread.count;
  const pattern = spread.poll ? "poll" : "same_call";
  offer(best, pattern, count, spreadThreshold(run, thresholds, spread.poll), spread);
}

/** The call in progress was never made before. */
const callsSomethingNew = ({ next, memory }: RunState): boolean =>
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
  const { same, kind, any, unknown, set, refusals } = failing;
  if (!run.movedOn && (next === undefined || next.call.tool.name === same.tool)) {
    offer(best, "unknown_tool", unknown.count, thresholds.unknown_tool, unknown);
    if (failing.looked)
      offer(best, "same_failure", kind.count, thresholds.same_failure_looking, kind);
    else if (!failing.weak) {
      offer(best, "same_failure", same.count, thresholds.same_failure, same);
      offer(best, "same_failure", kind.count, thresholds.same_failure_kind, kind);
    }
  }
  if (next === undefined || next.call.tool.hash === refusals.toolHash)
    offer(best, "same_failure", refusals.calls.size, thresholds.same_failure_kind, refusals);
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
  if (lookups.streak > 0 && !callsSomethingNew(run))
    offer(best, "nothing_new", weightOfStreak(lookups), thresholds.nothing_new, lookups);
  if (idleCompactions > 0 && !run.progress)
    offer(best, "compaction", idleCompactions, thresholds.compaction, {
      origin: run.idleCompactionOrigin,
    });
}

/** Repetitions with fewer units or words than this are a figure of speech. */
const CHANT_UNITS = 100;

const CHANT_WORDS = 12;

/** Paragraphs repeat for good reasons more often than phrases do. */
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
