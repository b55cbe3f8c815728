/**
 * Which recovery comes after a failure. Guard rails bind every policy: fatal kinds go to a person without a retry;
 * infrastructure waits and never uses a rung; continuations and cut-offs are capped. Structure rules bind only
 * `standard` and `adaptive`, where the kind of failure alone makes the next move obvious. Then the policy is asked. It
 * reads one subtask's state and nothing else, so that a run and `createRecovery` choose alike.
 */
import { nextWait } from "../../backoff.ts";
import { defined } from "../../defined.ts";
import { isInfrastructure } from "../../failure.ts";
import type { Failure } from "../../failure.ts";
import { hasTrait } from "../../kinds.ts";
import { sidegradeOf } from "../../plan/model-ladder.ts";
import type { Plan } from "../../plan/plan.ts";
import type { Choice, Policy, PolicySettings } from "../../policy/policy.ts";
import { ruleName } from "../../policy/policy.ts";
import type { Recovery } from "../../recovery.ts";
import type { SubtaskState } from "../state.ts";
import { continuesUsedUp, possible } from "./possible-recoveries.ts";
import type { RecoveryView } from "./possible-recoveries.ts";

const CUT_OFFS_MAX = 3;

/** Infrastructure uses no limit; nor does a cut-off or a full context, as long as it is within its own cap. */
export function isCounted(failure: Failure, subtask: SubtaskState, structure: boolean): boolean {
  if (isInfrastructure(failure)) return false;
  if (failure.kind === "malformed_output") return !structure || !isAskedAgain(subtask);
  if (failure.kind === "lost" || failure.kind === "interrupted")
    return subtask.cutOffs >= CUT_OFFS_MAX;
  return failure.kind !== "context_exhausted" || continuesUsedUp(subtask) !== undefined;
}

/** It says something about the work. */
export const isVerdict = (failure: Failure): boolean =>
  !isInfrastructure(failure) && failure.kind !== "lost" && failure.kind !== "interrupted";

/** An attempt that changed nothing and left the checks red has made no progress, whatever it said. */
export function withoutChange(failure: Failure, treeChanged: boolean): Failure {
  if (failure.kind !== "verification_failed" || treeChanged) return failure;
  return {
    ...failure,
    kind: "no_progress",
    because: ["the tree is as it was before the attempt", ...failure.because],
  };
}

/** A failure with the state of its subtask after it was recorded, scored and looked at for circles. */
interface FailureInContext extends Omit<RecoveryView, "settings" | "notAgain"> {
  readonly treeChanged: boolean;
  readonly counted: boolean;
  /** Why the attempt is a circular fix. */
  readonly circular: string | undefined;
  readonly now: number;
  readonly chance: number;
  /** Asked after the guard rails: another subtask works at the same broken base. */
  readonly heldByBase?: () => Choice | undefined;
}

export function chooseRecovery(
  policy: Policy,
  context: FailureInContext,
): { readonly failure: Failure; readonly choice: Choice } {
  const { settings } = policy;
  const { subtask, counted, circular, heldByBase } = context;
  const isKind = circular !== undefined && settings.circular === "kind";
  const failure = isKind ? asCircular(context.failure, circular) : context.failure;
  const notAgain = circular !== undefined && settings.circular === "ban";
  const view = { ...context, failure, settings, notAgain };
  const ruled =
    guardRail(view) ??
    (settings.structure ? heldByBase?.() : undefined) ??
    (settings.structure && circular === undefined ? structureRule(failure, subtask) : undefined);
  // What is not free (an uncounted failure's next start is) has to respect the limits every recovery has.
  const isFree = ruled?.chosenBy.by === "guard" && !counted;
  if (
    ruled !== undefined &&
    (isFree || ruled.recoveries.every(({ kind }) => isPossible(view, kind)))
  )
    return { failure, choice: ruled };
  const choice = policy.choose({
    failure,
    attempts: subtask.counted,
    stuck: subtask.progress.status === "stuck" || subtask.progress.status === "recovering",
    goodCommit: subtask.goodCommit !== undefined,
    uses: subtask.uses,
    possible: (name, rung) => possible(view, name, rung),
  });
  return { failure, choice };
}

const isPossible = (view: RecoveryView, name: Recovery["kind"]): boolean =>
  possible(view, name, {}).ok;

const asCircular = (failure: Failure, because: string): Failure => ({
  ...failure,
  kind: "circular_fix",
  category: "systematic",
  because: [because, ...failure.because],
});

export interface GuardView extends Pick<
  FailureInContext,
  "failure" | "subtask" | "treeChanged" | "now" | "chance"
> {
  readonly settings: PolicySettings;
  readonly plan: Pick<Plan, "ladder">;
}

export function guardRail(view: GuardView): Choice | undefined {
  const { failure, subtask, treeChanged } = view;
  if (failure.category === "fatal")
    return guard("fatal", { kind: "ask" }, `${failure.kind} needs a person; a retry cannot help`);
  if (failure.kind === "context_exhausted")
    return continuesUsedUp(subtask) === undefined
      ? guard("continue", { kind: "continue" }, "the context is full: hand over to a new session")
      : undefined;
  if (hasTrait(failure.kind, "cut-off")) {
    if (subtask.cutOffs > CUT_OFFS_MAX) return undefined;
    return treeChanged
      ? guard("cut-off", { kind: "continue" }, `${failure.kind} with work done: go on from it`)
      : guard("cut-off", { kind: "retry" }, `${failure.kind} before any change: start again`);
  }
  return isInfrastructure(failure) ? waited(view) : undefined;
}

function waited(view: GuardView): Choice | undefined {
  const { failure, subtask, settings, plan, now, chance } = view;
  const { kind, retryAfterMs, heldMs, resetAt } = failure;
  const streak = subtask.outage?.streak ?? 0;
  const isLong = settings.wait.sidegrade === true && streak >= settings.wait.delaysMs.length;
  const entry = isLong ? sidegradeOf(plan.ladder, subtask.entry, subtask.entriesUsed) : undefined;
  if (entry !== undefined) {
    const because = "the retries did not help: another model";
    return guard("wait-over", { kind: "sidegrade", entry }, because);
  }
  const wait = nextWait(settings.wait, {
    ...{ streak, now, since: subtask.outage?.since ?? now, chance },
    rateLimited: kind === "rate_limited",
    ...defined({ retryAfterMs, heldMs }),
    ...(resetAt === undefined ? {} : { resetAt: Date.parse(resetAt) }),
  });
  if (wait !== undefined)
    return guard(
      "wait",
      { kind: "wait", wait },
      `${kind} is not the agent's fault: wait, uncounted`,
    );
  return settings.wait.then === "ladder"
    ? undefined
    : guard("wait-over", { kind: "ask" }, `${kind} outlasted every wait that is allowed`);
}

export const guard = (id: string, recovery: Recovery, because: string): Choice => ({
  recoveries: [recovery],
  chosenBy: { by: "guard", id },
  because,
  considered: [],
});

const RE_ASK = { by: "structure", id: "re-ask" } as const;

/** At most two immediate re-asks, which cost no attempt; then the answer is malformed for good (E9). */
const RE_ASKS_MAX = 2;

const isAskedAgain = ({ uses }: SubtaskState): boolean =>
  (uses[ruleName(RE_ASK)] ?? 0) < RE_ASKS_MAX;

export function structureRule(failure: Failure, subtask: SubtaskState): Choice | undefined {
  const { goodCommit } = subtask;
  if (failure.kind === "malformed_output" && isAskedAgain(subtask))
    return {
      recoveries: [{ kind: "retry", remind: "format" }],
      chosenBy: RE_ASK,
      because: "the answer could not be read: ask again with a reminder of the format",
      considered: [],
    };
  if (failure.kind === "broken_build" && goodCommit !== undefined)
    return {
      recoveries: [{ kind: "fresh", goodCommit }],
      chosenBy: { by: "structure", id: "broken-build" },
      because: "the build is broken and a good commit is known: start fresh from it",
      considered: [],
    };
  return undefined;
}
