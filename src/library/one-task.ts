/**
 * One task as the core sees it: the single subtask of a run, without the run. Each function takes the subtask's state
 * and returns the next one, in the order in which a run records the same facts. JSON holds only the differences from a
 * new task; anything `toJSON` could not have written is rejected with a reason, never partly restored. Pure.
 */
import { defined, isRecord } from "../core/defined.ts";
import { settle } from "../core/budget.ts";
import { isInfrastructure, type Failure } from "../core/failure.ts";
import type { ModelEntry, Plan, Subtask } from "../core/plan/plan.ts";
import type { Choice, Policy } from "../core/policy/policy.ts";
import { outputNovelty } from "../core/progress/output-novelty.ts";
import { circularFixOf, scoreOf } from "../core/run/across-attempts.ts";
import {
  chooseRecovery,
  isCounted,
  isVerdict,
  withoutChange,
} from "../core/run/decide/choose-recovery.ts";
import { afterFailure, afterScore, recordOf, withRecord } from "../core/run/fold/attempt-record.ts";
import { afterChoice, BANNED_BY_CIRCLE, longerOutage } from "../core/run/fold/fold-recovery.ts";
import type { RecoveryView } from "../core/run/decide/possible-recoveries.ts";
import { specOf } from "../core/run/decide/next-attempt.ts";
import { firstSpec, sameAgain } from "../core/run/decide/attempt-spec.ts";
import type { SubtaskState } from "../core/run/subtask-state.ts";
import type { FailedCall } from "../core/repair/failed-call.ts";
import type { FailedAttempt } from "./task-recovery.ts";
import type { RecoveryLimits, RecoveryMemory } from "./recovery-options.ts";

interface Task {
  readonly plan: Plan;
  readonly subtask: Subtask;
  readonly policy: Policy;
  readonly nextRepair: RecoveryView["nextRepair"];
}

/** What prompts call an agent whose model is unknown. */
const AGENT = "the agent";
const OUTPUT_KEPT = 4000;

export function taskOf(
  policy: Policy,
  models: readonly string[],
  { attempts, usd, tokens }: RecoveryLimits,
  nextRepair: Task["nextRepair"] = () => ({ passedOver: [] }),
): Task {
  const entries: readonly ModelEntry[] = models.map((model, index) => ({
    ...{ agent: AGENT, model, tier: index + 1 },
  }));
  const subtask: Subtask = {
    ...{ id: "task", prompt: "", dependsOn: [], checks: 0 },
    limits: {
      ...(attempts === undefined ? {} : { maxRetries: attempts - 1 }),
      budget: defined({ usd, tokens }),
    },
  };
  const plan: Plan = {
    ...{ goal: "", subtasks: [subtask], concurrency: 1, budget: {}, attemptCap: {} },
    ladder: entries.length > 0 ? entries : [{ agent: AGENT, tier: 1 }],
  };
  return { plan, subtask, policy, nextRepair };
}

/** The current attempt has ended: records it, and what it used. */
export function attemptEnded(
  own: SubtaskState,
  at: number,
  { approach = "", output, tree, goodCommit, used = {} }: FailedAttempt,
): SubtaskState {
  const spec = own.next[0] ?? firstSpec(own);
  const attempt = own.attempt + 1;
  const before = own.attempts.at(-1)?.treeAfter ?? "before";
  const remains = {
    ...{ approach, used, treeBefore: before, treeAfter: tree ?? `unknown ${attempt}` },
    signals: {
      outputNovelty: output === undefined ? 0 : outputNovelty(own.lastOutput, output),
      ...{ change: 0, markers: 0, checklist: 0 },
    },
  };
  return {
    ...own,
    ...{ attempt, lastSpec: spec, next: [] },
    iterations: own.iterations + (spec.iteration ? 1 : 0),
    goodCommit: goodCommit ?? own.goodCommit,
    attempts: withRecord(own, recordOf({ attempt, at, remains }, spec)),
    ledger: settle(own.ledger, {}, used),
    lastOutput: output?.slice(-OUTPUT_KEPT) ?? own.lastOutput,
  };
}

interface Observed {
  readonly failure: Failure;
  /** Its text, for later prompts. */
  readonly error: string;
  readonly call?: FailedCall;
  readonly failing: readonly string[];
  readonly at: number;
  readonly chance: number;
}

/** Records and scores the failure, and looks for circular fixes; then guard rails, structure and policy choose. */
export function chooseAfter(before: SubtaskState, task: Task, observed: Observed) {
  const { policy, plan, subtask: of, nextRepair } = task;
  const { structure, progress, circular: onCircle } = policy.settings;
  const { attempt, attempts } = before;
  const last = attempts.at(-1);
  const treeChanged = last?.treeBefore !== last?.treeAfter;
  const seen = structure ? withoutChange(observed.failure, treeChanged) : observed.failure;
  const counted = isCounted(seen, before, policy.settings);
  const verdict = isVerdict(seen);
  const { error, call, failing, at: now, chance } = observed;
  let own = {
    ...before,
    ...afterFailure(before, {
      ...{ attempt, failure: seen, counted, verdict, error, failing },
      ...defined({ call }),
    }),
  };
  const scored = counted || verdict ? scoreOf(own, attempt, progress) : undefined;
  if (scored !== undefined) own = { ...own, ...afterScore(own, { attempt, ...scored }) };
  const circular = counted ? circularFixOf(own) : undefined;
  if (circular !== undefined && onCircle === "ban") own = { ...own, banned: BANNED_BY_CIRCLE };
  const { failure, choice } = chooseRecovery(policy, {
    ...{ failure: seen, subtask: own, plan, of, treeChanged, counted, circular, now, chance },
    nextRepair,
  });
  const { recoveries, chosenBy, loop } = choice;
  const usesRung = chosenBy.by !== "guard" && loop !== true;
  own = { ...own, ...afterChoice(own, { recoveries, chosenBy, usesRung }) };
  return { own: withNext(own, seen, choice, now), failure, choice };
}

/** Prepares the next attempt for the choice; asking and giving up have none. */
function withNext(own: SubtaskState, failure: Failure, choice: Choice, now: number): SubtaskState {
  const { recoveries, loop } = choice;
  const [first] = recoveries;
  const ends = recoveries.some(({ kind }) => kind === "ask" || kind === "skip");
  if (first === undefined || ends) return own;
  if (first.kind !== "wait")
    return { ...own, next: [specOf(own, first, isInfrastructure(failure) || loop === true)] };
  const outage = longerOutage(own, own.outage?.since ?? now);
  return { ...own, outage, next: [sameAgain(own, first, false)] };
}

export const MEMORY_VERSION = 1;

/** The fields in which the task's state differs from a new one. */
export function changesIn(own: SubtaskState, fresh: SubtaskState): RecoveryMemory["state"] {
  const entries = Object.entries(own).filter(
    ([field, value]) =>
      JSON.stringify(value) !== JSON.stringify(fresh[field as keyof SubtaskState]),
  );
  return JSON.parse(JSON.stringify(Object.fromEntries(entries))) as RecoveryMemory["state"];
}

export function restoredState(memory: RecoveryMemory, fresh: SubtaskState): SubtaskState {
  const refuse = (why: string): never => {
    throw new TypeError(`memory is not what toJSON() gave: ${why}`);
  };
  const given: unknown = memory;
  if (!isRecord(given) || given["version"] !== MEMORY_VERSION)
    return refuse(`expected version ${MEMORY_VERSION}`);
  const { task, prompt, state } = given;
  if (typeof task !== "string" || typeof prompt !== "string") return refuse("no task or prompt");
  if (!isRecord(state)) return refuse("no state");
  for (const [field, value] of Object.entries(state)) {
    if (!(field in fresh)) return refuse(`unknown field ${field}`);
    const expected = fresh[field as keyof SubtaskState];
    if (expected === undefined || expected === null) continue;
    if (typeof value !== typeof expected || Array.isArray(value) !== Array.isArray(expected))
      return refuse(`${field} is of another type`);
  }
  return { ...fresh, ...state };
}
