/**
 * What an attempt's spec asks to be told, gathered from what is recorded of its subtask: earlier attempts, the repair
 * to carry out, where the last session stopped. Invariant: the same state and spec give the same words.
 */
import { makeFailure } from "../failure.ts";
import { defined } from "../defined.ts";
import type { AttemptRecord, AttemptSpec } from "../run/attempt.ts";
import type { SubtaskState } from "../run/subtask-state.ts";
import { BRANCH_APPROACHES } from "./mutation.ts";
import type { PriorAttempt } from "./earlier-attempts.ts";
import type { RepairTelling, SubtaskPromptInput, Telling } from "./subtask-prompt.ts";

/** What is known of the task beside its attempts. */
interface Task extends Pick<SubtaskPromptInput, "goal" | "checks" | "inputs"> {
  /** Failed attempts of an earlier run. */
  readonly earlier?: readonly PriorAttempt[] | undefined;
  /** JSON Schema of the answer. */
  readonly schema?: unknown;
}

export function attemptPromptInput(
  own: SubtaskState,
  { prompt }: AttemptSpec,
  { goal, checks, inputs, earlier = [], schema }: Task,
): SubtaskPromptInput {
  const failed = own.attempts.filter(({ success }) => !success);
  const common = {
    goal,
    checks,
    files: [],
    failing: (failed.at(-1)?.failing ?? []).map((name) => ({ name })),
    failedApproaches: [...earlier, ...failed].map(({ approach = "", error }) => ({
      approach,
      ...(error && { error }),
    })),
  };
  // What was wrong with the last answer, where this attempt is the reminder of it (E9).
  const refused = prompt.remind === "format" ? own.attempts.at(-1)?.error : undefined;
  const asked = prompt.remind === "decide" ? own.attempts.at(-1)?.asks : prompt.answers;
  const branch = BRANCH_APPROACHES.find(({ id }) => id === prompt.branch?.id);
  return {
    ...common,
    goal: branch === undefined ? goal : branch.prompt(common),
    inputs,
    attempts: [...earlier, ...failed.map((record) => priorAttempt(record, earlier.length))],
    tell: tellings(prompt, earlier.length > 0),
    ...defined({ mutation: prompt.mutation, words: prompt.words, asked }),
    ...defined({ permits: prompt.permits }),
    ...defined({ handover: prompt.handOver === true ? handOverOf(own) : undefined }),
    ...(schema === undefined ? {} : { format: { schema, ...defined({ error: refused }) } }),
  };
}

/** The repair strategy the spec names, for the failure it was chosen for. */
export function repairTold(
  { attempts }: SubtaskState,
  { prompt: { strategy } }: AttemptSpec,
): Pick<RepairTelling, "failure" | "error" | "strategy"> | undefined {
  const last = attempts.at(-1);
  if (strategy === undefined || last?.kind === undefined) return undefined;
  const [, name = ""] = strategy.split("/");
  const { kind, error = "" } = last;
  const failure = makeFailure({ kind, origin: "tool", because: [error] });
  return { failure, error, strategy: name };
}

/** Where the last session stood: its last words, and which files it changed if it said nothing of use. */
function handOverOf({ lastOutput, attempts }: SubtaskState): string | undefined {
  const files = [...new Set(attempts.flatMap((record) => record.files ?? []))];
  const changed = files.length > 0 ? `Changed so far: ${files.slice(0, 50).join(", ")}` : "";
  return [lastOutput, changed].filter((part) => part !== "").join("\n\n") || undefined;
}

function tellings(prompt: AttemptSpec["prompt"], earlier: boolean): Telling[] {
  if (prompt.mutation !== undefined) return ["retry-context"];
  if (prompt.feedback === true) return ["retry-context", "hints", "different-approach"];
  if (prompt.summary === true) return ["hints", "different-approach"];
  return prompt.strategy === undefined && !earlier ? [] : ["retry-context"];
}

function priorAttempt(record: AttemptRecord, before: number): PriorAttempt {
  const { attempt, entry, approach, error, failing, kind, recovery } = record;
  return {
    attempt: before + attempt,
    tier: entry.tier,
    approach:
      approach === "" ? `${recovery ?? "first try"} with ${entry.model ?? entry.agent}` : approach,
    ...(failing.length > 0 ? { feedback: `failing: ${failing.join(", ")}` } : {}),
    error: error || (kind ?? "failed"),
  };
}
