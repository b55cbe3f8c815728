/**
 * The words an attempt is started with: the subtask's prompt with what its spec asks for, from recorded facts
 * only. Invariant: of other subtasks only declared inputs are told (E3).
 */
import type { RunPlan, SubtaskPlan } from "../core/plan/run-plan.ts";
import { BRANCH_APPROACHES } from "../core/prompt/mutation.ts";
import type { MutationInput } from "../core/prompt/mutation.ts";
import type { PriorAttempt } from "../core/prompt/earlier-attempts.ts";
import { subtaskPrompt } from "../core/prompt/subtask-prompt.ts";
import type { SubtaskPromptInput, Telling } from "../core/prompt/subtask-prompt.ts";
import type { AttemptRecord, AttemptSpec } from "../core/run/attempt.ts";
import { seen } from "./remains.ts";
import { indexOf, subtaskAt } from "../core/run/state.ts";
import type { RunState, SubtaskState } from "../core/run/state.ts";

const REPORTING = [
  "State your approach first, in one line: <approach>...</approach>.",
  "Mark each thing you have got done: <progress>...</progress>.",
].join(" ");

/** What a rewrite of the goal has to know. */
export function mutationInput(
  state: RunState,
  plan: RunPlan,
  subtask: string,
  spec: AttemptSpec,
): MutationInput {
  const index = indexOf(state, subtask);
  const details = plan.subtasks[subtask];
  if (index === undefined || details === undefined)
    throw new Error(`broken invariant: no subtask ${subtask}`);
  return promptInput(state, details, subtaskAt(state, index), spec);
}

export function promptFor(
  state: RunState,
  plan: RunPlan,
  subtask: string,
  spec: AttemptSpec,
  { cwd, rewritten }: { readonly cwd: string; readonly rewritten?: string | undefined },
): string {
  const index = indexOf(state, subtask);
  const details = plan.subtasks[subtask];
  if (index === undefined || details === undefined)
    throw new Error(`broken invariant: no subtask ${subtask}`);
  const own = subtaskAt(state, index);
  const input = {
    ...promptInput(state, details, own, spec),
    ...repairOf(own, spec, plan, cwd),
    ...(rewritten === undefined ? {} : { rewritten }),
  };
  const reporting = details.output === undefined ? `\n\n${REPORTING}` : "";
  return `${subtaskPrompt(input)}${reporting}`;
}

function promptInput(
  state: RunState,
  details: SubtaskPlan,
  own: SubtaskState,
  spec: AttemptSpec,
): SubtaskPromptInput {
  const { prompt } = spec;
  const failed = own.attempts.filter(({ success }) => !success);
  const { earlier = [] } = details;
  const attempts = [...earlier, ...failed.map((record) => priorAttempt(record, earlier.length))];
  const common = {
    goal: details.prompt,
    checks: details.checks.map(({ run }) => run),
    files: [],
    failing: (failed.at(-1)?.failing ?? []).map((name) => ({ name })),
    failedApproaches: [...earlier, ...failed].map(({ approach = "", error }) => ({
      approach,
      ...(error && { error }),
    })),
  };
  const branch = BRANCH_APPROACHES.find(({ id }) => id === prompt.branch?.id);
  return {
    ...common,
    goal: branch === undefined ? common.goal : branch.prompt(common),
    inputs: details.inputs.flatMap((id) => declaredInput(state, id)),
    attempts,
    tell: tellings(spec, earlier.length > 0),
    ...(prompt.mutation === undefined ? {} : { mutation: prompt.mutation }),
    ...(prompt.words === undefined ? {} : { words: prompt.words }),
    ...(prompt.handOver === true ? handOverOf(own) : {}),
    ...(details.output === undefined
      ? {}
      : { format: { schema: details.output, ...refusedFor(own, spec) } }),
  };
}

/** The strategy the spec names, for the failure it was chosen for. */
function repairOf(
  { attempts }: SubtaskState,
  { prompt: { strategy } }: AttemptSpec,
  { permissions: { sudo, install, delete: remove } }: RunPlan,
  sandboxRoot: string,
): Pick<SubtaskPromptInput, "repair"> {
  const last = attempts.at(-1);
  if (strategy === undefined || last?.kind === undefined) return {};
  const [, name = ""] = strategy.split("/");
  const { kind, error = "" } = last;
  const permissions = { sudo, install, delete: remove };
  const failure = seen(kind, error, "tool");
  return { repair: { failure, error, strategy: name, sandboxRoot, permissions } };
}

/** What was wrong with the last answer, where this attempt is the reminder of it (E9). */
function refusedFor(
  { attempts }: SubtaskState,
  { prompt }: AttemptSpec,
): { readonly error?: string } {
  const last = attempts.at(-1);
  return prompt.remind === undefined || last?.error === undefined ? {} : { error: last.error };
}

/** Where the last session stood: its last words, and which files it changed if it said nothing of use. */
function handOverOf({ lastOutput, attempts }: SubtaskState): { readonly handover?: string } {
  const files = [...new Set(attempts.flatMap((record) => record.files ?? []))];
  const words = [
    lastOutput,
    files.length > 0 ? `Changed so far: ${files.slice(0, 50).join(", ")}` : "",
  ].filter((part) => part !== "");
  return words.length > 0 ? { handover: words.join("\n\n") } : {};
}

function tellings({ prompt }: AttemptSpec, earlier: boolean): Telling[] {
  if (prompt.mutation !== undefined) return ["retry-context"];
  if (prompt.feedback === true) return ["retry-context", "hints", "different-approach"];
  if (prompt.summary === true) return ["hints", "different-approach"];
  return prompt.strategy === undefined && !earlier ? [] : ["retry-context"];
}

function declaredInput(state: RunState, id: string): SubtaskPromptInput["inputs"] {
  const index = indexOf(state, id);
  const answer = index === undefined ? undefined : subtaskAt(state, index).answer;
  return answer === undefined ? [] : [{ name: id, content: answer }];
}

function priorAttempt(record: AttemptRecord, before: number): PriorAttempt {
  const { attempt, entry, approach, error, failing, kind, recovery } = record;
  return {
    attempt: before + attempt,
    tier: entry.tier,
    approach:
      approach === "" ? `${recovery ?? "first try"} with ${entry.model ?? entry.agent}` : approach,
    ...(failing.length > 0 ? { feedback: `failing: ${failing.join(", ")}` } : {}),
    error: error === undefined || error === "" ? (kind ?? "failed") : error,
  };
}
