/**
 * The checks around a run's work: on the base before the first attempt, and on the result before the end. Invariants:
 * no attempt is dispatched before the base is known; a person is asked about unsuitable checks before anything is
 * spent; a run is verified only if exactly the commit it publishes has passed.
 */
import { count } from "../../amounts.ts";
import { cleanLine } from "../../foreign-text.ts";
import { vectorItems } from "../../persistent-collections.ts";
import { baseProblems } from "../make-checkpoint.ts";
import type { FailedChecks } from "../check-result.ts";
import type { DecisionOf } from "../decision.ts";
import type { InputOf } from "../input.ts";
import { hasUnfixedFailures, noteText, rulesOutVerified } from "../note.ts";
import type { RunState } from "../state.ts";
import type { RuleBook } from "../../classify/rule-book.ts";
import { checkText, maxRounds } from "./attempt-failure.ts";
import { onlyAnswers } from "./read-only.ts";
import { emit, subtaskNow, type Turn } from "./turn.ts";

export function beginBaseline(turn: Turn): void {
  const { judged, subtasks } = turn.state.plan;
  if (judged === true && subtasks.some(({ checks }) => checks > 0))
    emit(turn, { kind: "baseline-dispatched", round: 1 });
}

export function baselineEnded(turn: Turn, { problems }: InputOf<"baseline-ended">): void {
  const { phase, checkpoints, plan } = turn.state;
  if (phase !== "active" || problems.length === 0) return;
  const checkpoint = baseProblems({ id: `c${checkpoints + 1}`, goal: plan.goal, problems });
  emit(turn, { kind: "checkpoint-opened", checkpoint });
}

/**
 * Nothing is dispatched until the results of the checks on the base are known and any question about them is answered.
 */
export const isHeldForBase = ({ baseline, checkpoint }: RunState): boolean =>
  baseline.awaited !== undefined || checkpoint?.trigger === "CHECKS";

/** Every subtask is settled: check the result first if there is one. */
export function conclude(turn: Turn): void {
  const { plan, subtasks } = turn.state;
  const checked = vectorItems(subtasks).some(
    ({ phase, notes }, index) =>
      (plan.subtasks[index]?.checks ?? 0) > 0 &&
      (phase === "verified" || (phase === "unverified" && notes.length > 0)),
  );
  if (plan.judged === true && checked) emit(turn, { kind: "final-check-dispatched", round: 1 });
  else emit(turn, { kind: "run-ended", ...outcomeOf(turn.state) });
}

export function finalCheckEnded(turn: Turn, input: InputOf<"final-check-ended">): void {
  const { round, result, confirmed } = input;
  if (turn.state.phase === "ending") return;
  if (result.kind !== "passed" && round < maxRounds(result))
    return emit(turn, { kind: "final-check-dispatched", round: round + 1 });
  for (const subtask of confirmed) {
    const { notes } = subtaskNow(turn, subtask).state;
    const left = notes.filter((note) => !hasUnfixedFailures(note));
    if (!left.some(rulesOutVerified))
      emit(turn, { kind: "subtask-confirmed", subtask, notes: left });
  }
  const problem = result.kind === "passed" ? undefined : finalCheckText(result, turn.rules);
  emit(turn, { kind: "run-ended", ...outcomeOf(turn.state, problem) });
}

function finalCheckText(result: FailedChecks, rules: RuleBook): string {
  const line =
    result.evidence.excerpt?.headline || cleanLine(checkText(result.evidence, rules), 160);
  const what = result.kind === "failed" ? "failed" : "could not run";
  return `the check of the result itself ${what}: ${line || (result.evidence.command ?? "")}`;
}

function outcomeOf(state: RunState, problem?: string): Omit<DecisionOf<"run-ended">, "kind"> {
  const { verified, unverified, answered, pending, stuck, skipped } = state.counts;
  const total = state.plan.subtasks.length;
  if (answered === total) return onlyAnswers(state);
  if (verified + unverified + answered < total)
    return { outcome: "failed", reason: givenUp(stuck + skipped, pending) };
  if (problem !== undefined || unverified > 0)
    return { outcome: "unverified", reason: problem ?? whyUnverified(state) };
  const reason = `every subtask is verified${answered === 0 ? "" : " or answered"}`;
  return { outcome: "verified", reason };
}

function givenUp(number: number, blocked: number): string {
  const words = `${count(number, "subtask was", "subtasks were")} given up`;
  if (blocked === 0) return words;
  return `${words}, ${blocked} ${blocked === 1 ? "is" : "are"} blocked by ${number === 1 ? "it" : "them"}`;
}

const REASONS_NAMED = 3;

/** The reasons for "unverified", of the first few subtasks by name. */
function whyUnverified({ plan, subtasks, counts }: RunState): string {
  const noted = vectorItems(subtasks).flatMap(({ phase, notes }, index) => {
    const why = phase === "unverified" ? notes.find(rulesOutVerified) : undefined;
    const id = cleanLine(plan.subtasks[index]?.id ?? "", 60);
    return why === undefined ? [] : [`${id} ${noteText(why)}`];
  });
  const unchecked = counts.unverified - noted.length;
  const more = noted.length - REASONS_NAMED;
  return [
    ...noted.slice(0, REASONS_NAMED),
    ...(more > 0 ? [`${more} more`] : []),
    ...(unchecked > 0 ? [`${count(unchecked, "subtask has", "subtasks have")} no check`] : []),
  ].join("; ");
}
