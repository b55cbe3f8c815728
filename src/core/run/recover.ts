/**
 * From a failed attempt to the recovery that comes next: record it, score it, look for circles, then guard rails,
 * structure, policy; and carry the choice into decisions. Invariant: every path ends in exactly one
 * `recovery-chosen`.
 */
import { unreachable } from "../assert.ts";
import type { Evidence } from "../evidence.ts";
import { isInfrastructure } from "../failure.ts";
import type { Failure } from "../failure.ts";
import { opensBreaker } from "../incident/breaker.ts";
import type { Choice } from "../policy/policy.ts";
import type { Recovery } from "../recovery.ts";
import { circularFixOf, scoreOf } from "./across-attempts.ts";
import { waitForBase } from "./broken-base.ts";
import { emit, placeAt } from "./draft.ts";
import type { Draft, Place } from "./draft.ts";
import { branchFailed, startExploration } from "./explore.ts";
import { finishKept, keptAttempt } from "./kept-progress.ts";
import { continuesUsedUp, CUT_OFFS_MAX, guardRail } from "./guard-rails.ts";
import type { SubtaskState } from "./state.ts";
import { possible } from "./options.ts";
import { park } from "./park.ts";
import { sameAgain, specFor } from "./spec.ts";
import { isAskedAgain, structureRule, withoutChange } from "./structure.ts";
import { checkFailure, errorText } from "./verdict.ts";

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

export function attemptFailed(draft: Draft, index: number, failed: Failed): void {
  const { failure, treeChanged, branch: of } = recordFailure(draft, index, failed);
  const { branches } = placeAt(draft, index).state;
  const branch = branches.find(({ id }) => id === of)?.id;
  if (branch === undefined || branchFailed(draft, index, failed.attempt, branch))
    chooseNext(draft, index, failed.attempt, failure, treeChanged);
}

/** Writes down what an attempt failed of; what is done about it is another decision. */
export function recordFailure(
  draft: Draft,
  index: number,
  failed: Failed,
): { readonly failure: Failure; readonly treeChanged: boolean; readonly branch?: string } {
  const { policy } = draft;
  const record = placeAt(draft, index).state.attempts.findLast(
    ({ attempt }) => attempt === failed.attempt,
  );
  const treeChanged = record === undefined || record.treeBefore !== record.treeAfter;
  const failure = policy.settings.structure
    ? withoutChange(failed.failure, treeChanged)
    : failed.failure;
  emit(draft, {
    kind: "failure-classified",
    subtask: placeAt(draft, index).id,
    attempt: failed.attempt,
    failure,
    counted: isCounted(failure, placeAt(draft, index).state, policy.settings.structure),
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
  draft: Draft,
  index: number,
  { attempt, evidence, ask }: UncheckableAttempt,
): void {
  const { id: subtask } = placeAt(draft, index);
  const because = ask ?? NEVER_RAN;
  const failure: Failure = { ...checkFailure(evidence, draft.rules), because: [because] };
  emit(draft, {
    ...{ kind: "failure-classified", subtask, attempt, failure, counted: false, verdict: false },
    ...{ error: errorText(evidence), failing: [] },
  });
  const choice = {
    recoveries: [{ kind: "ask" }],
    rung: "guard:check-cannot-run",
    because,
  } as const;
  const cause = `check ${failure.signature}`;
  carryOut(draft, placeAt(draft, index), failure, { ...choice, considered: [] }, { cause });
}

/** Infrastructure uses no limit; nor does a cut-off or a full context, as long as it is within its own cap. */
export function isCounted(failure: Failure, subtask: SubtaskState, structure: boolean): boolean {
  if (isInfrastructure(failure)) return false;
  if (failure.kind === "malformed_output") return !structure || !isAskedAgain(subtask);
  if (failure.kind === "lost" || failure.kind === "interrupted")
    return subtask.cutOffs >= CUT_OFFS_MAX;
  return failure.kind !== "context_exhausted" || continuesUsedUp(subtask) !== undefined;
}

export const isVerdict = (failure: Failure): boolean =>
  !isInfrastructure(failure) && failure.kind !== "lost" && failure.kind !== "interrupted";

function chooseNext(
  draft: Draft,
  index: number,
  attempt: number,
  seen: Failure,
  treeChanged: boolean,
): void {
  const { policy } = draft;
  const { settings } = policy;
  const infrastructure = isInfrastructure(seen);
  const records = placeAt(draft, index).state.attempts;
  const { counted } = records.findLast((one) => one.attempt === attempt) ?? { counted: true };
  if (counted || isVerdict(seen)) scoreProgress(draft, index, attempt);
  const circular = counted ? seeCircle(draft, index) : undefined;
  const failure =
    circular !== undefined && settings.circular === "kind" ? asCircular(seen, circular) : seen;
  const place = placeAt(draft, index);
  const view = {
    failure,
    subtask: place.state,
    settings,
    plan: draft.state.plan,
    ladder: draft.state.plan.ladder,
    of: place.plan,
    treeChanged,
    now: draft.input.at,
    chance: draft.input.chance,
    notAgain: circular !== undefined && settings.circular === "ban",
  };
  const ruled =
    guardRail(view) ??
    (settings.structure ? waitForBase(draft, place) : undefined) ??
    (settings.structure && circular === undefined
      ? structureRule(failure, place.state)
      : undefined);
  const allowed =
    ruled !== undefined && withinLimits(ruled, counted, (name) => possible(view, name, {}).ok);
  const choice =
    ruled !== undefined && allowed
      ? ruled
      : policy.choose({
          failure,
          attempts: place.state.counted,
          stuck:
            place.state.progress.status === "stuck" || place.state.progress.status === "recovering",
          goodCommit: place.state.goodCommit !== undefined,
          uses: place.state.uses,
          possible: (name, rung) => possible(view, name, rung),
        });
  carryOut(draft, place, failure, choice, { infrastructure });
}

/** What is not free (an uncounted failure's next start is) has to respect the limits every recovery has. */
function withinLimits(
  choice: Choice,
  counted: boolean,
  isPossible: (name: Recovery["kind"]) => boolean,
): boolean {
  const free = choice.rung.startsWith("guard:") && !counted;
  return free || choice.recoveries.every(({ kind }) => isPossible(kind));
}

function scoreProgress(draft: Draft, index: number, attempt: number): void {
  const place = placeAt(draft, index);
  const scored = scoreOf(place.state, attempt, draft.policy.settings.progress);
  if (scored !== undefined)
    emit(draft, { kind: "progress-scored", subtask: place.id, attempt, ...scored });
}

function seeCircle(draft: Draft, index: number): string | undefined {
  const place = placeAt(draft, index);
  const because = circularFixOf(place.state);
  if (because === undefined) return undefined;
  const ban = draft.policy.settings.circular === "ban";
  emit(draft, { kind: "circular-fix-seen", subtask: place.id, because, ban });
  return because;
}

const asCircular = (failure: Failure, because: string): Failure => ({
  ...failure,
  kind: "circular_fix",
  category: "systematic",
  because: [because, ...failure.because],
});

function carryOut(
  draft: Draft,
  place: Place,
  failure: Failure,
  choice: Choice,
  { infrastructure = false, cause }: { infrastructure?: boolean; cause?: string },
): void {
  const subtask = place.id;
  emit(draft, {
    kind: "recovery-chosen",
    subtask,
    recoveries: choice.recoveries,
    rule: choice.rung,
    because: choice.because,
    considered: choice.considered,
    usesRung: !choice.rung.startsWith("guard:") && choice.loop !== true,
  });
  if (choice.fallThrough === true)
    emit(draft, { kind: "fell-through", subtask, failure: failure.kind, at: draft.input.at });
  const names = choice.recoveries.map(({ kind }) => kind);
  const [first] = choice.recoveries;
  const givenUp = names.includes("ask") || names.includes("skip");
  const isKept = givenUp && cause === undefined && draft.policy.settings.structure;
  const kept = isKept ? keptAttempt(place.state.attempts) : undefined;
  const isOfWork = isVerdict(failure) && failure.category !== "fatal";
  if (kept !== undefined && isOfWork) finishKept(draft, place.index, kept);
  else if (givenUp)
    park(draft, place.index, failure, {
      phase: names.includes("skip") ? "stuck" : "asking",
      ask: names.includes("ask"),
      reason: choice.because,
      alert: choice.alert === true,
      ...(cause === undefined ? {} : { cause }),
    });
  else if (first !== undefined)
    start(draft, place.index, first, {
      ...{ uncounted: infrastructure || choice.loop === true, ofService: opensBreaker(failure) },
    });
}

function start(
  draft: Draft,
  index: number,
  recovery: Recovery,
  { uncounted, ofService }: { readonly uncounted: boolean; readonly ofService: boolean },
): void {
  const { id: subtask, state } = placeAt(draft, index);
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
    case "continue": {
      const free = uncounted || state.attempts.at(-1)?.counted === false;
      emit(draft, { kind: "attempt-queued", subtask, specs: [sameAgain(state, recovery, !free)] });
      return;
    }
    case "sidegrade":
    case "feedback":
    case "repair":
    case "mutate":
    case "fresh":
    case "escalate": {
      const spec = specFor(state, recovery);
      const specs = [uncounted ? { ...spec, iteration: false } : spec];
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
