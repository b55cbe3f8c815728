/**
 * Chooses the recovery after a failure: guard rails first, then structure rules (only for `standard` and `adaptive`,
 * where the kind of failure alone makes the next move obvious), then the policy. It reads the state of one subtask
 * only, so a run and `createRecovery` choose alike.
 */
import { defined } from "../../defined.ts";
import { isInfrastructure, type Failure } from "../../failure.ts";
import { hasTrait } from "../../kinds.ts";
import type { Choice, Policy, PolicySettings } from "../../policy/policy.ts";
import { ruleName, type BudgetLeft } from "../../policy/situation.ts";
import { pastAttempts } from "../past-attempts.ts";
import type { SubtaskState } from "../subtask-state.ts";
import { continuesUsedUp, possible, freshStart } from "./possible-recoveries.ts";
import { askAboutRefusal } from "./refused-calls.ts";
import { choiceForAgentQuestion } from "./agent-words.ts";
import { repairOrAsk } from "./machine-incident.ts";
import { guardRail, CUT_OFFS_MAX, type FailureInContext } from "./guard-rails.ts";
import { MEASURES } from "../../budget.ts";

/**
 * Whether the failure counts towards limits. Infrastructure failures do not, nor do a cut-off or a full context within
 * their own caps.
 */
export function isCounted(
  failure: Failure,
  subtask: SubtaskState,
  settings: Pick<PolicySettings, "structure" | "reAsk">,
): boolean {
  if (isInfrastructure(failure) || hasTrait(failure.kind, "whole-machine")) return false;
  if (failure.kind === "malformed_output") return !asksAgain(settings) || !isAskedAgain(subtask);
  if (failure.kind === "lost" || failure.kind === "interrupted")
    return subtask.cutOffs >= CUT_OFFS_MAX;
  return failure.kind !== "context_exhausted" || continuesUsedUp(subtask) !== undefined;
}

const asksAgain = ({ structure, reAsk }: Pick<PolicySettings, "structure" | "reAsk">): boolean =>
  structure || reAsk === true;

/** Whether the failure says something about the work. */
export const isVerdict = (failure: Failure): boolean =>
  !isInfrastructure(failure) && failure.kind !== "lost" && failure.kind !== "interrupted";

/** An attempt that changed nothing and left the checks failing has made no progress, whatever its output says. */
export function withoutChange(failure: Failure, treeChanged: boolean): Failure {
  if (failure.kind !== "verification_failed" || treeChanged) return failure;
  return {
    ...failure,
    kind: "no_progress",
    because: ["the tree is as it was before the attempt", ...failure.because],
  };
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
  const bound = failure.kind === "malformed_output" ? asksAgain(settings) : settings.structure;
  const ruled =
    guardRail(view) ??
    askAboutRefusal(context.refused ?? []) ??
    choiceForAgentQuestion(view) ??
    (settings.structure ? heldByBase?.() : undefined) ??
    (bound && circular === undefined ? structureRule(failure, subtask) : undefined);
  // Unless it is free (as the next start after an uncounted failure is), the choice has to respect the limits of every
  // recovery.
  const isFree = ruled?.chosenBy.by === "guard" && !counted;
  if (
    ruled !== undefined &&
    (isFree || ruled.recoveries.every(({ kind }) => possible(view, kind, {}).ok))
  )
    return { failure, choice: repairOrAsk(view, ruled) };
  const choice = policy.choose({
    failure,
    attempts:
      subtask.counted + (settings.countEarlier === true ? (context.of.earlierAttempts ?? 0) : 0),
    stuck: subtask.progress.status === "stuck" || subtask.progress.status === "recovering",
    goodCommit: subtask.goodCommit !== undefined,
    uses: subtask.uses,
    possible: (name, rung) => possible(view, name, rung),
    // A getter, because not every policy reads it.
    get past() {
      return pastAttempts(subtask, settings, context.baseFailing);
    },
    left: budgetLeft(subtask, settings),
    ...defined({ learned: context.learned, minuteOfDay: context.minuteOfDay }),
    ...defined({ exploratory: context.of.exploratory }),
  });
  return { failure, choice: repairOrAsk(view, choice) };
}

const asCircular = (failure: Failure, because: string): Failure => ({
  ...failure,
  kind: "circular_fix",
  category: "systematic",
  because: [because, ...failure.because],
});

const RE_ASK = { by: "structure", id: "re-ask" } as const;

/** At most two immediate re-asks, which use up no attempt; after that the answer counts as malformed. */
const RE_ASKS_MAX = 2;

const isAskedAgain = ({ uses }: SubtaskState): boolean =>
  (uses[ruleName(RE_ASK)] ?? 0) < RE_ASKS_MAX;

export function structureRule(failure: Failure, subtask: SubtaskState): Choice | undefined {
  if (failure.kind === "malformed_output" && isAskedAgain(subtask))
    return {
      recoveries: [{ kind: "retry", remind: "format" }],
      chosenBy: RE_ASK,
      because: "the answer could not be read: ask again with a reminder of the format",
      considered: [],
    };
  const fresh = failure.kind === "broken_build" ? freshStart(subtask) : undefined;
  if (fresh === undefined) return undefined;
  return {
    recoveries: [fresh],
    chosenBy: { by: "structure", id: "broken-build" },
    because:
      subtask.goodCommit === undefined
        ? "the build is broken, which it was not at the start: start fresh from there"
        : "the build is broken and a good commit is known: start fresh from it",
    considered: [],
  };
}

/** What is left for the subtask's recovery, as policies see it. */
export function budgetLeft(
  { ledger, limit, iterations }: Pick<SubtaskState, "ledger" | "limit" | "iterations">,
  { recovery }: Pick<PolicySettings, "recovery">,
): BudgetLeft {
  const starts = recovery.totalRecoveryBudget - iterations;
  const shares = MEASURES.flatMap((measure) => {
    const most = limit[measure];
    const spent = ledger.spent[measure] ?? 0;
    const isTold = (ledger.untold[measure] ?? 0) === 0;
    return most === undefined || spent <= 0 || !isTold ? [] : [Math.max(0, most - spent) / spent];
  });
  return shares.length === 0 ? { starts } : { starts, perSpent: Math.min(...shares) };
}
