/**
 * Questions to a person: parking a subtask with one, and acting on the answer. Invariants: a parked subtask never stops
 * one that does not depend on it, directly or indirectly; one question per cause; the first answer stands, because
 * later ones are rejected as stale before they get here.
 */
import { assert } from "../../assert.ts";
import type { Refusal } from "../../agent-words/refusal.ts";
import { defined } from "../../defined.ts";
import type { Failure } from "../../failure.ts";
import { transitiveDependents } from "../../plan/graph.ts";
import { otherAgent, sidegradeOf, tierUp } from "../../plan/model-ladder.ts";
import type { Choice } from "../../policy/policy.ts";
import { baseCause, bestAttempt, triedAttempt } from "../across-attempts.ts";
import { hiccup, sharedCause } from "../make-checkpoint.ts";
import { NOBODY, type Checkpoint } from "../checkpoint.ts";
import type { Answer, InputOf } from "../input.ts";
import { planSubtask, subtaskAt } from "../state.ts";
import { incidentOf } from "./machine-incident.ts";
import { retryByPerson, answerOfPerson, permitted, specFor } from "./next-attempt.ts";
import type { AttemptSpec } from "../attempt.ts";
import type { SubtaskState } from "../subtask-state.ts";
import { RETRY_METHOD_WORDS, RETRY_METHODS, type RetryMethod } from "../retry-method.ts";
import { isVerdict } from "./choose-recovery.ts";
import { permissionAnswered, permissionExpired, withdrawPermission } from "./permission.ts";
import { refusedCause, refusedCauses } from "./refused-calls.ts";
import { firstSpec } from "./attempt-spec.ts";
import { openCheckpoint } from "./staleness.ts";
import { emit, recordEpisode, subtaskBefore, subtaskNow, type Turn } from "./turn.ts";
import type { ModelEntry } from "../../plan/plan.ts";
import type { Recovery } from "../../recovery.ts";
import { freshStart } from "./possible-recoveries.ts";

const NAMES_SHOWN = 20;

/** Parks the subtask, records who is blocked and who can continue, and asks. `cause`: a cause that others may share. */
export function park(
  turn: Turn,
  subtask: string,
  failure: Failure,
  { recoveries, because: reason, alert }: Choice,
  cause?: string,
): void {
  withdrawPermission(turn, subtask);
  const { state } = subtaskNow(turn, subtask);
  const phase = recoveries.some(({ kind }) => kind === "skip") ? "stuck" : "asking";
  const blocked = transitiveDependents(turn.state.graph, subtask).filter(
    (other) => subtaskAt(turn.state, other).phase === "pending",
  );
  const best = bestAttempt(state.attempts)?.attempt;
  emit(turn, { kind: "subtask-parked", subtask, phase, reason, ...defined({ best }) });
  const { pending, running, waiting } = turn.state.counts;
  const others = pending + running + waiting - blocked.length;
  const independent = incidentOf(failure) === undefined ? others : 0;
  emit(turn, { kind: "subtask-blocked", subtask, reason, independent });
  if (alert === true)
    emit(turn, {
      ...{ kind: "alert-raised", subtask, alert: "stuck_unrecoverable", severity: "critical" },
    });
  const refused = isRefusal(failure) ? refusedCauses(turn, subtask, state.attempt) : [];
  const outside = cause ?? refusedCause(refused) ?? baseCause(state);
  const shared = outside ?? (phase === "asking" ? sharedCause(failure, state.entry) : undefined);
  if (recoveries.some(({ kind }) => kind === "ask"))
    askOrJoin(turn, subtask, failure, { best, cause: shared, blocked, refused });
  recordEpisode(turn, subtask, false);
}

interface Ask {
  readonly best: number | undefined;
  readonly cause: string | undefined;
  /** Positions in the plan. */
  readonly blocked: readonly number[];
  readonly refused: readonly Refusal[];
}

/** Whether the agent's gate caused the failure. */
const isRefusal = ({ kind }: Failure): boolean =>
  kind === "permission_denied" || kind === "unsafe_action";

function askOrJoin(turn: Turn, subtask: string, failure: Failure, ask: Ask): void {
  const { input } = turn;
  const { plan, state } = subtaskNow(turn, subtask);
  const of = ask.cause === undefined ? undefined : turn.state.causes[ask.cause];
  if (of !== undefined) {
    const { checkpoint } = subtaskNow(turn, of).state;
    assert(checkpoint !== undefined, "a known cause has its open checkpoint");
    return emit(turn, { kind: "checkpoint-joined", subtask, of, checkpoint: checkpoint.id });
  }
  const { expireMs } = turn.state.plan;
  const expiresAt = expireMs === undefined ? undefined : input.at + expireMs;
  const advice = input.kind === "attempt-ended" ? input.advice : undefined;
  const id = `${subtask}/c${state.checkpoints + 1}`;
  const last = state.attempts.at(-1);
  const checkpoint = hiccup({
    ...{ id, subtask, goal: plan.prompt, failure, attempts: state.attempt },
    agent: state.entry.agent,
    error: last?.error ?? "",
    ...defined({ best: ask.best, advice, cause: ask.cause, expiresAt }),
    ways: possibleWays(turn.state.plan.ladder, state),
    ...defined({ otherAgent: otherAgent(turn.state.plan.ladder, state.entry)?.agent }),
    ...(ask.refused.length > 0
      ? { refused: ask.refused }
      : defined({ asks: isVerdict(failure) ? askedSince(state) : undefined })),
    blocks: ask.blocked.slice(0, NAMES_SHOWN).map((other) => planSubtask(turn.state, other).id),
    blocksCount: ask.blocked.length,
  });
  emit(turn, { kind: "checkpoint-opened", checkpoint });
  if (expiresAt !== undefined) {
    const timer = state.timers + 1;
    emit(turn, { kind: "expiry-scheduled", subtask, checkpoint: id, timer, dueAt: expiresAt });
  }
  const attempts = state.attempts.map(triedAttempt);
  emit(turn, { kind: "approval-requested", subtask, checkpoint: id, attempts });
}

/** The agent's last question since a person last spoke. Once told to settle it, the agent may not have repeated it. */
const askedSince = ({ attempts, spokenAt }: SubtaskState): string | undefined =>
  attempts.findLast(({ attempt, asks }) => attempt > spokenAt && asks !== undefined)?.asks;

export function answered(turn: Turn, input: InputOf<"checkpoint-answered">): void {
  const checkpoint = openCheckpoint(turn.state, input.checkpoint);
  assert(checkpoint !== undefined, "a stale answer is not decided on");
  if (checkpoint.waiting !== undefined)
    return permissionAnswered(turn, checkpoint, input.answer, input.by);
  settle(turn, checkpoint, input.answer, input.by);
}

/** The timer of a question has fired: nobody answered in time. */
export function expired(turn: Turn, { subtask, timer }: InputOf<"timer-fired">): void {
  if (subtaskBefore(turn, subtask).expiry?.id !== timer) return;
  const { checkpoint } = subtaskNow(turn, subtask).state;
  assert(checkpoint !== undefined, "a question that expires is open");
  if (checkpoint.waiting !== undefined) return permissionExpired(turn, checkpoint);
  assert(checkpoint.default === "skip", "what nobody answers is a no");
  settle(turn, checkpoint, { kind: "skip" }, NOBODY);
}

function settle(turn: Turn, { id: checkpoint, ...asked }: Checkpoint, answer: Answer, by: string) {
  const { subtask, trigger, also = [] } = asked;
  if (subtask === undefined) {
    emit(turn, { kind: "checkpoint-closed", checkpoint, answer, by });
    // Every round of checks on the base needs its own number, which follows from the number of questions asked so far.
    if (trigger === "CHECKS" && answer.kind === "retry")
      emit(turn, { kind: "baseline-dispatched", round: turn.state.checkpoints + 1 });
    return;
  }
  if (answer.kind === "manual" && !answer.done)
    return emit(turn, { kind: "checkpoint-taken", checkpoint, by, subtask });
  emit(turn, { kind: "checkpoint-closed", checkpoint, answer, by, subtask });
  for (const other of also) {
    emit(turn, { kind: "checkpoint-followed", subtask: other, checkpoint, answer });
    continueAfterAnswer(turn, other, answer, by, asked);
  }
  if (answer.kind === "manual") doneByHand(turn, subtask);
  else continueAfterAnswer(turn, subtask, answer, by, asked);
}

/** Continues a subtask after an answer. A fix by hand for another subtask means that this one tries again. */
function continueAfterAnswer(
  turn: Turn,
  subtask: string,
  answer: Answer,
  by: string,
  asked: AskedContext,
): void {
  if (answer.kind === "skip") {
    const reason = `skipped by ${by}`;
    return emit(turn, { kind: "subtask-parked", subtask, phase: "skipped", reason });
  }
  if (answer.kind === "other-agent") changeAgent(turn, subtask, by);
  if (answer.kind === "retry" && carryOutPersonsChoice(turn, subtask, answer, by, asked)) return;
  const { state } = subtaskNow(turn, subtask);
  const spec = specAfter(state, answer, asked);
  const isQueued = answer.kind === "top-up" && state.next.length > 0;
  emit(turn, { kind: "attempt-queued", subtask, specs: isQueued ? [] : [spec] });
}

/** Carries out the recovery a person chose; false if they chose none, or one that is not possible for this subtask. */
function carryOutPersonsChoice(
  turn: Turn,
  subtask: string,
  { how }: Extract<Answer, { readonly kind: "retry" }>,
  by: string,
  { context }: AskedContext,
): boolean {
  const { ladder } = turn.state.plan;
  const recovery = how && recoveryOfWay(how, ladder, subtaskNow(turn, subtask).state);
  if (how === undefined || recovery === undefined) return false;
  emit(turn, {
    ...{ kind: "recovery-chosen", subtask, recoveries: [recovery] },
    ...{
      chosenBy: { by: "guard", id: "person" },
      because: `${by} chose: ${RETRY_METHOD_WORDS[how]}`,
    },
    ...{ considered: [], usesRung: false },
  });
  const spec = specByPerson(subtaskNow(turn, subtask).state, recovery, context.asks);
  emit(turn, { kind: "attempt-queued", subtask, specs: [spec] });
  return true;
}

type AskedContext = Pick<Checkpoint, "context">;

function specAfter(state: SubtaskState, { kind }: Answer, { context }: AskedContext): AttemptSpec {
  if (kind === "manual" || kind === "top-up") return firstSpec(state);
  const { refused = [] } = context;
  if (refused.length > 0 && kind !== "retry") return permitted(state, kind, refused);
  return kind === "retry" && context.asks !== undefined
    ? answerOfPerson(state, context.asks)
    : retryByPerson(state);
}

/** Switches to another agent as the person chose, recorded like the run's own sidegrade. */
function changeAgent(turn: Turn, subtask: string, by: string): void {
  const entry = otherAgent(turn.state.plan.ladder, subtaskNow(turn, subtask).state.entry);
  if (entry === undefined) return;
  emit(turn, {
    ...{ kind: "recovery-chosen", subtask, recoveries: [{ kind: "sidegrade", entry }] },
    ...{ chosenBy: { by: "guard", id: "person" }, because: `${by} chose another agent` },
    ...{ considered: [], usesRung: false },
  });
}

function doneByHand(turn: Turn, subtask: string): void {
  const { plan, state } = subtaskNow(turn, subtask);
  const { attempt } = state;
  if (plan.checks > 0)
    return emit(turn, { kind: "checks-dispatched", subtask, attempt: attempt + 1, round: 1 });
  emit(turn, { kind: "subtask-done", subtask, attempt, phase: "unverified" });
  recordEpisode(turn, subtask, true);
}

type Ladder = readonly ModelEntry[];

/** The recovery that a person's choice means here; undefined if it is not possible. */
function recoveryOfWay(
  way: RetryMethod,
  ladder: Ladder,
  subtask: SubtaskState,
): Recovery | undefined {
  switch (way) {
    case "fresh":
      return freshStart(subtask);
    case "steps":
      return { kind: "mutate", mutation: "decompose" };
    case "other-model": {
      const entry = sidegradeOf(ladder, subtask.entry, subtask.entriesUsed);
      return entry && { kind: "sidegrade", entry };
    }
    case "stronger-model": {
      const entry = tierUp(ladder, subtask.entry);
      return entry && { kind: "escalate", entry, thinking: subtask.thinking, budgetFactor: 1 };
    }
  }
}

const possibleWays = (ladder: Ladder, subtask: SubtaskState): readonly RetryMethod[] =>
  RETRY_METHODS.filter((way) => recoveryOfWay(way, ladder, subtask) !== undefined);

/**
 * Uses no recovery budget, because a person asked for it. `asks`: the agent's question that is answered along with it.
 */
function specByPerson(
  subtask: SubtaskState,
  recovery: Recovery,
  asks: string | undefined,
): AttemptSpec {
  const spec = specFor(subtask, recovery);
  return { ...spec, prompt: { ...spec.prompt, ...defined({ answers: asks }) }, iteration: false };
}
