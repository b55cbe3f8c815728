/**
 * Which recoveries are possible now, with their values filled in, or why they are not; policies choose from these.
 * Invariants: `skip` and `ask` are always possible; no limit is exceeded; no mutation, strategy or sidegrade is used
 * twice.
 */
import { unreachable } from "../../assert.ts";
import { defined } from "../../defined.ts";
import type { Failure } from "../../failure.ts";
import type { LearnedCounts } from "../../learning/counts.ts";
import { rankUp, sidegradeOf, tierUp, topEntry } from "../../plan/model-ladder.ts";
import type { ModelEntry, Plan, Subtask } from "../../plan/plan.ts";
import type { PolicySettings } from "../../policy/policy.ts";
import type { Possibility, Rung } from "../../policy/situation.ts";
import { BRANCH_APPROACHES, branchesInOrder } from "../../prompt/branches.ts";
import { MUTATIONS, RECOVERIES } from "../../recovery.ts";
import type { Branch, Mutation, Recovery, RecoveryName } from "../../recovery.ts";
import { continuesWithoutProgress } from "../across-attempts.ts";
import type { SubtaskState } from "../subtask-state.ts";
import type { FailureToRepair, NextRepair } from "../../repair/run-repair.ts";

/** The limit on a subtask's counted attempts, whatever the policy. */
export const COUNTED_MAX = 50;

export interface RecoveryView {
  readonly failure: Failure;
  readonly plan: Plan;
  readonly of: Subtask;
  readonly subtask: SubtaskState;
  readonly settings: PolicySettings;
  /** The next known repair of a failure, after those already tried. */
  readonly nextRepair: (of: FailureToRepair, tried: readonly string[]) => NextRepair;
  /** A circular fix was just seen, so the next recovery must be a different one. */
  readonly notAgain: boolean;
  readonly learned?: LearnedCounts;
}

const CONTINUES_MAX = 5;
const CONTINUES_TOTAL_MAX = 50;

/** Why a full context may not be handed over again; undefined if it may. */
export function continuesUsedUp(subtask: SubtaskState): string | undefined {
  if (continuesWithoutProgress(subtask) >= CONTINUES_MAX)
    return `continued ${CONTINUES_MAX} times without progress`;
  return subtask.continuesTotal >= CONTINUES_TOTAL_MAX
    ? `continued ${CONTINUES_TOTAL_MAX} times`
    : undefined;
}

const no = (why: string): Possibility => ({ ok: false, why });
const yes = (recovery: Recovery, note?: string, outcomes?: string): Possibility => ({
  ...{ ok: true, recovery },
  ...defined({ note, outcomes }),
});

export function possible(view: RecoveryView, name: RecoveryName, rung: Partial<Rung>): Possibility {
  const { subtask, settings, plan } = view;
  const limit = RECOVERIES[name].startsAgent
    ? exhaustedLimit(view, name, rung.loop === true)
    : undefined;
  if (limit !== undefined) return no(limit);
  switch (name) {
    case "skip":
    case "ask":
    case "retry":
      return yes({ kind: name });
    case "feedback":
      return yes({ kind: name, ...otherWords(subtask, rung) });
    case "wait":
      return no("waits are chosen by the guard rails");
    case "repair":
      return repair(view);
    case "mutate":
      return mutate(view, rung);
    case "fresh": {
      const fresh = freshStart(subtask);
      return fresh === undefined
        ? no("no good commit is known")
        : yes({ ...fresh, ...otherWords(subtask, rung) });
    }
    case "sidegrade": {
      const entry = sidegradeOf(plan.ladder, subtask.entry, subtask.entriesUsed);
      return entry === undefined
        ? no("no other model of this tier")
        : yes({ kind: "sidegrade", entry });
    }
    case "escalate":
      return escalate(plan.ladder, subtask, rung);
    case "explore":
      return settings.recovery.branchExploration ? explore(view) : no("branch exploration is off");
    case "continue": {
      const why = continuesUsedUp(subtask);
      return why === undefined ? yes({ kind: "continue" }) : no(why);
    }
    default:
      return unreachable(name);
  }
}

function exhaustedLimit(view: RecoveryView, name: RecoveryName, loop: boolean): string | undefined {
  const { subtask, settings, plan, of } = view;
  if (subtask.banned.includes(name)) return "ruled out by a circular fix";
  if (view.notAgain && subtask.lastRecovery === name)
    return "a circular fix needs another recovery";
  const retriesMax = of.limits?.maxRetries ?? plan.maxSubtaskRetries ?? settings.maxRetries;
  if (retriesMax !== undefined && subtask.counted > retriesMax)
    return `all ${retriesMax} retries are used`;
  if (subtask.counted >= COUNTED_MAX) return `${COUNTED_MAX} attempts were made`;
  const { totalRecoveryBudget } = settings.recovery;
  return !loop && subtask.iterations >= totalRecoveryBudget
    ? `the recovery budget of ${totalRecoveryBudget} iterations is used up`
    : undefined;
}

/** Strategies that wait. After a wait for an outage, the chain continues behind them. */
const WAITS = ["wait_and_retry", "retry_with_backoff"];

/** The strategy named here is the one the agent will receive: both come from the record of the last attempt. */
function repair({ failure, subtask, plan, nextRepair, learned }: RecoveryView): Possibility {
  const { kind, origin } = failure;
  if (origin === "check") return no("what a check finds is for the work to mend");
  const tried = subtask.strategiesTried
    .filter((one) => one.startsWith(`${kind}/`))
    .map((one) => one.slice(kind.length + 1))
    .concat(subtask.outage === undefined ? [] : WAITS);
  const { error = "", call } = subtask.attempts.at(-1) ?? {};
  const { permissions } = plan;
  const next = nextRepair({ kind, error, ...defined({ call, permissions, learned }) }, tried);
  const passed = next.passedOver.map(({ strategy, why }) => `${strategy} ${why}`).join(", ");
  if (next.strategy !== undefined)
    return yes(
      { kind: "repair", strategy: `${kind}/${next.strategy}` },
      passed || undefined,
      next.outcomes,
    );
  if (passed !== "")
    return no(
      `no strategy of the chain ${tried.length > 0 ? "is left" : "can be used"}: ${passed}`,
    );
  return no(
    tried.length > 0 ? "every strategy of the chain was tried" : `no recovery chain for ${kind}`,
  );
}

/**
 * Where a fresh start begins: at the last good commit or, if there is none, at the tree the subtask started from,
 * unless the last attempt ended with exactly that tree.
 */
export function freshStart(
  subtask: SubtaskState,
): Extract<Recovery, { readonly kind: "fresh" }> | undefined {
  const { goodCommit, attempts, noReturn } = subtask;
  if (goodCommit !== undefined) return { kind: "fresh", goodCommit };
  if (noReturn === true) return undefined;
  const first = attempts.find(
    ({ treeBefore, branch }) => treeBefore !== "" && branch === undefined,
  );
  const last = attempts.at(-1);
  return first === undefined || last?.treeAfter === first.treeBefore
    ? undefined
    : { kind: "fresh", startOf: first.attempt };
}

function mutate({ subtask, settings }: RecoveryView, rung: Partial<Rung>): Possibility {
  if (subtask.mutationsTried.length >= settings.recovery.promptMutations)
    return no(`${settings.recovery.promptMutations} mutations were tried`);
  const left = (rung.mutations ?? MUTATIONS).filter(
    (kind) => !subtask.mutationsTried.includes(kind),
  );
  const mutation = left.find((kind) => isNew(kind, subtask)) ?? left[0];
  return mutation === undefined
    ? no("every mutation was tried")
    : yes({ kind: "mutate", mutation });
}

/** No prompt of the subtask has put the task in these words yet. */
const isNew = (wording: Mutation, { attempts, mutationsTried }: SubtaskState): boolean =>
  !mutationsTried.includes(wording) && attempts.every((record) => record.wording !== wording);

function otherWords(
  subtask: SubtaskState,
  { mutations = [] }: Partial<Rung>,
): { readonly wording?: Mutation } {
  return defined({ wording: mutations.find((kind) => isNew(kind, subtask)) });
}

function escalate(
  ladder: readonly ModelEntry[],
  subtask: SubtaskState,
  rung: Partial<Rung>,
): Possibility {
  const move = { rank: rankUp, tier: tierUp, top: topEntry }[rung.to ?? "tier"];
  const entry = move(ladder, subtask.entry);
  if (entry === undefined) return no("already at the top of the model ladder");
  const thinking = rung.thinking ?? false;
  return yes({ kind: "escalate", entry, thinking, budgetFactor: rung.budgetFactor ?? 1 });
}

/** An exploration within the remaining recovery budget; with fewer than two branches it is not possible. */
function explore({ subtask, settings, plan }: RecoveryView): Possibility {
  const { branchCount, branchBudget, totalRecoveryBudget } = settings.recovery;
  const left = totalRecoveryBudget - subtask.iterations;
  const count = Math.min(branchCount, BRANCH_APPROACHES.length, left);
  if (count < 2) return no("the recovery budget is too small for two branches");
  const iterations = Math.min(branchBudget, Math.floor(left / count));
  const explored = new Set(subtask.attempts.flatMap(({ branch = [] }) => branch));
  const worded = subtask.attempts.flatMap(({ wording = [] }) => wording);
  const tried = [...subtask.mutationsTried, ...worded, ...explored];
  // Presets offer the branches in the order of their source; only branches already explored move back.
  const inOrder = branchesInOrder(settings.structure ? tried : [...explored]);
  const branches = inOrder.slice(0, count).map(({ id, approach }): Branch => ({
    id,
    approach,
    entry: entryOfAgent(plan.ladder, plan.branchAgents?.[id], subtask.entry),
    iterations,
    ...(tried.length > 0 ? { tried } : {}),
  }));
  return yes({ kind: "explore", branches });
}

/** The strongest entry of the agent that the plan names for a branch; the subtask's own entry if there is none. */
function entryOfAgent(
  ladder: readonly ModelEntry[],
  agent: string | undefined,
  own: ModelEntry,
): ModelEntry {
  const entries = ladder.filter((entry) => entry.agent === agent && entry.disabled !== true);
  return entries.findLast((entry) => entry.tier >= own.tier) ?? own;
}
