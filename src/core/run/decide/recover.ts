/**
 * From a failed attempt to the recovery that comes next: record it, score it, look for circles, then guard rails,
 * structure, policy; and carry the choice into decisions. Invariant: every path ends in exactly one
 * `recovery-chosen`.
 */
import { unreachable } from "../../assert.ts";
import type { Evidence } from "../../evidence.ts";
import { isInfrastructure } from "../../failure.ts";
import type { Failure } from "../../failure.ts";
import { opensBreaker } from "../../breaker.ts";
import type { Choice } from "../../policy/policy.ts";
import type { Recovery } from "../../recovery.ts";
import { circularFixOf, scoreOf } from "./across-attempts.ts";
import { waitForBase } from "./broken-base.ts";
import { emit, subtaskNowAt } from "./decision-draft.ts";
import type { DecisionDraft, SubtaskNow } from "./decision-draft.ts";
import { branchFailed, startExploration } from "./explore.ts";
import { finishKept, keptAttempt } from "./kept-work.ts";
import { withoutChange } from "./rules-before-policy.ts";
import { park } from "./park.ts";
import { sameAgain, specOf } from "./next-attempt.ts";
import { checkFailure, errorText } from "./attempt-failure.ts";
import { repairsOf } from "../../repair/chains.ts";
import { chooseRecovery, isCounted, isVerdict } from "./choose-recovery.ts";

export interface Failed {
  readonly attempt: number;
  readonly failure: Failure;
  readonly error: string;
  readonly failing: readonly string[];
  readonly unmerged?: boolean;
  readonly onBase?: boolean;
  /** All that fails failed on the base, and so many of its failures are gone. */
  readonly fixed?: number;
}

export function attemptFailed(draft: DecisionDraft, index: number, failed: Failed): void {
  const { failure, treeChanged, branch: of } = recordFailure(draft, index, failed);
  const { branches } = subtaskNowAt(draft, index).state;
  const branch = branches.find(({ id }) => id === of)?.id;
  if (branch === undefined || branchFailed(draft, index, failed.attempt, branch))
    chooseNext(draft, index, failed.attempt, failure, treeChanged);
}

/** Writes down what an attempt failed of; what is done about it is another decision. */
export function recordFailure(
  draft: DecisionDraft,
  index: number,
  failed: Failed,
): { readonly failure: Failure; readonly treeChanged: boolean; readonly branch?: string } {
  const { policy } = draft;
  const record = subtaskNowAt(draft, index).state.attempts.findLast(
    ({ attempt }) => attempt === failed.attempt,
  );
  const treeChanged = record === undefined || record.treeBefore !== record.treeAfter;
  const failure = policy.settings.structure
    ? withoutChange(failed.failure, treeChanged)
    : failed.failure;
  emit(draft, {
    kind: "failure-classified",
    subtask: subtaskNowAt(draft, index).id,
    attempt: failed.attempt,
    failure,
    counted: isCounted(failure, subtaskNowAt(draft, index).state, policy.settings.structure),
    verdict: isVerdict(failure),
    error: failed.error,
    failing: failed.failing,
    ...(failed.unmerged === true ? { unmerged: true } : {}),
    ...(failed.onBase === true ? { onBase: true } : {}),
    ...(failed.fixed === undefined ? {} : { fixed: failed.fixed }),
  });
  return {
    ...{ failure, treeChanged },
    ...(record?.branch === undefined ? {} : { branch: record.branch }),
  };
}

interface UncheckableAttempt {
  readonly attempt: number;
  readonly evidence: Evidence;
  /** What only a person can mend, and how. */
  readonly ask?: string;
}

const NEVER_RAN = "the check cannot run, and could not on the base: no attempt can make it pass";

/** A check that no attempt can make pass, because it could not run on the base or misses what set-up brings (U11). */
export function uncheckable(
  draft: DecisionDraft,
  index: number,
  { attempt, evidence, ask }: UncheckableAttempt,
): void {
  const { id: subtask } = subtaskNowAt(draft, index);
  const because = ask ?? NEVER_RAN;
  const failure: Failure = { ...checkFailure(evidence, draft.rules), because: [because] };
  emit(draft, {
    ...{ kind: "failure-classified", subtask, attempt, failure, counted: false, verdict: false },
    ...{ error: errorText(evidence), failing: [] },
  });
  const choice = {
    recoveries: [{ kind: "ask" }],
    chosenBy: { by: "guard", id: "check-cannot-run" },
    because,
  } as const;
  const cause = `check ${failure.signature}`;
  carryOut(draft, subtaskNowAt(draft, index), failure, { ...choice, considered: [] }, { cause });
}

function chooseNext(
  draft: DecisionDraft,
  index: number,
  attempt: number,
  seen: Failure,
  treeChanged: boolean,
): void {
  const { policy } = draft;
  const infrastructure = isInfrastructure(seen);
  const records = subtaskNowAt(draft, index).state.attempts;
  const { counted } = records.findLast((one) => one.attempt === attempt) ?? { counted: true };
  if (counted || isVerdict(seen)) scoreProgress(draft, index, attempt);
  const circular = counted ? seeCircle(draft, index) : undefined;
  const current = subtaskNowAt(draft, index);
  const { failure, choice } = chooseRecovery(policy, {
    failure: seen,
    subtask: current.state,
    plan: draft.state.plan,
    of: current.plan,
    treeChanged,
    counted,
    circular,
    now: draft.input.at,
    chance: draft.input.chance,
    repairsOf,
    heldByBase: () => waitForBase(draft, current),
  });
  carryOut(draft, current, failure, choice, { infrastructure });
}

function scoreProgress(draft: DecisionDraft, index: number, attempt: number): void {
  const current = subtaskNowAt(draft, index);
  const scored = scoreOf(current.state, attempt, draft.policy.settings.progress);
  if (scored !== undefined)
    emit(draft, { kind: "progress-scored", subtask: current.id, attempt, ...scored });
}

function seeCircle(draft: DecisionDraft, index: number): string | undefined {
  const current = subtaskNowAt(draft, index);
  const because = circularFixOf(current.state);
  if (because === undefined) return undefined;
  const ban = draft.policy.settings.circular === "ban";
  emit(draft, { kind: "circular-fix-seen", subtask: current.id, because, ban });
  return because;
}

function carryOut(
  draft: DecisionDraft,
  current: SubtaskNow,
  failure: Failure,
  choice: Choice,
  { infrastructure = false, cause }: { infrastructure?: boolean; cause?: string },
): void {
  const subtask = current.id;
  emit(draft, {
    kind: "recovery-chosen",
    subtask,
    recoveries: choice.recoveries,
    chosenBy: choice.chosenBy,
    because: choice.because,
    considered: choice.considered,
    usesRung: choice.chosenBy.by !== "guard" && choice.loop !== true,
  });
  if (choice.fallThrough === true)
    emit(draft, { kind: "fell-through", subtask, failure: failure.kind, at: draft.input.at });
  const names = choice.recoveries.map(({ kind }) => kind);
  const [first] = choice.recoveries;
  const givenUp = names.includes("ask") || names.includes("skip");
  const isKept = givenUp && cause === undefined && draft.policy.settings.structure;
  const kept = isKept ? keptAttempt(current.state.attempts) : undefined;
  const isOfWork = isVerdict(failure) && failure.category !== "fatal";
  if (kept !== undefined && isOfWork) finishKept(draft, current.index, kept);
  else if (givenUp)
    park(draft, current.index, failure, {
      phase: names.includes("skip") ? "stuck" : "asking",
      ask: names.includes("ask"),
      reason: choice.because,
      alert: choice.alert === true,
      ...(cause === undefined ? {} : { cause }),
    });
  else if (first !== undefined)
    start(draft, current.index, first, {
      ...{ uncounted: infrastructure || choice.loop === true, ofService: opensBreaker(failure) },
    });
}

function start(
  draft: DecisionDraft,
  index: number,
  recovery: Recovery,
  { uncounted, ofService }: { readonly uncounted: boolean; readonly ofService: boolean },
): void {
  const { id: subtask, state } = subtaskNowAt(draft, index);
  switch (recovery.kind) {
    case "wait":
      emit(draft, {
        kind: "wait-scheduled",
        subtask,
        timer: state.timers + 1,
        dueAt: recovery.wait.dueAt,
        reason: recovery.wait.reason,
        spec: sameAgain(state, recovery, false),
        since: state.outage?.since ?? draft.input.at,
        ...(ofService ? { ofService } : {}),
      });
      return;
    case "explore":
      startExploration(draft, index, recovery.branches);
      return;
    case "retry":
    case "continue":
    case "sidegrade":
    case "feedback":
    case "repair":
    case "mutate":
    case "fresh":
    case "escalate": {
      const specs = [specOf(state, recovery, uncounted)];
      emit(draft, { kind: "attempt-queued", subtask, specs });
      return;
    }
    case "skip":
    case "ask":
      return;
    default:
      unreachable(recovery);
  }
}
