/**
 * decide(state, input, policy) -> decisions and commands: the one place where a run's next moves are made.
 * Imports the handlers. Invariants: pure; a stale or duplicate input changes nothing; input and decisions are recorded
 * together; the policy is asked here and never by `fold`.
 */
import { unreachable } from "../assert.ts";
import type { Policy } from "../policy/policy.ts";
import { answered, expired, stopRequested } from "./answers.ts";
import { commandOf } from "./command.ts";
import type { Command } from "./command.ts";
import type { Decision } from "./decision.ts";
import { emit, openDraft, placeOf } from "./draft.ts";
import type { Draft } from "./draft.ts";
import { episodeOf } from "./episode.ts";
import { branchPassed } from "./explore.ts";
import type { InputOf, RunInput } from "./input.ts";
import { baseMended, causesHeldBy } from "./broken-base.ts";
import { lookEnded } from "./read-only.ts";
import { attemptFailed, uncheckable } from "./recover.ts";
import { endIfDone, schedule } from "./schedule.ts";
import { staleness } from "./staleness.ts";
import { subtaskAt } from "./state.ts";
import type { RunState, SubtaskState } from "./state.ts";
import { CHECK_ROUNDS_MAX } from "./structure.ts";
import {
  checkFailure,
  conflictFailure,
  errorText,
  isReadOnly,
  treeChanged,
  verdictOf,
  worthChecking,
} from "./verdict.ts";

export interface Decided {
  readonly decisions: readonly Decision[];
  readonly commands: readonly Command[];
  /** The state after input and decisions are folded. */
  readonly state: RunState;
  /** Why the input changes nothing; it is then not recorded. */
  readonly ignored?: string;
}

export function decide(state: RunState, input: RunInput, policy: Policy): Decided {
  const ignored = staleness(state, input);
  if (ignored !== undefined) return { decisions: [], commands: [], state, ignored };
  const draft = openDraft(state, input, policy);
  handle(draft, input);
  schedule(draft);
  endIfDone(draft);
  const { run } = draft.state;
  const commands = draft.decisions.flatMap((decision) => commandOf(run, decision) ?? []);
  return { decisions: draft.decisions, commands, state: draft.state };
}

function handle(draft: Draft, input: RunInput): void {
  switch (input.kind) {
    case "run-started":
    case "attempt-started":
      return;
    case "timer-fired":
      return expired(draft, input);
    case "attempt-ended":
      return attemptEnded(draft, input);
    case "checks-ended":
      return checksEnded(draft, input);
    case "merge-ended":
      return mergeEnded(draft, input);
    case "loop-seen":
      return loopSeen(draft, input);
    case "checkpoint-answered":
      return answered(draft, input);
    case "stop-requested":
      return stopRequested(draft, input.reason);
    default:
      unreachable(input);
  }
}

function attemptEnded(draft: Draft, input: InputOf<"attempt-ended">): void {
  const { subtask, attempt, remains } = input;
  const { index, plan } = placeOf(draft, subtask);
  if (draft.state.phase === "stopping" || lostToWinner(draft, subtask, attempt)) return;
  if (isReadOnly(plan)) return lookEnded(draft, index, input);
  const failure = verdictOf(input, plan);
  if (failure !== undefined) {
    if (worthChecking(failure, remains, plan))
      emit(draft, { kind: "checks-dispatched", subtask, attempt, round: 1, failure });
    else
      attemptFailed(draft, index, {
        attempt,
        failure,
        error: input.answer?.problem ?? errorText(input.evidence),
        failing: [],
      });
    return;
  }
  if (plan.checks > 0) emit(draft, { kind: "checks-dispatched", subtask, attempt, round: 1 });
  else if (treeChanged(remains)) emit(draft, { kind: "merge-queued", subtask, attempt });
  else done(draft, subtask, attempt, undefined);
}

function checksEnded(draft: Draft, input: InputOf<"checks-ended">): void {
  const { subtask, attempt, round, result } = input;
  if (lostToWinner(draft, subtask, attempt)) return;
  const { index, state } = placeOf(draft, subtask);
  const stage = subtaskAt(draft.before, index).stages.find((other) => other.attempt === attempt);
  const agentFailure = stage?.kind === "checks" ? stage.failure : undefined;
  const again =
    draft.policy.settings.structure && round < (result.kind === "failed" ? 2 : CHECK_ROUNDS_MAX);
  if (result.kind === "passed") {
    const branch = state.attempts.findLast((record) => record.attempt === attempt)?.branch;
    if (branch !== undefined) branchPassed(draft, index, attempt, branch);
    emit(draft, { kind: "merge-queued", subtask, attempt });
  } else if (again && draft.state.phase === "active") {
    const failure = agentFailure === undefined ? {} : { failure: agentFailure };
    emit(draft, { kind: "checks-dispatched", subtask, attempt, round: round + 1, ...failure });
  } else if (draft.state.phase === "active" && result.kind !== "failed" && result.onBase === true) {
    uncheckable(draft, index, { attempt, evidence: result.evidence });
  } else if (draft.state.phase === "active") {
    const failure = agentFailure ?? checkFailure(result.evidence);
    const failing = result.kind === "failed" ? result.failing : [];
    const error = errorText(result.evidence);
    const onBase = agentFailure === undefined && result.onBase === true;
    attemptFailed(draft, index, { attempt, failure, error, failing, onBase });
  }
}

function mergeEnded(draft: Draft, input: InputOf<"merge-ended">): void {
  const { subtask, attempt, result } = input;
  const { index } = placeOf(draft, subtask);
  if (result.kind === "merged") return done(draft, subtask, attempt, result.commit);
  if (draft.state.phase !== "active") return;
  const conflict = result.kind === "conflict";
  const failure = conflict ? conflictFailure(result.evidence) : checkFailure(result.evidence);
  const failing = conflict ? [] : result.failing;
  const error = errorText(result.evidence);
  attemptFailed(draft, index, { attempt, failure, error, failing, unmerged: true });
}

function done(draft: Draft, subtask: string, attempt: number, commit: string | undefined): void {
  const { index, plan, state } = placeOf(draft, subtask);
  const held = causesHeldBy(draft, subtask);
  emit(draft, {
    kind: "subtask-done",
    subtask,
    attempt,
    phase: plan.checks > 0 ? "verified" : "unverified",
    ...(commit === undefined ? {} : { commit }),
    ...creditFor(state, attempt),
  });
  emit(draft, { kind: "episode-recorded", episode: episodeOf(draft, index, true) });
  baseMended(draft, held);
}

/** The recovery that led to this attempt; none for a first one, and none where a person did it. */
function creditFor(
  { attempts, lastRung }: SubtaskState,
  attempt: number,
): { readonly rung?: string } {
  const made = attempts.findLast((record) => record.attempt === attempt);
  return lastRung === undefined || made?.recovery === undefined ? {} : { rung: lastRung };
}

function loopSeen(draft: Draft, input: InputOf<"loop-seen">): void {
  const { subtask, attempt, level, words, pattern } = input;
  if (level === "nudge") emit(draft, { kind: "nudge-sent", subtask, attempt, words });
  else emit(draft, { kind: "attempt-interrupted", subtask, attempt, reason: pattern });
}

/** An attempt of a branch whose exploration is over: its tree is kept, its end changes nothing. */
function lostToWinner(draft: Draft, subtask: string, attempt: number): boolean {
  const { state } = placeOf(draft, subtask);
  const record = state.attempts.findLast((other) => other.attempt === attempt);
  return record?.branch !== undefined && !state.branches.some(({ id }) => id === record.branch);
}
