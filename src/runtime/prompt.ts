/**
 * The words an attempt is started with: the subtask's prompt with what its spec asks for, from recorded facts
 * only. Invariant: of other subtasks only declared inputs are told (E3).
 */
import type { RunPlan, SubtaskPlan } from "../core/plan/plan.ts";
import type { MutationInput } from "../core/prompt/mutation.ts";
import { attemptPromptInput, repairTold } from "../core/prompt/attempt-prompt.ts";
import { repairSteps, subtaskPrompt } from "../core/prompt/subtask-prompt.ts";
import type { DeclaredInput, SubtaskPromptInput } from "../core/prompt/subtask-prompt.ts";
import type { AttemptSpec } from "../core/run/attempt.ts";
import { indexOf, subtaskAt } from "../core/run/state.ts";
import type { RunState, SubtaskState } from "../core/run/state.ts";
import { rewriteRequest, rewrittenGoal } from "../core/prompt/mutation.ts";
import type { AttemptPlace } from "./ports-agent.ts";

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
  const { details, own } = subtaskIn(state, plan, subtask);
  return promptInput(state, details, own, spec);
}

export function promptFor(
  state: RunState,
  plan: RunPlan,
  subtask: string,
  spec: AttemptSpec,
  { cwd, rewritten }: { readonly cwd: string; readonly rewritten?: string | undefined },
): string {
  const { details, own } = subtaskIn(state, plan, subtask);
  const { sudo, install, delete: remove } = plan.permissions;
  const repair = repairTold(own, spec);
  const permissions = { sudo, install, delete: remove };
  const input = {
    ...promptInput(state, details, own, spec),
    ...(repair === undefined
      ? {}
      : {
          repair: (maxChars: number) =>
            repairSteps({ ...repair, sandboxRoot: cwd, permissions }, maxChars),
        }),
    ...(rewritten === undefined ? {} : { rewritten }),
  };
  const reporting = details.output === undefined ? `\n\n${REPORTING}` : "";
  return `${subtaskPrompt(input)}${reporting}`;
}

function subtaskIn(
  state: RunState,
  plan: RunPlan,
  subtask: string,
): { readonly details: SubtaskPlan; readonly own: SubtaskState } {
  const index = indexOf(state, subtask);
  const details = plan.subtasks[subtask];
  if (index === undefined || details === undefined)
    throw new Error(`broken invariant: no subtask ${subtask}`);
  return { details, own: subtaskAt(state, index) };
}

const promptInput = (
  state: RunState,
  { prompt: goal, checks, inputs, earlier, output }: SubtaskPlan,
  own: SubtaskState,
  spec: AttemptSpec,
): SubtaskPromptInput =>
  attemptPromptInput(own, spec, {
    ...{ goal, earlier, schema: output },
    checks: checks.map(({ run }) => run),
    inputs: inputs.flatMap((id) => declaredInput(state, id)),
  });

function declaredInput(state: RunState, id: string): readonly DeclaredInput[] {
  const index = indexOf(state, id);
  const answer = index === undefined ? undefined : subtaskAt(state, index).answer;
  return answer === undefined ? [] : [{ name: id, content: answer }];
}

/** Asks a model one question; nothing where it gave no answer. */
export type AskModel = (request: {
  readonly prompt: string;
  /** The attempt it is asked for: what is started for it is found and ended like the attempt itself. */
  readonly place: AttemptPlace;
  readonly folder: string;
  readonly stop: AbortSignal;
}) => Promise<string | undefined>;

export async function rewriteGoal(
  ask: AskModel | undefined,
  { prompt: { mutation } }: AttemptSpec,
  input: MutationInput,
  at: Omit<Parameters<AskModel>[0], "prompt">,
): Promise<string | undefined> {
  if (ask === undefined || mutation === undefined) return undefined;
  const answer = await ask({ prompt: rewriteRequest(mutation, input), ...at }).catch(
    () => undefined,
  );
  return answer === undefined ? undefined : rewrittenGoal(input.goal, answer);
}
