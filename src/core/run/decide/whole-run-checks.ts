/**
 * What frames a run's work: the checks on the base before the first attempt, and on the result before the end (U5,
 * U11). Invariants: no attempt is dispatched before the base is known; a check that cannot judge anybody is asked
 * about before anything is spent; a run is verified only if the very commit it publishes passed.
 */
import { count } from "../../amounts.ts";
import { tameLine } from "../../foreign-text.ts";
import { vectorItems } from "../../persistent-vector.ts";
import { baseProblems } from "../checkpoint.ts";
import { emit, subtaskNow } from "./decision-draft.ts";
import type { DecisionDraft } from "./decision-draft.ts";
import type { InputOf } from "../input.ts";
import { leavesFailing, noteWords, unverifies } from "../note.ts";
import { onlyAnswers } from "./read-only.ts";
import type { RunState } from "../state.ts";
import { CHECK_ROUNDS_MAX, FLAKY_ROUNDS } from "./rules-before-policy.ts";
import { errorText } from "./attempt-failure.ts";

export function beginBaseline(draft: DecisionDraft): void {
  const { judged, subtasks } = draft.state.plan;
  if (judged === true && subtasks.some(({ checks }) => checks > 0))
    emit(draft, { kind: "baseline-dispatched", round: 1 });
}

export function baselineEnded(draft: DecisionDraft, { problems }: InputOf<"baseline-ended">): void {
  const { state } = draft;
  if (state.phase !== "active" || problems.length === 0) return;
  const { goal } = state.plan;
  const checkpoint = baseProblems({ id: `c${state.checkpoints + 1}`, goal, problems });
  emit(draft, { kind: "checkpoint-opened", checkpoint });
}

/** Nothing is dispatched before it is known what the checks say of the base. */
export const isHeldForBase = ({ baseline, checkpoint }: RunState): boolean =>
  baseline.awaited !== undefined || checkpoint?.trigger === "CHECKS";

/** Every subtask is settled: checks the result first, where there is one to check. */
export function conclude(draft: DecisionDraft): void {
  const { plan, subtasks } = draft.state;
  const checked = vectorItems(subtasks).some(
    ({ phase, notes }, index) =>
      (plan.subtasks[index]?.checks ?? 0) > 0 &&
      (phase === "verified" || (phase === "unverified" && notes.length > 0)),
  );
  if (plan.judged === true && checked) emit(draft, { kind: "final-check-dispatched", round: 1 });
  else endRun(draft, undefined);
}

export function finalCheckEnded(draft: DecisionDraft, input: InputOf<"final-check-ended">): void {
  const { round, result, confirmed } = input;
  if (draft.state.phase === "ending") return;
  const rounds = result.kind === "could-not-run" ? CHECK_ROUNDS_MAX : FLAKY_ROUNDS;
  if (result.kind !== "passed" && round < rounds) {
    emit(draft, { kind: "final-check-dispatched", round: round + 1 });
    return;
  }
  for (const subtask of confirmed) {
    const { notes } = subtaskNow(draft, subtask).state;
    const left = notes.filter((note) => !leavesFailing(note));
    if (!left.some(unverifies)) emit(draft, { kind: "subtask-confirmed", subtask, notes: left });
  }
  endRun(draft, result.kind === "passed" ? undefined : finalWords(result));
}

function finalWords(
  result: Exclude<InputOf<"final-check-ended">["result"], { readonly kind: "passed" }>,
): string {
  const line = tameLine(errorText(result.evidence), 160);
  const what = result.kind === "failed" ? "failed" : "could not run";
  return `the check of the result itself ${what}: ${line || (result.evidence.command ?? "")}`;
}

function endRun(draft: DecisionDraft, problem: string | undefined): void {
  const { verified, unverified, answered, pending, stuck, skipped } = draft.state.counts;
  const total = draft.state.plan.subtasks.length;
  if (answered === total) emit(draft, { kind: "run-ended", ...onlyAnswers(draft.state) });
  else if (verified + unverified + answered < total)
    emit(draft, {
      ...{ kind: "run-ended", outcome: "failed" },
      reason: givenUp(stuck + skipped, pending),
    });
  else if (problem !== undefined)
    emit(draft, { kind: "run-ended", outcome: "unverified", reason: problem });
  else if (unverified === 0)
    emit(draft, {
      ...{ kind: "run-ended", outcome: "verified" },
      reason: `every subtask is verified${answered === 0 ? "" : " or answered"}`,
    });
  else
    emit(draft, { kind: "run-ended", outcome: "unverified", reason: whyUnverified(draft.state) });
}

function givenUp(number: number, blocked: number): string {
  const words = `${count(number, "subtask was", "subtasks were")} given up`;
  if (blocked === 0) return words;
  return `${words}, ${blocked} ${blocked === 1 ? "is" : "are"} blocked by ${number === 1 ? "it" : "them"}`;
}

const REASONS_NAMED = 3;

/** The first few by name, with what takes "verified" away from them. */
function whyUnverified({ plan, subtasks }: RunState): string {
  const open = vectorItems(subtasks).flatMap(({ phase, notes }, index) => {
    if (phase !== "unverified") return [];
    const why = notes.find(unverifies);
    return [{ id: plan.subtasks[index]?.id ?? "", why }];
  });
  const noted = open.flatMap(({ id, why }) =>
    why === undefined ? [] : [`${tameLine(id, 60)} ${noteWords(why)}`],
  );
  const unchecked = open.length - noted.length;
  const more = noted.length - REASONS_NAMED;
  return [
    ...noted.slice(0, REASONS_NAMED),
    ...(more > 0 ? [`${more} more`] : []),
    ...(unchecked > 0 ? [`${count(unchecked, "subtask has", "subtasks have")} no check`] : []),
  ].join("; ");
}
