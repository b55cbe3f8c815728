/**
 * Leads from a failed attempt to the next recovery: record it, score it, look for circles, then consult guard rails,
 * structure rules and the policy, and turn the choice into decisions. Invariant: each choice is recorded as exactly one
 * `recovery-chosen`.
 */
import { opensBreaker } from "../../breaker.ts";
import { defined } from "../../defined.ts";
import { isInfrastructure, type Failure } from "../../failure.ts";
import type { Choice } from "../../policy/policy.ts";
import type { Recovery } from "../../recovery.ts";
import { recalledPart } from "../../memory/recall.ts";
import { nextRepair } from "../../repair/run-repair.ts";
import { attemptRecord, circularFixOf, keptAttempt, scoreOf } from "../across-attempts.ts";
import { treeChanged, type AttemptRecord } from "../attempt.ts";
import type { DecisionOf } from "../decision.ts";
import { failingOnBase } from "../past-attempts.ts";
import type { CheckResult } from "../check-result.ts";
import { checkText, couldNotRunFailure } from "./attempt-failure.ts";
import { waitForBase } from "./broken-base.ts";
import { chooseRecovery, isCounted, isVerdict, withoutChange } from "./choose-recovery.ts";
import { asRefused, refusedCauses } from "./refused-calls.ts";
import { failureFromLack, withLack } from "./agent-words.ts";
import { guard } from "./guard-rails.ts";
import { branchFailed, startExploration } from "./explore.ts";
import { incidentOf, sharedIncident } from "./machine-incident.ts";
import { specOf } from "./next-attempt.ts";
import { sameAgain } from "./attempt-spec.ts";
import { park } from "./questions.ts";
import { emit, subtaskNow, type Turn } from "./turn.ts";

type Failed = Omit<DecisionOf<"failure-classified">, "kind" | "subtask" | "counted" | "verdict">;

export function attemptFailed(turn: Turn, subtask: string, failed: Failed): void {
  const { attempt } = failed;
  const failure = recordFailure(turn, subtask, failed);
  const { state } = subtaskNow(turn, subtask);
  const record = attemptRecord(state, attempt);
  const branch = state.branches.find(({ id }) => id === record?.branch)?.id;
  if (branch === undefined || branchFailed(turn, subtask, attempt, branch))
    chooseNext(turn, subtask, attempt, failure);
}

/** Records why an attempt failed; choosing a recovery is a separate decision. */
export function recordFailure(turn: Turn, subtask: string, failed: Failed): Failure {
  const { attempt, failure: seen, ...rest } = failed;
  const { structure } = turn.policy.settings;
  const { state } = subtaskNow(turn, subtask);
  const record = attemptRecord(state, attempt);
  const lacks = structure ? record?.lacks : undefined;
  const judged = structure ? withoutChange(seen, hasChanged(record)) : seen;
  const refused = refusedCauses(turn, subtask, attempt);
  const failure = asRefused(failureFromLack(judged, lacks), refused);
  const counted = isCounted(failure, state, turn.policy.settings);
  const verdict = isVerdict(failure);
  const error = failure === judged ? rest.error : withLack(rest.error, refused, lacks);
  emit(turn, {
    ...{ kind: "failure-classified", subtask, attempt, failure, counted, verdict },
    ...{ ...rest, error },
  });
  return failure;
}

/** A person's own work has no record and counts as a change. */
const hasChanged = (record: AttemptRecord | undefined): boolean =>
  record === undefined || treeChanged(record);

const NEVER_RAN = "the check cannot run, and could not on the base: no attempt can make it pass";

/**
 * A check that no attempt can make pass: it could not run on the base either, or lacks something that only setup
 * provides.
 */
export function askAboutUnrunnableCheck(
  turn: Turn,
  subtask: string,
  attempt: number,
  { evidence, ask: because = NEVER_RAN }: Extract<CheckResult, { readonly kind: "could-not-run" }>,
): void {
  const failure: Failure = { ...couldNotRunFailure(evidence, turn.rules), because: [because] };
  emit(turn, {
    ...{ kind: "failure-classified", subtask, attempt, failure, counted: false, verdict: false },
    ...{ error: checkText(evidence, turn.rules), failing: [] },
  });
  const choice = guard("check-cannot-run", { kind: "ask" }, because);
  carryOut(turn, subtask, failure, choice, { cause: `check ${failure.signature}` });
}

function chooseNext(turn: Turn, subtask: string, attempt: number, seen: Failure): void {
  const { policy, input } = turn;
  const record = attemptRecord(subtaskNow(turn, subtask).state, attempt);
  const counted = record?.counted ?? true;
  if (counted || isVerdict(seen)) {
    const scored = scoreOf(subtaskNow(turn, subtask).state, attempt, policy.settings.progress);
    if (scored !== undefined) emit(turn, { kind: "progress-scored", subtask, attempt, ...scored });
  }
  const circular = counted ? circularFixOf(subtaskNow(turn, subtask).state) : undefined;
  if (circular !== undefined) {
    const ban = policy.settings.circular === "ban";
    emit(turn, { kind: "circular-fix-seen", subtask, because: circular, ban });
  }
  const current = subtaskNow(turn, subtask);
  const incident = sharedIncident(turn, current, seen);
  if (incident !== undefined) return carryOut(turn, subtask, seen, incident, incidentIn(seen));
  const { failure, choice } = chooseRecovery(policy, {
    failure: seen,
    subtask: current.state,
    plan: turn.state.plan,
    of: current.plan,
    treeChanged: hasChanged(record),
    counted,
    circular,
    now: input.at,
    chance: input.chance,
    ...defined({ minuteOfDay: input.minuteOfDay }),
    nextRepair,
    heldByBase: () => waitForBase(turn, current),
    refused: refusedCauses(turn, subtask, attempt),
    baseFailing: failingOnBase(turn.state, current.plan),
    ...defined({ learned: turn.state.learned }),
  });
  const uncounted = isInfrastructure(seen) || choice.loop === true;
  carryOut(turn, subtask, failure, choice, {
    ...{ uncounted, ofService: opensBreaker(failure) },
    ...incidentIn(failure),
  });
}

const incidentIn = (failure: Failure): CarryOut => defined({ cause: incidentOf(failure) });

interface CarryOut {
  /** The next start uses no recovery budget. */
  readonly uncounted?: boolean;
  /** It waits for a service that others wait for too. */
  readonly ofService?: boolean;
  /** A cause that other subtasks may share, if the failure's kind does not imply it. */
  readonly cause?: string;
}

export function carryOut(
  turn: Turn,
  subtask: string,
  failure: Failure,
  choice: Choice,
  { uncounted = false, ofService = false, cause }: CarryOut,
): void {
  const { recoveries, chosenBy, because, considered, belief, outcome } = choice;
  const usesRung = chosenBy.by !== "guard" && choice.loop !== true;
  emit(turn, {
    ...{ kind: "recovery-chosen", subtask, recoveries, chosenBy, because, considered, usesRung },
    ...defined({ belief, outcome }),
  });
  if (choice.fallThrough === true)
    emit(turn, { kind: "fell-through", subtask, failure: failure.kind, at: turn.input.at });
  const [first] = recoveries;
  if (!recoveries.some(({ kind }) => kind === "ask" || kind === "skip")) {
    if (first !== undefined) start(turn, subtask, failure, first, { uncounted, ofService });
    return;
  }
  const isOfWork = isVerdict(failure) && failure.category !== "fatal";
  const isAsked = cause !== undefined || chosenBy.by === "guard";
  const isKept = isOfWork && !isAsked && turn.policy.settings.structure;
  const kept = isKept ? keptAttempt(subtaskNow(turn, subtask).state.attempts) : undefined;
  if (kept === undefined) park(turn, subtask, failure, choice, cause);
  else mergeKeptWork(turn, subtask, kept);
}

function start(
  turn: Turn,
  subtask: string,
  failure: Failure,
  recovery: Recovery,
  { uncounted, ofService }: { readonly uncounted: boolean; readonly ofService: boolean },
): void {
  const { state } = subtaskNow(turn, subtask);
  if (recovery.kind === "explore") startExploration(turn, subtask, recovery.branches);
  else if (recovery.kind === "wait")
    emit(turn, {
      ...{ kind: "wait-scheduled", subtask, timer: state.timers + 1, ...recovery.wait },
      spec: sameAgain(state, recovery, false),
      since: state.outage?.since ?? turn.input.at,
      ...(ofService ? { ofService } : {}),
    });
  else {
    const { prompt, ...spec } = specOf(state, recovery, uncounted);
    const { recalled: _, ...parts } = prompt;
    const told = { ...parts, ...recalledPart(turn.state.lessons, failure) };
    emit(turn, { kind: "attempt-queued", subtask, specs: [{ ...spec, prompt: told }] });
  }
}

/** Merges work worth keeping, with a note on the remaining failures; the subtask ends unverified. */
export function mergeKeptWork(turn: Turn, subtask: string, kept: AttemptRecord): void {
  const { attempt, fixed = 0, failing: items } = kept;
  const notes = [{ kind: "failed-before", fixed, items }] as const;
  emit(turn, { kind: "merge-queued", subtask, attempt, notes });
}
