/** The part of `fold` that tracks an attempt: queued, dispatched, ended, checked, merged, judged. */
import { assert } from "../../assert.ts";
import { reserve, settle, type Ledger } from "../../budget.ts";
import { countRecovery } from "../../history/recovery-metrics.ts";
import { dequeue, enqueue, type Queue } from "../../persistent-collections.ts";
import { baseCause } from "../across-attempts.ts";
import { isCutOffByPause, type AttemptSpec, type RunningAttempt } from "../attempt.ts";
import type { DecisionOf } from "../decision.ts";
import type { InputOf } from "../input.ts";
import { OWN_TREE, recordedIndex, subtaskAt, withSubtask, type RunState } from "../state.ts";
import type { Stage } from "../subtask-state.ts";
import { afterFailure, afterScore, amended, recordOf, withRecord } from "./attempt-record.ts";
import { inSubtask, queuesSubtask, someFolds } from "./facts.ts";

const SUSPECTS_KEPT = 100;
const SEEN_KEPT = 3000;

export const ATTEMPT_FOLDS = someFolds({
  "attempt-queued": queuesSubtask(({ next }, { specs }) => ({ next: [...next, ...specs] })),
  "attempt-dispatched": dispatched,
  "attempt-started": inSubtask((subtask, { attempt, slot, identity }) => {
    const { spec } = subtask.running.find((other) => other.attempt === attempt) ?? {};
    return {
      running: amended(subtask.running, attempt, { slot, identity }),
      slots: { ...subtask.slots, [spec?.prompt.branch?.id ?? OWN_TREE]: slot },
    };
  }),
  "attempt-ended": ended,
  "checks-dispatched": (state, { subtask, ...round }) => {
    const next = withStage(state, subtask, { ...round, kind: "checks" });
    return { ...next, checking: next.checking + 1 };
  },
  "checks-ended": (state, input) => {
    const next = withoutStage(state, input);
    return { ...next, checking: next.checking - 1 };
  },
  "merge-queued": (state, { subtask, attempt, notes = [], round = 1 }) => {
    const stage: Stage = { kind: "merge", attempt, dispatched: false, notes, round };
    const next = withStage(state, subtask, stage);
    const mergeQueue = enqueue(next.mergeQueue, recordedIndex(state, subtask));
    return { ...next, toMerge: next.toMerge + 1, mergeQueue };
  },
  "merge-dispatched": (state, { subtask }) => {
    const merging = recordedIndex(state, subtask);
    const stages = subtaskAt(state, merging).stages.map((stage) =>
      stage.kind === "merge" ? { ...stage, dispatched: true } : stage,
    );
    const next = withSubtask(state, merging, { stages });
    return { ...next, merging, mergeQueue: pastItem(next.mergeQueue, merging) };
  },
  "merge-ended": (state, input) => {
    const next = withoutStage(state, input);
    return { ...next, merging: undefined, toMerge: next.toMerge - 1 };
  },
  "nudge-sent": inSubtask(({ running }, { attempt }) => ({
    running: amended(running, attempt, { nudged: true }),
  })),
  "permission-asked": inSubtask(({ running }, { attempt, request: requests }) => ({
    running: amended(running, attempt, { requests }),
  })),
  "permission-settled": inSubtask(({ declined }, { call, allowed, by }) => ({
    declined: allowed || by === undefined ? declined : [...declined, call],
  })),
  "attempt-interrupted": inSubtask(({ running }, { attempt, pause }) => ({
    running: amended(running, attempt, { interrupted: true, paused: pause === true }),
  })),
  "attempt-cut-off": queuesSubtask(({ attempts, next }, { attempt, spec }) => ({
    attempts: attempts.filter((record) => record.attempt !== attempt),
    next: [spec, ...next],
  })),
  "failure-classified": (state, event) => withSuspect(failed(state, event), event.subtask),
  "progress-scored": inSubtask<DecisionOf<"progress-scored">>(afterScore),
});

function dispatched(state: RunState, event: DecisionOf<"attempt-dispatched">): RunState {
  const { attempt, spec, cap, at, from } = event;
  const index = recordedIndex(state, event.subtask);
  const subtask = subtaskAt(state, index);
  const running: RunningAttempt = {
    ...{ attempt, spec, cap, startedAt: at, slot: undefined, identity: undefined },
    ...{ nudged: false, interrupted: false, paused: false },
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
    ...(state.baseline.broken === true ? { noReturn: true } : {}),
  });
  const queue = pastItem(state[from], index);
  return {
    ...changed,
    ...withLedgers(state, spec, (ledger) => reserve(ledger, cap)),
    [from]: queued.length > 0 ? enqueue(queue, index) : queue,
    agents: state.agents + 1,
    metrics: isNew ? countRecovery(state.metrics, { kind: "iteration" }) : state.metrics,
  };
}

function ended(state: RunState, input: InputOf<"attempt-ended">): RunState {
  const { remains } = input;
  const index = recordedIndex(state, input.subtask);
  const subtask = subtaskAt(state, index);
  const running = subtask.running.find(({ attempt }) => attempt === input.attempt);
  assert(running !== undefined, "a recorded end belongs to a running attempt");
  const { spec, cap } = running;
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
    seen: withSeen(subtask.seen, remains),
  });
  return {
    ...next,
    ...withLedgers(state, spec, (ledger) => settle(ledger, cap, used)),
    agents: state.agents - 1,
    estimated: state.estimated || remains.estimated === true,
  };
}

const withSeen = (
  seen: readonly number[],
  { observed = [], marked = [] }: InputOf<"attempt-ended">["remains"],
): readonly number[] =>
  observed.length + marked.length === 0
    ? seen
    : [...seen, ...observed, ...marked].slice(-SEEN_KEPT);

/** An attempt's use is charged to the run and, if it was started for recovery, to the recovery budget. */
const withLedgers = (
  { ledger, recovery }: RunState,
  { iteration }: AttemptSpec,
  change: (ledger: Ledger) => Ledger,
): Pick<RunState, "ledger" | "recovery"> => ({
  ledger: change(ledger),
  recovery: iteration ? { ...recovery, ledger: change(recovery.ledger) } : recovery,
});

const failed = inSubtask<DecisionOf<"failure-classified">>(afterFailure);

/** The first subtask that keeps failing in the same way as the base holds that cause until it is done. */
function withSuspect(state: RunState, subtask: string): RunState {
  const cause = baseCause(subtaskAt(state, recordedIndex(state, subtask)));
  const { suspects } = state;
  if (cause === undefined || cause in suspects || Object.keys(suspects).length >= SUSPECTS_KEPT)
    return state;
  return { ...state, suspects: { ...suspects, [cause]: subtask } };
}

function withStage(state: RunState, subtask: string, stage: Stage): RunState {
  const index = recordedIndex(state, subtask);
  const { stages, attempt } = subtaskAt(state, index);
  return withSubtask(state, index, {
    phase: "running",
    // A person's own work is checked as an attempt without an agent.
    attempt: Math.max(attempt, stage.attempt),
    stages: [...stages, stage],
  });
}

const withoutStage = inSubtask<InputOf<"checks-ended" | "merge-ended">>(
  ({ stages }, { attempt }) => ({ stages: stages.filter((stage) => stage.attempt !== attempt) }),
);

/** Removes entries from the front up to and including this one; those before it were stale. */
function pastItem(queue: Queue, item: number): Queue {
  for (let taken = dequeue(queue); taken !== undefined; taken = dequeue(taken.rest))
    if (taken.item === item) return taken.rest;
  throw new Error("broken invariant: a dispatched subtask was queued");
}
