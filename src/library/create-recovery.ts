/**
 * Recovery for your own agent loop, by the same rules as a run: the same classification, guard rails, policies and
 * prompts, for a single task. Invariants: time and randomness come only from the options; every prompt contains the
 * task's own words; a wait or a plain retry leaves the prompt unchanged.
 */
import { fit } from "../core/budget.ts";
import { defined } from "../core/defined.ts";
import { NO_RULES, type RuleBook } from "../core/classify/rule-book.ts";
import { cleanLine } from "../core/foreign-text.ts";
import { KINDS } from "../core/kinds.ts";
import { makeFailure, type Failure } from "../core/failure.ts";
import type { Choice, LadderPolicy, Policy, PolicySettings } from "../core/policy/policy.ts";
import { ladder } from "../core/policy/ladder.ts";
import { PRESETS } from "../core/policy/presets.ts";
import { attemptPromptInput, repairToShow } from "../core/prompt/attempt-prompt.ts";
import { subtaskPrompt } from "../core/prompt/subtask-prompt.ts";
import type { Recovery } from "../core/recovery.ts";
import { newSubtask } from "../core/run/new-subtask.ts";
import { resetProgress } from "../core/run/fold/fold-checkpoint.ts";
import { retryByPerson } from "../core/run/decide/next-attempt.ts";
import {
  attemptEnded,
  changesIn,
  chooseAfter,
  MEMORY_VERSION,
  restoredState,
  taskOf,
} from "./one-task.ts";
import type { Again, FailedAttempt, NextMove, TaskRecovery } from "./task-recovery.ts";
import type { RecoveryOptions } from "./recovery-options.ts";
import { failureOf } from "./thrown.ts";

/**
 * Decides after each failed attempt at a task what to do next: try again with a better prompt, wait, ask a person, or
 * give up. Create one per task.
 *
 * @example
 * const recovery = createRecovery({ limits: { attempts: 5 } });
 * for (let prompt = task; ;) {
 *   try {
 *     return await agent(prompt);
 *   } catch (error) {
 *     const next = recovery.failed(error, { prompt });
 *     if (next.kind === "again") prompt = next.prompt;
 *     else if (next.kind === "wait") await sleep(next.ms);
 *     else throw new Error(next.because, { cause: error });
 *   }
 * }
 */
export function createRecovery(options: RecoveryOptions = {}): TaskRecovery {
  const { models = [], limits = {}, memory } = options;
  const rules: RuleBook = options.rules ?? NO_RULES;
  const repairs = options.rules?.repairs;
  const { now = Date.now, random = Math.random } = options;
  const policy = limitedPolicy(options.policy ?? PRESETS.standard, limits.waitMs);
  const task = taskOf(policy, models, limits, repairs?.next);
  const fresh = { ...newSubtask(task.plan, task.subtask), noReturn: true };
  let own = memory === undefined ? fresh : restoredState(memory, fresh);
  let { task: words, prompt } = memory ?? { task: "", prompt: "" };
  let told: Pick<FailedAttempt, "checks" | "schema"> = {};
  let last: Failure | undefined;

  const again = (recovery: Recovery, failure: Failure, because: string): Again => {
    const spec = own.next[0];
    const isSame = recovery.kind === "retry" && recovery.remind === undefined;
    const repair = spec === undefined ? undefined : repairToShow(own, spec);
    if (spec !== undefined && !isSame)
      prompt = subtaskPrompt({
        ...attemptPromptInput(own, spec, {
          ...{ goal: words, inputs: [], checks: told.checks ?? [], schema: told.schema },
        }),
        ...(repair === undefined || repairs === undefined
          ? {}
          : { repair: (maxChars: number) => repairs.words(repair, repair.strategy, maxChars) }),
      });
    const { model } = own.entry;
    return {
      kind: "again",
      prompt,
      recovery: recovery.kind as Again["recovery"],
      conversation: spec?.context === "keep" ? "keep" : "new",
      ...(model === undefined ? {} : { model }),
      ...(own.thinking ? { thinking: true } : {}),
      ...(recovery.kind === "fresh" ? defined({ resetTo: recovery.goodCommit }) : {}),
      ...{ because, failure },
    };
  };

  const nextMove = (
    failure: Failure,
    { recoveries, because: why }: Choice,
    at: number,
  ): NextMove => {
    const because = `${why} (${failure.because[0] ?? failure.kind})`;
    const [first] = recoveries;
    if (first === undefined || recoveries.some(({ kind }) => kind === "skip"))
      return { kind: "give-up", because, failure };
    if (first.kind === "ask")
      return { kind: "ask", question: questionFor(failure), because, failure };
    if (first.kind === "wait")
      return { kind: "wait", ms: Math.max(0, first.wait.dueAt - at), because, failure };
    const funds = fit(own.limit, own.ledger, {}, { places: 1, starting: 1 });
    if (!funds.ok)
      return { kind: "give-up", because: `the limit of ${funds.measure} is used up`, failure };
    return again(first, failure, because);
  };

  return {
    failed(thrown, attempt) {
      const at = now();
      if (prompt === "" || (attempt.prompt !== prompt && attempt.prompt !== words))
        words = prompt = attempt.prompt;
      told = attempt;
      own = attemptEnded(own, at, attempt);
      const { failing = [] } = attempt;
      const seen = { ...failureOf(thrown, attempt, rules, at), failing, at, chance: random() };
      const chosen = chooseAfter(own, task, seen);
      own = chosen.own;
      last = chosen.failure;
      return nextMove(chosen.failure, chosen.choice, at);
    },
    answered(said = "") {
      own = { ...own, ...resetProgress(own.attempt), words: said === "" ? undefined : said };
      own = { ...own, next: [retryByPerson(own)] };
      const { kind = "unknown", error = "" } = own.attempts.at(-1) ?? {};
      const failure = last ?? makeFailure({ kind, origin: "agent", because: [cleanLine(error)] });
      return again({ kind: "feedback" }, failure, "a person answered");
    },
    succeeded() {
      own = { ...fresh, ledger: own.ledger };
      words = prompt = "";
    },
    toJSON: () => ({ version: MEMORY_VERSION, task: words, prompt, state: changesIn(own, fresh) }),
  };
}

const limitedPolicy = (policy: LadderPolicy | Policy, maxWaitMs?: number): Policy =>
  "choose" in policy
    ? { ...policy, settings: limited(policy.settings, maxWaitMs) }
    : ladder(limited(policy, maxWaitMs));

/** A loop cannot run several branches at once, so exploration is off; a limit on waits replaces the policy's own. */
const limited = <T extends PolicySettings>(policy: T, maxWaitMs = policy.wait.maxWaitMs): T => ({
  ...policy,
  wait: { ...policy.wait, maxWaitMs },
  recovery: { ...policy.recovery, branchExploration: false },
});

const questionFor = ({ kind, because: [reason = kind] }: Failure): string =>
  (KINDS[kind] as { readonly question?: string }).question ??
  `The attempt failed (${kind}): ${cleanLine(reason, 300)}. How should it go on?`;
