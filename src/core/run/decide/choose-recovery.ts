/**
 * Which recovery comes after a failure: guard rails first, then structure rules, then the policy. It reads one
 * subtask's state and nothing else, so that a run and an agent loop of somebody's own (`createRecovery`) choose alike.
 */
import { isInfrastructure } from "../../failure.ts";
import type { Failure } from "../../failure.ts";
import type { Choice, Policy } from "../../policy/policy.ts";
import type { Plan, Subtask } from "../../plan/plan.ts";
import type { Recovery } from "../../recovery.ts";
import {
  CUT_OFFS_MAX,
  continuesUsedUp,
  guardRail,
  isAskedAgain,
  structureRule,
} from "./rules-before-policy.ts";
import { possible } from "./possible-recoveries.ts";
import type { OptionsView } from "./possible-recoveries.ts";
import type { SubtaskState } from "../state.ts";

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

export interface FailedAttempt {
  readonly failure: Failure;
  /** After the failure was recorded, scored and looked at for circles. */
  readonly subtask: SubtaskState;
  readonly plan: Plan;
  readonly of: Subtask;
  readonly treeChanged: boolean;
  readonly counted: boolean;
  /** Why the attempt is a circular fix. */
  readonly circular: string | undefined;
  readonly now: number;
  readonly chance: number;
  readonly repairsOf: OptionsView["repairsOf"];
  /** Asked after the guard rails: another subtask works at the same broken base. */
  readonly heldByBase?: () => Choice | undefined;
}

export function chooseRecovery(
  policy: Policy,
  { failure: seen, subtask, plan, of, treeChanged, counted, circular, ...rest }: FailedAttempt,
): { readonly failure: Failure; readonly choice: Choice } {
  const { settings } = policy;
  const failure =
    circular !== undefined && settings.circular === "kind" ? asCircular(seen, circular) : seen;
  const { now, chance, repairsOf, heldByBase } = rest;
  const view = {
    ...{ failure, subtask, settings, plan, ladder: plan.ladder, of, treeChanged, now, chance },
    repairsOf,
    notAgain: circular !== undefined && settings.circular === "ban",
  };
  const ruled =
    guardRail(view) ??
    (settings.structure ? heldByBase?.() : undefined) ??
    (settings.structure && circular === undefined ? structureRule(failure, subtask) : undefined);
  if (ruled !== undefined && withinLimits(ruled, counted, (name) => possible(view, name, {}).ok))
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

/** What is not free (an uncounted failure's next start is) has to respect the limits every recovery has. */
function withinLimits(
  choice: Choice,
  counted: boolean,
  isPossible: (name: Recovery["kind"]) => boolean,
): boolean {
  const free = choice.chosenBy.by === "guard" && !counted;
  return free || choice.recoveries.every(({ kind }) => isPossible(kind));
}

const asCircular = (failure: Failure, because: string): Failure => ({
  ...failure,
  kind: "circular_fix",
  category: "systematic",
  because: [because, ...failure.because],
});
