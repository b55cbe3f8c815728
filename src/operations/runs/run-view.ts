/**
 * What a screen shows of a run, worked out from its recorded state and history. Invariant: every text in a view is
 * tamed, so that renderers only have to cut.
 */
import type { Budget, Ledger } from "../../core/budget.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { tookMs } from "../../core/history/run-history.ts";
import type { RunHistory, SubtaskPast } from "../../core/history/run-history.ts";
import { vectorItems } from "../../core/persistent-collections.ts";
import type { Checkpoint } from "../../core/run/checkpoint.ts";
import type { PausedBy } from "../../core/run/input.ts";
import type { RunState, SubtaskState } from "../../core/run/state.ts";
import { noteWords } from "../../core/run/note.ts";
import { isStopped, needsPerson, phases } from "../../core/run/view.ts";
import type { Phase } from "../../core/run/view.ts";

export type { Phase };
import {
  noAnswerWords,
  recoveryWords,
  storyWords,
  unheldWords,
} from "../../core/report/phrases.ts";

export interface RunningView {
  readonly attempt: number;
  readonly branch?: string;
  readonly startedAt: number;
  /** What the agent does now, or checks and merge after it. */
  readonly step: string;
}

export interface QuestionView {
  readonly id: string;
  readonly question: string;
  readonly takenBy?: string;
}

export interface SubtaskView {
  readonly id: string;
  readonly phase: Phase;
  readonly attempts: number;
  readonly running: readonly RunningView[];
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** How long it took, once it has ended. */
  readonly tookMs?: number;
  /** The recovery under way and what it is for. */
  readonly recovery?: string;
  /** All that failed and what was done about it. */
  readonly story: string;
  /** What is to be known beside how it ended. */
  readonly notes: readonly string[];
  readonly recoveries: number;
  readonly uncounted: number;
  readonly wait?: { readonly dueAt: number; readonly reason: string };
  readonly question?: QuestionView;
  readonly parked?: string;
  /** Why a read-only subtask has no answer. */
  readonly unanswered?: string;
  /** Subtasks it waits for. */
  readonly after: readonly string[];
}

export interface RunView {
  readonly run: string;
  readonly inPlace: boolean;
  readonly title: string;
  readonly outcome?: { readonly kind: string; readonly reason: string };
  readonly phase: RunState["phase"];
  /** Nothing can go on until somebody answers. */
  readonly needsPerson: boolean;
  /** Who paused it. */
  readonly pausedBy?: PausedBy;
  readonly startedAt: number;
  /** When it ended, or was paused. */
  readonly endedAt?: number;
  readonly subtasks: readonly SubtaskView[];
  readonly question?: QuestionView;
  /** What the run itself does before its first and after its last attempt. */
  readonly doing?: string;
  readonly ledger: Pick<Ledger, "spent" | "untold">;
  readonly limit: Budget;
  readonly estimated: boolean;
  /** Which budgets cannot hold its agents, and what does. */
  readonly unheld: readonly string[];
}

const ID_CHARS = 60;
const LINE_CHARS = 300;
/** A finished subtask is not waited for. */
const DONE: ReadonlySet<Phase> = new Set(["verified", "unverified", "answered"]);

/** Steps are by `subtask/attempt`. */
export function runView(
  state: RunState,
  history: RunHistory,
  steps: ReadonlyMap<string, string>,
): RunView {
  const shown = phases(state);
  const subtasks = vectorItems(state.subtasks).map((own, index): SubtaskView => {
    const plan = state.plan.subtasks[index];
    const id = plan?.id ?? "";
    const after = (plan?.dependsOn ?? []).filter((other) => {
      const at = state.graph.indexOf.get(other);
      return at !== undefined && !DONE.has(shown[at] ?? "pending");
    });
    return subtaskView(id, own, shown[index] ?? own.phase, history.subtasks.get(id), after, steps);
  });
  const { outcome, checkpoint } = state;
  return {
    run: state.run,
    inPlace: state.plan.inPlace === true,
    title: cleanLine(state.plan.goal, LINE_CHARS),
    phase: state.phase,
    needsPerson: needsPerson(state),
    ...(state.paused === undefined ? {} : { pausedBy: state.paused.by }),
    startedAt: history.startedAt ?? history.at,
    subtasks,
    ledger: state.ledger,
    limit: state.limit,
    estimated: state.estimated,
    unheld: state.unheld.map(unheldWords),
    ...(outcome === undefined ? {} : { outcome }),
    ...(isStopped(state) ? { endedAt: history.at } : {}),
    ...(checkpoint === undefined ? {} : { question: questionView(checkpoint) }),
    ...doingOf(state),
  };
}

function doingOf({ baseline, finalCheck }: RunState): Pick<RunView, "doing"> {
  if (baseline.awaited !== undefined)
    return { doing: "running the checks on the base commit, to spot what fails already" };
  return finalCheck === undefined ? {} : { doing: "checking the result as it will be published" };
}

function subtaskView(
  id: string,
  own: SubtaskState,
  phase: Phase,
  past: SubtaskPast | undefined,
  after: readonly string[],
  steps: ReadonlyMap<string, string>,
): SubtaskView {
  const events = past?.events ?? [];
  const attempts = [...(past?.attempts.values() ?? [])];
  const recovery = under(events);
  const took = past?.endedAt === undefined ? undefined : tookMs(past);
  return {
    id: cleanLine(id, ID_CHARS),
    phase,
    attempts: own.attempt,
    running: [...agentsOf(id, own, steps), ...stagesOf(own, past)],
    story: storyWords(events),
    notes: (past?.notes ?? []).map(noteWords),
    recoveries: events.filter(({ kind }) => kind === "recovery").length,
    uncounted: attempts.filter(({ counted }) => !counted).length,
    after: after.map((other) => cleanLine(other, ID_CHARS)),
    ...(past?.startedAt === undefined ? {} : { startedAt: past.startedAt }),
    ...(past?.endedAt === undefined ? {} : { endedAt: past.endedAt }),
    ...(took === undefined ? {} : { tookMs: took }),
    ...(recovery === undefined ? {} : { recovery }),
    ...(own.timer === undefined
      ? {}
      : { wait: { dueAt: own.timer.dueAt, reason: cleanLine(past?.waitReason ?? "", 60) } }),
    ...(own.checkpoint === undefined ? {} : { question: questionView(own.checkpoint) }),
    ...(own.unanswered === undefined
      ? {}
      : { unanswered: cleanLine(noAnswerWords(id, own.unanswered), LINE_CHARS) }),
    ...(past?.parked === undefined ? {} : { parked: cleanLine(past.parked, LINE_CHARS) }),
  };
}

function under(events: SubtaskPast["events"]): string | undefined {
  const chosen = events.findLast((event) => event.kind === "recovery");
  if (chosen === undefined) return undefined;
  const before = events.slice(0, events.indexOf(chosen));
  const cause = before.findLast((event) => event.kind !== "recovery");
  const what = chosen.recoveries.map(recoveryWords).join(" + ");
  if (cause === undefined) return what;
  return `${what} after ${cause.kind === "failure" ? cause.failure.kind : "circular_fix"}`;
}

const agentsOf = (
  id: string,
  own: SubtaskState,
  steps: ReadonlyMap<string, string>,
): RunningView[] =>
  own.running.map(({ attempt, spec, startedAt, interrupted }) => ({
    attempt,
    startedAt,
    step: interrupted
      ? "being interrupted"
      : cleanLine(steps.get(`${id}/${attempt}`) ?? "", LINE_CHARS),
    ...(spec.prompt.branch === undefined ? {} : { branch: cleanLine(spec.prompt.branch.id, 30) }),
  }));

const stagesOf = (own: SubtaskState, past: SubtaskPast | undefined): RunningView[] =>
  own.stages.map((stage) => {
    const attempt = past?.attempts.get(stage.attempt);
    return {
      attempt: stage.attempt,
      startedAt: attempt?.startedAt ?? attempt?.endedAt ?? 0,
      step: stageWords(stage),
      ...(attempt?.branch === undefined ? {} : { branch: cleanLine(attempt.branch, 30) }),
    };
  });

function stageWords(stage: SubtaskState["stages"][number]): string {
  if (stage.kind === "merge") return stage.dispatched ? "merging" : "in line to be merged";
  return stage.round === 1
    ? "running the checks"
    : `running the checks again (${stage.round}) before the code is blamed`;
}

const questionView = ({ id, question, takenBy }: Checkpoint): QuestionView => ({
  id: cleanLine(id, ID_CHARS),
  question: cleanLine(question, LINE_CHARS),
  ...(takenBy === undefined ? {} : { takenBy: cleanLine(takenBy, 40) }),
});
