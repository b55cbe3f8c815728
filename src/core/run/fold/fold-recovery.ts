/**
 * The part of `fold` that remembers recoveries: what was chosen, waits, bans, exploration. Same invariants as
 * `fold`.
 */
import { ruleName } from "../../policy/policy.ts";
import { assert, unreachable } from "../../assert.ts";
import { countRecovery } from "../../history/recovery-metrics.ts";
import { NOT_STUCK, startRecovery } from "../../progress/stuck-state.ts";
import { levelOf, RECOVERIES } from "../../recovery.ts";
import type { Recovery, RecoveryLevel, RecoveryName } from "../../recovery.ts";
import type { DecisionOf } from "../decision.ts";
import { planSubtask, recordedIndex, subtaskAt, withSubtask } from "../state.ts";
import type { RunState, SubtaskState } from "../state.ts";

type RecoveryEvent = DecisionOf<
  | "circular-fix-seen"
  | "recovery-chosen"
  | "wait-scheduled"
  | "wait-shortened"
  | "exploration-started"
  | "branch-moved"
  | "exploration-ended"
>;

export function foldRecovery(state: RunState, event: RecoveryEvent): RunState {
  const index = recordedIndex(state, event.subtask);
  const subtask = subtaskAt(state, index);
  switch (event.kind) {
    case "circular-fix-seen":
      return event.ban ? withSubtask(state, index, { banned: BANNED_BY_CIRCLE }) : state;
    case "recovery-chosen":
      return chosen(state, index, subtask, event);
    case "wait-scheduled":
      return withSubtask(state, index, {
        phase: "waiting",
        timer: {
          ...{ id: event.timer, dueAt: event.dueAt, spec: event.spec },
          ofService: event.ofService === true,
        },
        timers: event.timer,
        outage: longerOutage(subtask, event.since),
      });
    case "wait-shortened": {
      const { timer: id, dueAt } = event;
      assert(subtask.timer !== undefined, "only what waits can wait less");
      return withSubtask(state, index, { timer: { ...subtask.timer, id, dueAt }, timers: id });
    }
    case "exploration-started":
      return withSubtask(state, index, {
        branches: event.branches.map(({ id, approach, iterations }) => ({
          id,
          approach,
          iterationsLeft: iterations,
          bestScore: 0,
          bestAttempt: undefined,
          ended: false,
        })),
      });
    case "branch-moved":
      return withSubtask(state, index, {
        branches: subtask.branches.map((branch) =>
          branch.id === event.branch
            ? {
                ...branch,
                iterationsLeft: branch.iterationsLeft - 1,
                ...(event.score > branch.bestScore || branch.bestAttempt === undefined
                  ? { bestScore: event.score, bestAttempt: event.attempt }
                  : {}),
                ended: event.ended,
              }
            : branch,
        ),
      });
    case "exploration-ended": {
      const { winner } = event;
      const over = withSubtask(state, index, { branches: [], next: [] });
      if (winner === undefined || winner.verified) return over;
      const anew = { uses: {}, mutationsTried: [], progress: NOT_STUCK };
      return withSubtask(over, index, { ...anew, rung: undefined });
    }
    default:
      return unreachable(event);
  }
}

/** What a circular fix rules out. */
export const BANNED_BY_CIRCLE: readonly RecoveryName[] = ["retry", "feedback"];

export const longerOutage = (
  { outage }: SubtaskState,
  since: number,
): NonNullable<SubtaskState["outage"]> => ({ streak: (outage?.streak ?? 0) + 1, since });

function chosen(
  state: RunState,
  index: number,
  subtask: SubtaskState,
  event: DecisionOf<"recovery-chosen">,
): RunState {
  const next = withSubtask(state, index, afterChoice(subtask, event));
  if (!isActing(event) || subtask.rung !== undefined) return next;
  if (planSubtask(state, index).readOnly === true) return next;
  return {
    ...next,
    metrics: countRecovery(next.metrics, { kind: "triggered" }),
  };
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
    case "repair":
      return { strategiesTried: [...subtask.strategiesTried, recovery.strategy] };
    case "continue":
      return { continues: subtask.continues + 1, continuesTotal: subtask.continuesTotal + 1 };
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

const ORDER: readonly (RecoveryLevel | null)[] = [
  null,
  "same",
  "alternative",
  "clarify",
  "escalate",
];

/** How far recovery has had to go so far. */
const higher = (a: RecoveryLevel | null, b: RecoveryLevel): RecoveryLevel | null =>
  ORDER.indexOf(b) > ORDER.indexOf(a) ? b : a;
