/** The part of `fold` that tracks recoveries: choices, waits, bans, exploration. */
import { ruleName } from "../../policy/situation.ts";
import { assert } from "../../assert.ts";
import { defined } from "../../defined.ts";
import { countRecovery } from "../../history/recovery-metrics.ts";
import { NOT_STUCK, startRecovery } from "../../progress/stuck-state.ts";
import { levelOf, RECOVERIES } from "../../recovery.ts";
import type { Recovery, RecoveryLevel, RecoveryName } from "../../recovery.ts";
import type { DecisionOf } from "../decision.ts";
import { continuesWithoutProgress } from "../across-attempts.ts";
import { planSubtask, recordedIndex, subtaskAt, type RunState } from "../state.ts";
import type { SubtaskState } from "../subtask-state.ts";
import { inSubtask, someFolds } from "./facts.ts";

export const RECOVERY_FOLDS = someFolds({
  "circular-fix-seen": inSubtask((_, { ban }) => (ban ? { banned: BANNED_BY_CIRCLE } : {})),
  "recovery-chosen": chosen,
  "wait-scheduled": inSubtask((subtask, { timer: id, dueAt, spec, ofService = false, since }) => ({
    phase: "waiting",
    timer: { id, dueAt, spec, ofService },
    timers: id,
    outage: longerOutage(subtask, since),
  })),
  "wait-shortened": inSubtask(({ timer }, { timer: id, dueAt }) => {
    assert(timer !== undefined, "only what waits can wait less");
    return { timer: { ...timer, id, dueAt }, timers: id };
  }),
  "exploration-started": inSubtask((_, { branches }) => ({
    branches: branches.map(({ id, approach, iterations: iterationsLeft, tried }) => ({
      ...{ id, approach, iterationsLeft, bestScore: 0, bestAttempt: undefined, ended: false },
      ...defined({ tried }),
    })),
  })),
  "branch-moved": inSubtask(({ branches }, { branch: id, attempt, score, ended }) => ({
    branches: branches.map((branch) => {
      if (branch.id !== id) return branch;
      const isBest = score > branch.bestScore || branch.bestAttempt === undefined;
      return {
        ...branch,
        ...(isBest ? { bestScore: score, bestAttempt: attempt } : {}),
        iterationsLeft: branch.iterationsLeft - 1,
        ended,
      };
    }),
  })),
  "exploration-ended": inSubtask((_, { winner }) => ({
    ...{ branches: [], next: [] },
    ...(winner === undefined || winner.verified
      ? {}
      : { uses: {}, mutationsTried: [], progress: NOT_STUCK, rung: undefined }),
  })),
});

/** The recoveries ruled out by a circular fix. */
export const BANNED_BY_CIRCLE: readonly RecoveryName[] = ["retry", "feedback"];

export const longerOutage = (
  { outage }: SubtaskState,
  since: number,
): NonNullable<SubtaskState["outage"]> => ({ streak: (outage?.streak ?? 0) + 1, since });

function chosen(state: RunState, event: DecisionOf<"recovery-chosen">): RunState {
  const index = recordedIndex(state, event.subtask);
  const next = inSubtask<DecisionOf<"recovery-chosen">>(afterChoice)(state, event);
  const goesOn = subtaskAt(state, index).rung !== undefined;
  if (!isActing(event) || goesOn || planSubtask(state, index).readOnly === true) return next;
  return { ...next, metrics: countRecovery(next.metrics, { kind: "triggered" }) };
}

type Chosen = Pick<DecisionOf<"recovery-chosen">, "recoveries" | "chosenBy" | "usesRung">;

const isActing = ({ recoveries: [first], usesRung }: Chosen): boolean =>
  usesRung && first !== undefined && RECOVERIES[first.kind].startsAgent;

export function afterChoice(subtask: SubtaskState, event: Chosen): Partial<SubtaskState> {
  const [first] = event.recoveries;
  assert(first !== undefined, "a choice has at least one recovery");
  const { usesRung } = event;
  const rule = ruleName(event.chosenBy);
  const acting = isActing(event);
  return {
    uses: usesRung ? { ...subtask.uses, [rule]: (subtask.uses[rule] ?? 0) + 1 } : subtask.uses,
    lastRecovery: first.kind,
    level: higher(subtask.level, levelOf(first.kind)),
    rung: acting ? rule : subtask.rung,
    lastRung: acting ? rule : subtask.lastRung,
    progress:
      acting && subtask.progress.status === "stuck"
        ? startRecovery(subtask.progress)
        : subtask.progress,
    ...memoryOf(subtask, first),
  };
}

function memoryOf(subtask: SubtaskState, recovery: Recovery): Partial<SubtaskState> {
  switch (recovery.kind) {
    case "mutate":
      return { mutationsTried: [...subtask.mutationsTried, recovery.mutation] };
    case "retry":
      return recovery.remind === "decide" ? { toldToDecide: true } : {};
    case "repair":
      return { strategiesTried: [...subtask.strategiesTried, recovery.strategy] };
    case "continue":
      return {
        continues: continuesWithoutProgress(subtask) + 1,
        continuesTotal: subtask.continuesTotal + 1,
      };
    case "sidegrade":
    case "escalate":
      return {
        entry: recovery.entry,
        entriesUsed: [...subtask.entriesUsed, recovery.entry],
        outage: undefined,
        ...(recovery.kind === "escalate"
          ? { thinking: recovery.thinking, budgetFactor: recovery.budgetFactor }
          : {}),
      };
    default:
      return {};
  }
}

const ORDER = [null, "same", "alternative", "clarify", "escalate"];

/** The higher of two recovery levels. */
const higher = (a: RecoveryLevel | null, b: RecoveryLevel): RecoveryLevel | null =>
  ORDER.indexOf(b) > ORDER.indexOf(a) ? b : a;
