/**
 * The part of `fold` that follows one attempt: queued, dispatched, ended, checked, merged, judged. Same invariants
 * as `fold`.
 */
import { hasTrait } from "../../kinds.ts";
import { assert, unreachable } from "../../assert.ts";
import { reserve, settle } from "../../budget.ts";
import type { Ledger } from "../../budget.ts";
import { countRecovery } from "../../history/recovery-metrics.ts";
import { isCutOffByPause } from "../attempt.ts";
import type { AttemptRecord, AttemptSpec, RunningAttempt } from "../attempt.ts";
import { withSuspect } from "./base-suspects.ts";
import type { DecisionOf } from "../decision.ts";
import type { InputOf } from "../input.ts";
import { dequeue, enqueue } from "../queue.ts";
import type { Queue } from "../queue.ts";
import { OWN_TREE, recordedIndex, subtaskAt, withSubtask } from "../state.ts";
import type { RunState, Stage, SubtaskState } from "../state.ts";

/** Attempts a subtask's state remembers; the journal keeps all. */
const RECORDS_KEPT = 40;

type AttemptEvent =
  | InputOf<"attempt-started" | "attempt-ended" | "checks-ended" | "merge-ended">
  | DecisionOf<
      | "failure-classified"
      | "progress-scored"
      | "attempt-queued"
      | "attempt-dispatched"
      | "checks-dispatched"
      | "merge-queued"
      | "merge-dispatched"
      | "nudge-sent"
      | "attempt-interrupted"
      | "attempt-cut-off"
    >;

export function foldAttempt(state: RunState, event: AttemptEvent): RunState {
  const index = recordedIndex(state, event.subtask);
  const subtask = subtaskAt(state, index);
  switch (event.kind) {
    case "attempt-queued": {
      const busy = subtask.running.length + subtask.stages.length > 0;
      const next = withSubtask(state, index, {
        phase: busy ? "running" : "pending",
        next: [...subtask.next, ...event.specs],
      });
      return { ...next, urgent: enqueue(next.urgent, index) };
    }
    case "attempt-dispatched":
      return dispatched(state, index, subtask, event);
    case "attempt-started": {
      const { slot, identity } = event;
      const spec = subtask.running.find(({ attempt }) => attempt === event.attempt)?.spec;
      return withSubtask(state, index, {
        running: marked(subtask, event.attempt, { slot, identity }),
        slots: { ...subtask.slots, [spec?.prompt.branch?.id ?? OWN_TREE]: slot },
      });
    }
    case "attempt-ended":
      return ended(state, index, subtask, event);
    case "checks-dispatched": {
      const { attempt, round, failure, how, flaky } = event;
      const stage: Stage = {
        ...{ kind: "checks", attempt, round },
        ...(failure && { failure }),
        ...(how && { how }),
        ...(flaky && { flaky }),
      };
      const next = withSubtask(state, index, {
        phase: "running",
        attempt: Math.max(subtask.attempt, attempt),
        stages: [...subtask.stages, stage],
      });
      return { ...next, checking: next.checking + 1 };
    }
    case "checks-ended": {
      const next = withSubtask(state, index, { stages: without(subtask.stages, event.attempt) });
      return { ...next, checking: next.checking - 1 };
    }
    case "merge-queued": {
      const { attempt, notes = [], round = 1 } = event;
      const stage: Stage = { kind: "merge", attempt, dispatched: false, notes, round };
      const next = withSubtask(state, index, {
        phase: "running",
        stages: [...subtask.stages, stage],
      });
      const toMerge = next.toMerge + 1;
      return { ...next, toMerge, mergeQueue: enqueue(next.mergeQueue, index) };
    }
    case "merge-dispatched": {
      const stages = subtask.stages.map((stage) =>
        stage.kind === "merge" ? { ...stage, dispatched: true } : stage,
      );
      const next = withSubtask(state, index, { stages });
      return { ...next, merging: index, mergeQueue: pastItem(next.mergeQueue, index) };
    }
    case "merge-ended": {
      const next = withSubtask(state, index, { stages: without(subtask.stages, event.attempt) });
      return { ...next, merging: undefined, toMerge: next.toMerge - 1 };
    }
    case "nudge-sent":
      return withSubtask(state, index, {
        running: marked(subtask, event.attempt, { nudged: true }),
      });
    case "attempt-interrupted":
      return withSubtask(state, index, {
        running: marked(subtask, event.attempt, {
          ...{ interrupted: true, paused: event.pause === true },
        }),
      });
    case "attempt-cut-off": {
      const attempts = subtask.attempts.filter(({ attempt }) => attempt !== event.attempt);
      const busy = subtask.running.length + subtask.stages.length > 0;
      const next = withSubtask(state, index, {
        phase: busy ? "running" : "pending",
        ...{ attempts, next: [event.spec, ...subtask.next] },
      });
      return { ...next, urgent: enqueue(next.urgent, index) };
    }
    case "failure-classified": {
      const next = withSubtask(state, index, afterFailure(subtask, event));
      return withSuspect(next, event.subtask, subtaskAt(next, index));
    }
    case "progress-scored":
      return withSubtask(state, index, afterScore(subtask, event));
    default:
      return unreachable(event);
  }
}

function dispatched(
  state: RunState,
  index: number,
  subtask: SubtaskState,
  event: DecisionOf<"attempt-dispatched">,
): RunState {
  const { attempt, spec, cap, at, from } = event;
  const running: RunningAttempt = {
    attempt,
    spec,
    cap,
    startedAt: at,
    slot: undefined,
    identity: undefined,
    nudged: false,
    interrupted: false,
    paused: false,
  };
  const isNew = spec.iteration && spec.resumes !== true;
  const queued = subtask.next.slice(1);
  const changed = withSubtask(state, index, {
    phase: "running",
    attempt,
    lastSpec: spec,
    running: [...subtask.running, running],
    next: queued,
    iterations: subtask.iterations + (isNew ? 1 : 0),
    ledger: reserve(subtask.ledger, cap),
    startedAt: subtask.startedAt ?? at,
    goodCommit: subtask.attempt === 0 ? state.goodCommit : subtask.goodCommit,
  });
  const queue = pastItem(state[from], index);
  const { metrics } = state;
  return {
    ...changed,
    [from]: queued.length > 0 ? enqueue(queue, index) : queue,
    agents: state.agents + 1,
    ledger: reserve(state.ledger, cap),
    recovery: spec.iteration ? ofRecovery(state, (ledger) => reserve(ledger, cap)) : state.recovery,
    metrics: isNew ? countRecovery(metrics, { kind: "iteration" }) : metrics,
  };
}

function ended(
  state: RunState,
  index: number,
  subtask: SubtaskState,
  input: InputOf<"attempt-ended">,
): RunState {
  const running = subtask.running.find(({ attempt }) => attempt === input.attempt);
  assert(running !== undefined, "a recorded end belongs to a running attempt");
  const { spec, cap } = running;
  const { remains } = input;
  const used = isCutOffByPause(running, input.observed?.kind)
    ? { ...remains.used, attempts: 0 }
    : remains.used;
  const tree = spec.prompt.branch?.id ?? OWN_TREE;
  const session = remains.session && {
    [tree]: { agent: spec.entry.agent, id: remains.session },
  };
  const next = withSubtask(state, index, {
    running: subtask.running.filter((other) => other !== running),
    sessions: remains.sessionLost === true ? {} : { ...subtask.sessions, ...(session || {}) },
    attempts: withRecord(subtask, recordOf(input, spec)),
    ledger: settle(subtask.ledger, cap, used),
    answer: input.answer?.text ?? subtask.answer,
    lastOutput: remains.output ?? subtask.lastOutput,
  });
  return {
    ...next,
    agents: state.agents - 1,
    ledger: settle(state.ledger, cap, used),
    estimated: state.estimated || remains.estimated === true,
    recovery: spec.iteration
      ? ofRecovery(state, (ledger) => settle(ledger, cap, used))
      : state.recovery,
  };
}

export const withRecord = (
  { attempts }: SubtaskState,
  record: AttemptRecord,
): readonly AttemptRecord[] => [...attempts, record].slice(-RECORDS_KEPT);

export const recordOf = (
  { attempt, at, remains }: Pick<InputOf<"attempt-ended">, "attempt" | "at" | "remains">,
  spec: AttemptSpec,
): AttemptRecord => ({
  attempt,
  at,
  entry: spec.entry,
  ...(spec.recovery && { recovery: spec.recovery }),
  ...(spec.prompt.branch && { branch: spec.prompt.branch.id }),
  counted: true,
  approach: remains.approach,
  success: true,
  failing: [],
  treeBefore: remains.treeBefore,
  treeAfter: remains.treeAfter,
  ...(remains.files && { files: remains.files }),
  signals: remains.signals,
});

const ofRecovery = (
  { recovery }: RunState,
  change: (ledger: Ledger) => Ledger,
): RunState["recovery"] => ({ ...recovery, ledger: change(recovery.ledger) });

/** A verdict on the work ends the life of a person's words (D4) and of an outage. */
export function afterFailure(
  subtask: SubtaskState,
  event: Omit<DecisionOf<"failure-classified">, "kind" | "subtask">,
): Partial<SubtaskState> {
  const { failure, counted, verdict, error, failing } = event;
  const attempts = amended(subtask.attempts, event.attempt, {
    success: false,
    counted,
    kind: failure.kind,
    signature: failure.signature,
    error,
    failing,
    ...(event.unmerged === true ? { unmerged: true } : {}),
    ...(event.onBase === true ? { onBase: true } : {}),
    ...(event.fixed === undefined ? {} : { fixed: event.fixed }),
  });
  return {
    attempts,
    errors: subtask.errors + 1,
    counted: subtask.counted + (counted ? 1 : 0),
    cutOffs: hasTrait(failure.kind, "cut-off") ? subtask.cutOffs + 1 : 0,
    ...(verdict ? { words: undefined, outage: undefined } : {}),
  };
}

export const afterScore = (
  subtask: SubtaskState,
  { attempt, state: progress, score, progressed, recovered }: Scoring,
): Partial<SubtaskState> => ({
  progress,
  attempts: amended(subtask.attempts, attempt, { score }),
  continues: progressed ? 0 : subtask.continues,
  ...(recovered ? { uses: {}, mutationsTried: [], rung: undefined } : {}),
});

type Scoring = Omit<DecisionOf<"progress-scored">, "kind" | "subtask">;

const amended = (
  records: readonly AttemptRecord[],
  attempt: number,
  change: Partial<AttemptRecord>,
): readonly AttemptRecord[] =>
  records.map((record) => (record.attempt === attempt ? { ...record, ...change } : record));

const marked = (
  subtask: SubtaskState,
  attempt: number,
  change: Partial<RunningAttempt>,
): readonly RunningAttempt[] =>
  subtask.running.map((other) => (other.attempt === attempt ? { ...other, ...change } : other));

const without = (stages: readonly Stage[], attempt: number): readonly Stage[] =>
  stages.filter((stage) => stage.attempt !== attempt);

/** Takes entries off the front up to and including this one; those before it were stale. */
function pastItem(queue: Queue, item: number): Queue {
  for (let taken = dequeue(queue); taken !== undefined; taken = dequeue(taken.rest))
    if (taken.item === item) return taken.rest;
  throw new Error("broken invariant: a dispatched subtask was queued");
}
