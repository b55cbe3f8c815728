/**
 * decide(state, input, policy, rules) -> decisions and commands: the one place where a run's next moves are made.
 * Invariants: pure; a stale or duplicate input changes nothing; input and decisions are recorded together; only this
 * function consults the policy, never `fold`; a paused run starts nothing, and a cancelled one never continues.
 */
import type { RuleBook } from "../../classify/rule-book.ts";
import type { Policy } from "../../policy/policy.ts";
import { commandOf, type Command } from "../command.ts";
import type { Decision } from "../decision.ts";
import type { InputOf, RunInput } from "../input.ts";
import type { RunState } from "../state.ts";
import { attemptEnded, checksEnded, mergeEnded } from "./attempt-ends.ts";
import { reportUnenforcedBudgets } from "./budget-notices.ts";
import { firstSpec } from "./attempt-spec.ts";
import { permissionAsked } from "./permission.ts";
import { answered, expired } from "./questions.ts";
import { endIfDone, schedule } from "./schedule.ts";
import { staleness, stillWaiting } from "./staleness.ts";
import { emit, openTurn, subtaskNow, type Turn } from "./turn.ts";
import { baselineEnded, beginBaseline, finalCheckEnded } from "./whole-run-checks.ts";

export interface Decided {
  readonly decisions: readonly Decision[];
  readonly commands: readonly Command[];
  /** The state after the input and the decisions have been folded. */
  readonly state: RunState;
  /** Why the input changes nothing; such an input is not recorded. */
  readonly ignored?: string;
}

export function decide(state: RunState, input: RunInput, policy: Policy, rules: RuleBook): Decided {
  const ignored = staleness(state, input);
  if (ignored !== undefined) return { decisions: [], commands: [], state, ignored };
  const turn = openTurn(state, input, policy, rules);
  (HANDLERS[input.kind] as Handler<RunInput>)(turn, input);
  schedule(turn);
  pauseIfStill(turn);
  endIfDone(turn);
  const { run } = turn.state;
  const commands = turn.decisions.flatMap((decision) => commandOf(run, decision) ?? []);
  return { decisions: turn.decisions, commands, state: turn.state };
}

type Handler<I extends RunInput> = (turn: Turn, input: I) => void;

const HANDLERS: { readonly [kind in RunInput["kind"]]: Handler<InputOf<kind>> } = {
  "run-started": (turn) => {
    reportUnenforcedBudgets(turn);
    beginBaseline(turn);
  },
  "baseline-ended": baselineEnded,
  "final-check-ended": finalCheckEnded,
  "attempt-started": () => {},
  "attempt-ended": attemptEnded,
  "checks-ended": checksEnded,
  "merge-ended": mergeEnded,
  "loop-seen": (turn, { subtask, attempt, level, words, pattern: reason }) =>
    level === "nudge"
      ? emit(turn, { kind: "nudge-sent", subtask, attempt, words })
      : emit(turn, { kind: "attempt-interrupted", subtask, attempt, reason }),
  "permission-asked": permissionAsked,
  "timer-fired": expired,
  "checkpoint-answered": answered,
  "service-back": serviceBack,
  /** At a person's request, continues a subtask that ended unverified, on top of the run's result. */
  "retry-requested": (turn, { subtask }) => {
    const specs = [firstSpec(subtaskNow(turn, subtask).state, { feedback: true })];
    emit(turn, { kind: "attempt-queued", subtask, specs });
  },
  "pause-requested": (turn, { reason }) => interruptAll(turn, { reason, pause: true }),
  "resume-requested": () => {},
  "cancel-requested": (turn, { reason }) => interruptAll(turn, { reason }),
};

/** Staggers the restarts, because the service has only just recovered. */
const STAGGER_MS = 500;

/** A service that subtasks wait for is back: they continue at once, one after the other. */
function serviceBack(turn: Turn, input: InputOf<"service-back">): void {
  for (const [position, { subtask }] of stillWaiting(turn.before, input).entries()) {
    const { state } = subtaskNow(turn, subtask);
    const dueAt = input.at + position * STAGGER_MS;
    if (dueAt < (state.timer?.dueAt ?? 0))
      emit(turn, { kind: "wait-shortened", subtask, timer: state.timers + 1, dueAt });
  }
}

/** Interrupts everything that is running; its work is kept. */
function interruptAll(turn: Turn, why: { readonly reason: string; readonly pause?: true }): void {
  for (const { id: subtask } of turn.state.plan.subtasks)
    for (const { attempt } of subtaskNow(turn, subtask).state.running)
      emit(turn, { kind: "attempt-interrupted", subtask, attempt, ...why });
}

/** The run is paused once its agents have ended. Unfinished checks and merges start over when it resumes. */
function pauseIfStill(turn: Turn): void {
  const { phase, agents, paused, pauses: pause } = turn.state;
  if (phase !== "pausing" || agents > 0 || paused === undefined) return;
  emit(turn, { kind: "run-paused", pause, ...paused });
}
