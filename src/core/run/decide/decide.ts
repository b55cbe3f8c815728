/**
 * decide(state, input, policy, rules) -> decisions and commands: the one place where a run's next moves are made.
 * Invariants: pure; a stale or duplicate input changes nothing; input and decisions are recorded together; the
 * policy is asked here and never by `fold`.
 */
import { unreachable } from "../../assert.ts";
import type { Policy } from "../../policy/policy.ts";
import type { RuleBook } from "../../classify/rule-book.ts";
import { answered, expired, retryRequested } from "./answers.ts";
import { commandOf } from "../command.ts";
import type { Command } from "../command.ts";
import type { Decision } from "../decision.ts";
import { emit, openDraft, subtaskNowAt, subtaskNow } from "./decision-draft.ts";
import type { DecisionDraft } from "./decision-draft.ts";
import { episodeOf } from "./episode.ts";
import { branchPassed } from "./explore.ts";
import { baselineEnded, beginBaseline, finalCheckEnded } from "./whole-run-checks.ts";
import { finishKept, keptAttempt, restMoved } from "./kept-work.ts";
import { interruptAll, pauseIfStill, resumesLater } from "./lifetime.ts";
import { leavesFailing, unverifies } from "../note.ts";
import type { Note } from "../note.ts";
import type { Failure } from "../../failure.ts";
import type { CheckResult, InputOf, RunInput } from "../input.ts";
import { baseMended, causesHeldBy } from "./broken-base.ts";
import { lookEnded } from "./read-only.ts";
import { attemptFailed, recordFailure, uncheckable } from "./recover.ts";
import { endIfDone, schedule } from "./schedule.ts";
import { serviceBack } from "./service-back.ts";
import { staleness } from "./staleness.ts";
import { subtaskAt } from "../state.ts";
import { sayUnheld } from "./budget-notices.ts";
import type { RunState, Stage, SubtaskState } from "../state.ts";
import { CHECK_ROUNDS_MAX, FLAKY_ROUNDS } from "./rules-before-policy.ts";
import {
  checkFailure,
  conflictFailure,
  errorText,
  howItEnded,
  isReadOnly,
  treeChanged,
  verdictOf,
  worthChecking,
} from "./attempt-failure.ts";

export interface Decided {
  readonly decisions: readonly Decision[];
  readonly commands: readonly Command[];
  /** The state after input and decisions are folded. */
  readonly state: RunState;
  /** Why the input changes nothing; it is then not recorded. */
  readonly ignored?: string;
}

export function decide(state: RunState, input: RunInput, policy: Policy, rules: RuleBook): Decided {
  const ignored = staleness(state, input);
  if (ignored !== undefined) return { decisions: [], commands: [], state, ignored };
  const draft = openDraft(state, input, policy, rules);
  handle(draft, input);
  schedule(draft);
  pauseIfStill(draft);
  endIfDone(draft);
  const { run } = draft.state;
  const commands = draft.decisions.flatMap((decision) => commandOf(run, decision) ?? []);
  return { decisions: draft.decisions, commands, state: draft.state };
}

function handle(draft: DecisionDraft, input: RunInput): void {
  switch (input.kind) {
    case "run-started":
      sayUnheld(draft);
      return beginBaseline(draft);
    case "baseline-ended":
      return baselineEnded(draft, input);
    case "final-check-ended":
      return finalCheckEnded(draft, input);
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
    case "service-back":
      return serviceBack(draft, input);
    case "retry-requested":
      return retryRequested(draft, input);
    case "pause-requested":
      return interruptAll(draft, input.reason, "pause");
    case "resume-requested":
      return;
    case "cancel-requested":
      return interruptAll(draft, input.reason, "cancel");
    default:
      unreachable(input);
  }
}

function attemptEnded(draft: DecisionDraft, input: InputOf<"attempt-ended">): void {
  const { subtask, attempt, remains } = input;
  const { index, plan } = subtaskNow(draft, subtask);
  if (draft.state.phase === "ending" || lostToWinner(draft, subtask, attempt)) return;
  if (resumesLater(draft, input)) return;
  if (isReadOnly(plan)) return lookEnded(draft, index, input);
  const failure = verdictOf(input, plan, draft.rules);
  if (failure !== undefined) {
    if (worthChecking(failure, remains, plan))
      emit(draft, {
        ...{ kind: "checks-dispatched", subtask, attempt, round: 1, failure },
        how: howItEnded(input),
      });
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
  else done(draft, subtask, attempt, { notes: [] });
}

function checksEnded(draft: DecisionDraft, input: InputOf<"checks-ended">): void {
  const { subtask, attempt, round, result } = input;
  if (lostToWinner(draft, subtask, attempt)) return;
  const { index, state } = subtaskNow(draft, subtask);
  const found = subtaskAt(draft.before, index).stages.find((other) => other.attempt === attempt);
  const stage = found?.kind === "checks" ? found : undefined;
  if (result.kind === "passed") {
    const branch = state.attempts.findLast((record) => record.attempt === attempt)?.branch;
    if (branch !== undefined) branchPassed(draft, index, attempt, branch);
    const notes = noted([...(result.notes ?? []), ...notesOf(stage)]);
    emit(draft, { kind: "merge-queued", subtask, attempt, ...notes });
    return;
  }
  if (draft.state.phase === "ending") return;
  if (draft.policy.settings.structure && isRunAgain(result, round)) {
    const { failure, how } = stage ?? {};
    const flaky = result.kind === "failed" ? result.failing : stage?.flaky;
    emit(draft, {
      ...{ kind: "checks-dispatched", subtask, attempt, round: round + 1 },
      ...(failure === undefined ? {} : { failure }),
      ...(how === undefined ? {} : { how }),
      ...(flaky === undefined ? {} : { flaky }),
    });
  } else if (result.kind === "could-not-run" && needsPerson(result)) {
    const { evidence, ask } = result;
    uncheckable(draft, index, { attempt, evidence, ...(ask === undefined ? {} : { ask }) });
  } else checksFailed(draft, index, input, stage?.failure);
}

/** What failed on the base too, by name, is no riddle: only what may be flaky, or could not run, is run again. */
function isRunAgain(result: Exclude<CheckResult, { readonly kind: "passed" }>, round: number) {
  if (result.kind === "could-not-run") return result.ask === undefined && round < CHECK_ROUNDS_MAX;
  return result.fixed === undefined && result.confirmed !== true && round < FLAKY_ROUNDS;
}

const needsPerson = (result: Extract<CheckResult, { readonly kind: "could-not-run" }>): boolean =>
  result.onBase === true || result.ask !== undefined;

/** What is known of an attempt beside what its checks say. */
function notesOf(stage: Extract<Stage, { readonly kind: "checks" }> | undefined): Note[] {
  const { how, flaky } = stage ?? {};
  return [
    ...(how === undefined ? [] : [{ kind: "agent-failed", how } as const]),
    ...(flaky === undefined ? [] : [{ kind: "flaky", items: flaky } as const]),
  ];
}

function checksFailed(
  draft: DecisionDraft,
  index: number,
  { attempt, result }: InputOf<"checks-ended">,
  agentFailure: Failure | undefined,
): void {
  if (result.kind === "passed") return;
  const failure = agentFailure ?? checkFailure(result.evidence, draft.rules);
  const failing = result.kind === "failed" ? result.failing : [];
  const onBase = agentFailure === undefined && result.onBase === true;
  const fixed = result.kind === "failed" ? result.fixed?.length : undefined;
  const kept = keptAttempt(subtaskNowAt(draft, index).state.attempts);
  const failed = {
    ...{ attempt, failure, error: errorText(result.evidence), failing, onBase },
    ...(fixed === undefined ? {} : { fixed }),
  };
  const exploring = subtaskNowAt(draft, index).state.branches.length > 0;
  const { structure } = draft.policy.settings;
  // An agent that broke off, or a check that could not run, says nothing of what is left.
  const isJudged = agentFailure === undefined && result.kind === "failed";
  if (kept === undefined || exploring || !structure || !isJudged || restMoved(kept, failed))
    return attemptFailed(draft, index, failed);
  recordFailure(draft, index, failed);
  finishKept(draft, index, kept);
}

function mergeEnded(draft: DecisionDraft, input: InputOf<"merge-ended">): void {
  const { subtask, attempt, result } = input;
  const { index } = subtaskNow(draft, subtask);
  const found = subtaskAt(draft.before, index).stages.find((other) => other.attempt === attempt);
  const { round, notes } = found?.kind === "merge" ? found : { round: 1, notes: [] };
  if (result.kind === "merged") {
    const { commit, failing = [] } = result;
    const still = notes.flatMap((note) => stillTrue(note, failing));
    return done(draft, subtask, attempt, { notes: still, commit });
  }
  if (draft.state.phase === "ending") return;
  const { structure } = draft.policy.settings;
  const rounds = result.kind === "could-not-run" ? CHECK_ROUNDS_MAX : FLAKY_ROUNDS;
  if (result.kind !== "conflict" && structure && round < rounds) {
    emit(draft, { kind: "merge-queued", subtask, attempt, ...noted(notes), round: round + 1 });
    return;
  }
  const conflict = result.kind === "conflict";
  const failure = conflict
    ? conflictFailure(result.evidence)
    : checkFailure(result.evidence, draft.rules);
  const failing = result.kind === "red" ? result.failing : [];
  const error = errorText(result.evidence);
  attemptFailed(draft, index, { attempt, failure, error, failing, unmerged: true });
}

const noted = (notes: readonly Note[]): { readonly notes?: readonly Note[] } =>
  notes.length === 0 ? {} : { notes };

/** What failed before may have been mended by those it is merged with. */
function stillTrue(note: Note, failing: readonly string[]): readonly Note[] {
  if (note.kind !== "failed-before" || !leavesFailing(note)) return [note];
  const items = note.items.filter((item) => failing.includes(item));
  return items.length === 0 ? [] : [{ ...note, items }];
}

function done(
  draft: DecisionDraft,
  subtask: string,
  attempt: number,
  { notes, commit }: { readonly notes: readonly Note[]; readonly commit?: string },
): void {
  const { index, plan, state } = subtaskNow(draft, subtask);
  const held = causesHeldBy(draft, subtask);
  emit(draft, {
    ...{ kind: "subtask-done", subtask, attempt, ...noted(notes) },
    phase: plan.checks > 0 && !notes.some(unverifies) ? "verified" : "unverified",
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

function loopSeen(draft: DecisionDraft, input: InputOf<"loop-seen">): void {
  const { subtask, attempt, level, words, pattern } = input;
  if (level === "nudge") emit(draft, { kind: "nudge-sent", subtask, attempt, words });
  else emit(draft, { kind: "attempt-interrupted", subtask, attempt, reason: pattern });
}

/** An attempt of a branch whose exploration is over: its tree is kept, its end changes nothing. */
function lostToWinner(draft: DecisionDraft, subtask: string, attempt: number): boolean {
  const { state } = subtaskNow(draft, subtask);
  const record = state.attempts.findLast((other) => other.attempt === attempt);
  return record?.branch !== undefined && !state.branches.some(({ id }) => id === record.branch);
}
