/**
 * Read-only subtasks (E1): they only look and answer, and end `answered`. Invariants: nothing of theirs is checked
 * or merged; tried again once at most; they never ask a person, use no rung of the ladder and never hold up
 * others: without an answer they end too, with the reason.
 */
import { count } from "../../amounts.ts";
import type { Failure } from "../../failure.ts";
import { tameLine } from "../../foreign-text.ts";
import { vectorItems } from "../../persistent-vector.ts";
import type { Choice } from "../../policy/policy.ts";
import { emit, subtaskNowAt } from "./decision-draft.ts";
import type { DecisionDraft } from "./decision-draft.ts";
import { episodeOf } from "./episode.ts";
import { guardRail, structureRule } from "./rules-before-policy.ts";
import type { InputOf } from "../input.ts";
import { isCounted, isVerdict } from "./choose-recovery.ts";
import { sameAgain } from "./next-attempt.ts";
import type { RunState } from "../state.ts";
import { errorText, verdictOf } from "./attempt-failure.ts";

const RETRIES_MAX = 1;

export function lookEnded(
  draft: DecisionDraft,
  index: number,
  input: InputOf<"attempt-ended">,
): void {
  const { id: subtask, plan, state } = subtaskNowAt(draft, index);
  const { attempt } = input;
  const failure = verdictOf(input, plan, draft.rules);
  if (failure === undefined) return answeredBy(draft, index, attempt);
  const { structure } = draft.policy.settings;
  emit(draft, {
    ...{ kind: "failure-classified", subtask, attempt, failure },
    counted: failure.kind === "context_exhausted" || isCounted(failure, state, structure),
    verdict: isVerdict(failure),
    error: input.answer?.problem ?? errorText(input.evidence),
    failing: [],
  });
  const choice = again(draft, index, failure);
  if (choice === undefined) unanswered(draft, index, reasonOf(failure));
  else carryOut(draft, index, choice);
}

/** The end without an answer: whoever has it as an input goes on without. */
export function unanswered(draft: DecisionDraft, index: number, why: string): void {
  const { id: subtask, state } = subtaskNowAt(draft, index);
  const { attempt } = state;
  emit(draft, {
    ...{ kind: "subtask-done", subtask, attempt, phase: "answered" },
    unanswered: tameLine(why, 300),
  });
}

/** How a run ends that had nothing but questions: by its answers, as there is nothing to verify. */
export function onlyAnswers(state: RunState): {
  readonly outcome: "verified" | "failed";
  readonly reason: string;
} {
  const silent = vectorItems(state.subtasks).filter((own) => own.unanswered !== undefined).length;
  return silent === 0
    ? { outcome: "verified", reason: "every subtask is answered" }
    : { outcome: "failed", reason: `${count(silent, "subtask has", "subtasks have")} no answer` };
}

function answeredBy(draft: DecisionDraft, index: number, attempt: number): void {
  const { id: subtask } = subtaskNowAt(draft, index);
  emit(draft, { kind: "subtask-done", subtask, attempt, phase: "answered" });
  emit(draft, { kind: "episode-recorded", episode: episodeOf(draft, index, true) });
}

/** What says why there is no answer: our own words as they are, others' with what kind of failure they are. */
const reasonOf = ({ kind, because, origin }: Failure): string =>
  origin === "check" ? (because[0] ?? kind) : [kind, ...because.slice(0, 1)].join(": ");

/** Waits, losses and re-asks cost nothing, as everywhere; a failure that counts is tried again once. */
function again(draft: DecisionDraft, index: number, failure: Failure): Choice | undefined {
  const { plan, state } = subtaskNowAt(draft, index);
  const { settings } = draft.policy;
  if (state.attempts.at(-1)?.counted === false) {
    const { at: now, chance } = draft.input;
    const { ladder } = draft.state.plan;
    const view = { failure, subtask: state, settings, ladder, treeChanged: false, now, chance };
    const free = guardRail(view) ?? structureRule(failure, state);
    const [first] = free?.recoveries ?? [];
    return first?.kind === "wait" || first?.kind === "retry" ? free : undefined;
  }
  const asked = plan.limits?.maxRetries ?? draft.state.plan.maxSubtaskRetries ?? RETRIES_MAX;
  if (failure.category === "fatal" || state.counted > Math.min(asked, RETRIES_MAX))
    return undefined;
  return {
    recoveries: [{ kind: "retry" }],
    chosenBy: { by: "guard", id: "read-only" },
    because: "it has no answer yet: once more, then the others go on without",
    considered: [],
  };
}

function carryOut(draft: DecisionDraft, index: number, choice: Choice): void {
  const { id: subtask, state } = subtaskNowAt(draft, index);
  const { recoveries, chosenBy, because, considered } = choice;
  const usesRung = chosenBy.by !== "guard";
  emit(draft, {
    ...{ kind: "recovery-chosen", subtask, recoveries, chosenBy, because, considered, usesRung },
  });
  const [recovery] = recoveries;
  if (recovery === undefined) return;
  const spec = sameAgain(state, recovery, false);
  if (recovery.kind !== "wait")
    return emit(draft, { kind: "attempt-queued", subtask, specs: [spec] });
  const { dueAt, reason } = recovery.wait;
  const since = state.outage?.since ?? draft.input.at;
  const timer = state.timers + 1;
  emit(draft, { kind: "wait-scheduled", subtask, timer, dueAt, reason, spec, since });
}
