/**
 * What a screen shows of a run, computed from its recorded state and history: its subtasks, what each is doing, and the
 * open questions. Invariant: every text is sanitized, so that renderers only have to cut it.
 */
import { refusalText } from "../../core/agent-words/refusal.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { KIND_WORDS } from "../../core/kind-words.ts";
import { tookMs, type RunHistory, type SubtaskPast } from "../../core/history/run-history.ts";
import { vectorItems } from "../../core/persistent-collections.ts";
import {
  alertText,
  parkedText,
  lastFailureWords,
  noAnswerText,
  recoveryDid,
  storyText,
  unenforcedBudgetText,
} from "../../core/report/phrases.ts";
import type { Checkpoint } from "../../core/run/checkpoint.ts";
import type { RunState } from "../../core/run/state.ts";
import type { SubtaskState } from "../../core/run/subtask-state.ts";
import { isStopped, needsPerson, phases, type Phase } from "../../core/run/view.ts";
import { defined } from "../operation.ts";

export type SubtaskView = ReturnType<typeof subtaskView>;

const ID_CHARS = 60;

const LINE_CHARS = 300;

/** No dependent waits for a finished subtask. */
const DONE: ReadonlySet<Phase> = new Set(["verified", "unverified", "answered"]);

/** `steps`: by `subtask/attempt`. */
export function runView(state: RunState, history: RunHistory, steps: ReadonlyMap<string, string>) {
  const shown = phases(state);
  const subtasks: readonly SubtaskView[] = vectorItems(state.subtasks).map((own, index) => {
    const plan = state.plan.subtasks[index];
    const id = plan?.id ?? "";
    const after = (plan?.dependsOn ?? []).filter((other) => {
      const at = state.graph.indexOf.get(other);
      return at !== undefined && !DONE.has(shown[at] ?? "pending");
    });
    return subtaskView(id, own, shown[index] ?? own.phase, history.subtasks.get(id), after, steps);
  });
  const { run, plan, phase, limit, estimated } = state;
  const { spent, untold } = state.ledger;
  const outcome: { readonly kind: string; readonly reason: string } | undefined = state.outcome;
  return {
    ...{ run, phase, limit, estimated, subtasks },
    inPlace: plan.inPlace === true,
    title: cleanLine(plan.goal, LINE_CHARS),
    ledger: { spent, untold },
    /** Nothing can continue until a person answers. */
    needsPerson: needsPerson(state),
    startedAt: history.startedAt ?? history.at,
    /** Budgets that cannot limit its agents, and what limits them instead. */
    unheld: state.unheld.map(unenforcedBudgetText),
    ...defined({
      outcome,
      /** The user or the system. */
      pausedBy: state.paused?.by,
      /** When it ended, or was paused. */
      endedAt: isStopped(state) ? history.at : undefined,
      question: questionView(state.checkpoint),
      doing: doingOf(state),
    }),
  };
}

/** What the run itself does before its first and after its last attempt. */
function doingOf({ baseline, finalCheck }: RunState): string | undefined {
  if (baseline.awaited !== undefined)
    return "running the checks on the base commit, to spot what fails already";
  return finalCheck === undefined ? undefined : "checking the result as it will be published";
}

function subtaskView(
  id: string,
  own: SubtaskState,
  phase: Phase,
  past: SubtaskPast | undefined,
  after: readonly string[],
  steps: ReadonlyMap<string, string>,
) {
  const events = past?.events ?? [];
  const { timer, unanswered } = own;
  return {
    id: cleanLine(id, ID_CHARS),
    phase,
    attempts: own.attempt,
    running: [...agentsOf(id, own, steps), ...stagesOf(own, past)],
    /** All failures and the recoveries from them. */
    story: storyText(events),
    /** Subtasks it waits for. */
    after: after.map((other) => cleanLine(other, ID_CHARS)),
    ...defined({
      startedAt: past?.startedAt,
      endedAt: past?.endedAt,
      /** How long it took, once it has ended. */
      tookMs: past?.endedAt === undefined ? undefined : tookMs(past),
      /** The last failure in a line, unless it is overcome. */
      failure: DONE.has(phase) ? undefined : lastFailureWords(events),
      /** The recovery in progress and its purpose. */
      recovery: recoveryUnderWay(events),
      wait: timer && { dueAt: timer.dueAt, reason: cleanLine(past?.waitReason ?? "", 60) },
      /** Raised when no automatic recovery was left. */
      alert: alertOf(phase, past),
      question: questionView(own.checkpoint),
      /** Why a read-only subtask has no answer. */
      unanswered:
        unanswered === undefined ? undefined : cleanLine(noAnswerText(id, unanswered), LINE_CHARS),
      parked:
        past?.parked === undefined ? undefined : cleanLine(parkedText(past.parked), LINE_CHARS),
    }),
  };
}

/** An alert is over once a person has answered it by skipping. */
export const alertOf = (phase: Phase, past: SubtaskPast | undefined): string | undefined =>
  past?.alert !== undefined && (phase === "asking" || phase === "stuck")
    ? alertText(past.alert)
    : undefined;

function recoveryUnderWay(events: SubtaskPast["events"]): string | undefined {
  const chosen = events.findLast((event) => event.kind === "recovery");
  if (chosen === undefined) return undefined;
  const before = events.slice(0, events.indexOf(chosen));
  const cause = before.findLast((event) => event.kind !== "recovery");
  const what = chosen.recoveries.map(recoveryDid).join(" and ");
  if (cause === undefined) return what;
  const kind = cause.kind === "failure" ? cause.failure.kind : "circular_fix";
  return `${KIND_WORDS[kind].name}: ${what}`;
}

/** What the agents are doing now. */
const agentsOf = (id: string, own: SubtaskState, steps: ReadonlyMap<string, string>) =>
  own.running.map(({ attempt, spec: { prompt }, startedAt, interrupted }) => ({
    attempt,
    startedAt,
    step: interrupted
      ? "being interrupted"
      : cleanLine(waitsFor(own, attempt) ?? steps.get(`${id}/${attempt}`) ?? "", LINE_CHARS),
    ...defined({ branch: prompt.branch && cleanLine(prompt.branch.id, 30) }),
  }));

/** The call for which the agent waits for permission. */
function waitsFor({ checkpoint }: SubtaskState, attempt: number): string | undefined {
  const [call] = checkpoint?.context.refused ?? [];
  return checkpoint?.waiting?.attempt === attempt && call !== undefined
    ? `waits for your permission: ${refusalText(call)}`
    : undefined;
}

/** The checks and merges after the attempts. */
const stagesOf = (own: SubtaskState, past: SubtaskPast | undefined) =>
  own.stages.map((stage) => {
    const { startedAt, endedAt, branch } = past?.attempts.get(stage.attempt) ?? {};
    return {
      attempt: stage.attempt,
      startedAt: startedAt ?? endedAt ?? 0,
      step: stageText(stage),
      ...defined({ branch: branch === undefined ? undefined : cleanLine(branch, 30) }),
    };
  });

function stageText(stage: SubtaskState["stages"][number]): string {
  if (stage.kind === "merge") return stage.dispatched ? "merging" : "in line to be merged";
  return stage.round === 1
    ? "running the checks"
    : `running the checks again (${stage.round}) before blaming the code`;
}

const questionView = (checkpoint: Checkpoint | undefined) =>
  checkpoint && {
    id: cleanLine(checkpoint.id, ID_CHARS),
    question: cleanLine(checkpoint.question, LINE_CHARS),
    ...defined({ takenBy: checkpoint.takenBy && cleanLine(checkpoint.takenBy, 40) }),
  };
