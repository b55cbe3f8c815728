/**
 * Read-only subtasks: they only look and answer, and end `answered`. Invariants: their work is never checked or merged;
 * they are retried at most once; they never ask a person, use no rung of the ladder and never hold up others: without
 * an answer they end too, with the reason.
 */
import { count } from "../../amounts.ts";
import type { Failure } from "../../failure.ts";
import { cleanLine } from "../../foreign-text.ts";
import { vectorItems } from "../../persistent-collections.ts";
import type { Choice } from "../../policy/policy.ts";
import type { DecisionOf } from "../decision.ts";
import type { InputOf } from "../input.ts";
import type { RunState } from "../state.ts";
import { errorText, verdictOf } from "./attempt-failure.ts";
import { isCounted, isVerdict, structureRule } from "./choose-recovery.ts";
import { guard, guardRail } from "./guard-rails.ts";
import { carryOut } from "./recover.ts";
import { emit, recordEpisode, subtaskNow, type Turn } from "./turn.ts";

const RETRIES_MAX = 1;

export function readOnlyEnded(turn: Turn, input: InputOf<"attempt-ended">): void {
  const { subtask, attempt } = input;
  const { plan, state } = subtaskNow(turn, subtask);
  const failure = verdictOf(input, plan, turn.rules);
  if (failure === undefined) {
    emit(turn, { kind: "subtask-done", subtask, attempt, phase: "answered" });
    return recordEpisode(turn, subtask, true);
  }
  emit(turn, {
    ...{ kind: "failure-classified", subtask, attempt, failure },
    counted:
      failure.kind === "context_exhausted" || isCounted(failure, state, turn.policy.settings),
    verdict: isVerdict(failure),
    error: input.answer?.problem ?? errorText(input.evidence),
    failing: [],
  });
  const choice = retryChoice(turn, subtask, failure);
  if (choice === undefined) endWithoutAnswer(turn, subtask, reasonOf(failure));
  else carryOut(turn, subtask, failure, choice, { uncounted: true });
}

/** Ends a subtask without an answer; subtasks that need it as an input continue without it. */
export function endWithoutAnswer(turn: Turn, subtask: string, why: string): void {
  const { attempt } = subtaskNow(turn, subtask).state;
  emit(turn, {
    ...{ kind: "subtask-done", subtask, attempt, phase: "answered" },
    unanswered: cleanLine(why, 300),
  });
}

/** The outcome of a run of read-only subtasks: by its answers, as there is nothing to verify. */
export function onlyAnswers(state: RunState): Omit<DecisionOf<"run-ended">, "kind"> {
  const silent = vectorItems(state.subtasks).filter((own) => own.unanswered !== undefined).length;
  return silent === 0
    ? { outcome: "verified", reason: "every subtask is answered" }
    : { outcome: "failed", reason: `${count(silent, "subtask has", "subtasks have")} no answer` };
}

/** Why there is no answer: our own text as it is, other text together with the kind of failure. */
const reasonOf = ({ kind, because, origin }: Failure): string =>
  origin === "check" ? (because[0] ?? kind) : [kind, ...because.slice(0, 1)].join(": ");

/** Waits, losses and re-asks are free, as everywhere; a failure that counts is retried once. */
function retryChoice(turn: Turn, id: string, failure: Failure): Choice | undefined {
  const { plan: of, state: subtask } = subtaskNow(turn, id);
  const { plan } = turn.state;
  if (subtask.attempts.at(-1)?.counted === false) {
    const { at: now, chance } = turn.input;
    // A read-only subtask has no repair chain to fall back on, so it waits as long as it may.
    const settings = { ...turn.policy.settings, wait: { ...turn.policy.settings.wait, once: [] } };
    const view = { failure, subtask, settings, plan, treeChanged: false, now, chance };
    const free = guardRail(view) ?? structureRule(failure, subtask);
    const [first] = free?.recoveries ?? [];
    return first?.kind === "wait" || first?.kind === "retry" ? free : undefined;
  }
  const asked = of.limits?.maxRetries ?? plan.maxSubtaskRetries ?? RETRIES_MAX;
  if (failure.category === "fatal" || subtask.counted > Math.min(asked, RETRIES_MAX))
    return undefined;
  const because = "it has no answer yet: once more, then the others go on without";
  return guard("read-only", { kind: "retry" }, because);
}
