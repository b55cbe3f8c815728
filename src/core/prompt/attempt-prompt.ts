/**
 * Collects the input of an attempt's prompt from the records of its subtask, as its spec asks for: earlier attempts,
 * the repair to carry out, where the last session stopped. Invariant: the same state and spec give the same text.
 */
import { defined } from "../defined.ts";
import { approachKey } from "../progress/circular-fix.ts";
import type { AttemptRecord, AttemptSpec } from "../run/attempt.ts";
import type { SubtaskState } from "../run/subtask-state.ts";
import { branchGoal } from "./branches.ts";
import { isFailedWork, type PriorAttempt } from "./earlier-attempts.ts";
import type { SubtaskPromptInput } from "./subtask-prompt.ts";
import type { FailureToRepair } from "../repair/run-repair.ts";

/** What is known about the task besides its attempts. */
interface Task extends Pick<SubtaskPromptInput, "goal" | "checks" | "inputs"> {
  /** Failed attempts of an earlier run. */
  readonly earlier?: readonly PriorAttempt[] | undefined;
  /** The JSON Schema of the answer. */
  readonly schema?: unknown;
}

export function attemptPromptInput(
  own: SubtaskState,
  { prompt, tree }: AttemptSpec,
  { goal, checks, inputs, earlier = [], schema }: Task,
): SubtaskPromptInput {
  const repaired = failureToRepair(own, prompt.strategy);
  const failed = inItsLine(own, prompt.branch?.id ?? branchIn(own, tree))
    .filter(
      (record) =>
        !record.success && (record === repaired || isFailedWork(record.counted, record.kind)),
    )
    // A check that failed as a whole is already listed with the checks; its items are more specific.
    .map((record) => ({
      ...record,
      error: record.error || withoutWords(record),
      failing: record.failing.filter((name) => !checks.includes(name)),
    }));
  const common = {
    goal,
    checks,
    files: [],
    failing: (failed.at(-1)?.failing ?? []).map((name) => ({ name })),
    failedApproaches: distinctApproaches([...earlier, ...failed]),
  };
  // What was wrong with the last answer, if this attempt is the reminder about it.
  const refused = prompt.remind === "format" ? own.attempts.at(-1)?.error : undefined;
  const asked = prompt.remind === "decide" ? own.attempts.at(-1)?.asks : prompt.answers;
  const { branch } = prompt;
  const together = own.branches.map(({ id }) => id);
  return {
    ...common,
    goal: branch === undefined ? goal : branchGoal(common, { tried: [], together, ...branch }),
    inputs,
    attempts: [...earlier, ...failed.map((record) => priorAttempt(record, earlier.length))],
    different: prompt.feedback === true || prompt.summary === true || earlier.length > 0,
    ...defined({ mutation: prompt.mutation, words: prompt.words, asked }),
    ...defined({ permits: prompt.permits, recalled: prompt.recalled }),
    ...defined({ handover: prompt.handOver === true ? own.lastOutput : undefined }),
    ...(schema === undefined ? {} : { format: { schema, ...defined({ error: refused }) } }),
  };
}

/** The repair strategy named by the spec, with the failure it was chosen for. */
export function repairToShow(
  { attempts }: SubtaskState,
  { prompt: { strategy } }: AttemptSpec,
): (FailureToRepair & { readonly strategy: string }) | undefined {
  const last = failureToRepair({ attempts }, strategy);
  if (last?.kind === undefined) return undefined;
  const [, name = ""] = strategy?.split("/") ?? [];
  const { kind, error = "", call } = last;
  return { kind, error, ...defined({ call }), strategy: name };
}

const branchIn = ({ attempts }: SubtaskState, tree: AttemptSpec["tree"]): string | undefined =>
  tree.kind === "attempt"
    ? attempts.find(({ attempt }) => attempt === tree.attempt)?.branch
    : undefined;

/** An attempt in a branch sees only that branch's failures, because the others' work is not in its tree. */
function inItsLine(
  { attempts, branches }: SubtaskState,
  line: string | undefined,
): readonly AttemptRecord[] {
  if (line === undefined) return attempts;
  const isBeside = (id: string): boolean =>
    id !== line && (branches.length === 0 || branches.some((one) => one.id === id));
  return attempts.filter(({ branch }) => branch === undefined || !isBeside(branch));
}

const failureToRepair = (
  { attempts }: Pick<SubtaskState, "attempts">,
  strategy = "",
): AttemptRecord | undefined => attempts.findLast(({ kind }) => kind === strategy.split("/")[0]);

/** The approaches in the agents' own words, without duplicates; their outcomes are listed with the attempts. */
function distinctApproaches(
  attempts: readonly { readonly approach?: string }[],
): { readonly approach: string }[] {
  const byKey = new Map(attempts.map(({ approach = "" }) => [approachKey(approach), approach]));
  return [...byKey].flatMap(([key, approach]) => (key === "" ? [] : [{ approach }]));
}

/** If nothing was printed: which checks failed, or the kind of failure. */
const withoutWords = ({ failing, kind = "unknown" }: AttemptRecord): string =>
  failing.length > 0
    ? `failed and printed nothing: ${failing.join(", ")}`
    : kind.replaceAll("_", " ");

function priorAttempt(record: AttemptRecord, before: number): PriorAttempt {
  const { attempt, entry, approach, error, failing, recovery, signature } = record;
  return {
    attempt: before + attempt,
    tier: entry.tier,
    approach:
      approach === "" ? `${recovery ?? "first try"} with ${entry.model ?? entry.agent}` : approach,
    ...(failing.length > 0 ? { feedback: `failing: ${failing.join(", ")}` } : {}),
    ...defined({ error }),
    ...defined({ signature }),
  };
}
