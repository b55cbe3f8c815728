/**
 * The words an attempt is started with: the subtask's prompt with what its spec asks for, from recorded facts only.
 * Where a cheap model is configured it rewrites the goal of an attempt that carries out a mutation (A4). Invariants:
 * of other subtasks only declared inputs are told (E3); a rewrite that fails, takes too long or makes no sense leaves
 * the template's words.
 */
import { defined } from "../core/defined.ts";
import type { SubtaskPlan } from "../core/plan/plan.ts";
import { attemptPromptInput, repairTold } from "../core/prompt/attempt-prompt.ts";
import { rewriteRequest, rewrittenGoal } from "../core/prompt/mutation.ts";
import type { MutationInput } from "../core/prompt/mutation.ts";
import { repairSteps, subtaskPrompt } from "../core/prompt/subtask-prompt.ts";
import type { AttemptSpec } from "../core/run/attempt.ts";
import type { AttemptPlace } from "./ports-agent.ts";
import { stateOf } from "./ports.ts";
import type { RunUnderway } from "./ports.ts";

const REPORTING = [
  "State your approach first, in one line: <approach>...</approach>.",
  "Mark each thing you have got done: <progress>...</progress>.",
].join(" ");

/** Where the attempt works, and where what it writes beside its tree goes. */
interface At {
  readonly place: AttemptPlace;
  readonly folder: string;
  readonly cwd: string;
}

export async function promptFor(
  underway: RunUnderway,
  { prompt: goal, checks, inputs, earlier, output }: SubtaskPlan,
  spec: AttemptSpec,
  at: At,
): Promise<string> {
  const own = stateOf(underway, at.place.subtask);
  const input = attemptPromptInput(own, spec, {
    ...{ goal, earlier, schema: output },
    checks: checks.map(({ run }) => run),
    inputs: inputs.flatMap((name) => {
      const { answer: content } = stateOf(underway, name);
      return content === undefined ? [] : [{ name, content }];
    }),
  });
  const rewritten = await rewrittenBy(underway, spec, input, at);
  const told = repairTold(own, spec);
  const { sudo, install, delete: remove } = underway.plan.permissions;
  const repair =
    told &&
    ((maxChars: number): string =>
      repairSteps(
        { ...told, sandboxRoot: at.cwd, permissions: { sudo, install, delete: remove } },
        maxChars,
      ));
  const prompt = subtaskPrompt({ ...input, ...defined({ repair, rewritten }) });
  return output === undefined ? `${prompt}\n\n${REPORTING}` : prompt;
}

async function rewrittenBy(
  { ports: { askModel }, stop }: RunUnderway,
  { prompt: { mutation } }: AttemptSpec,
  input: MutationInput,
  { place, folder }: At,
): Promise<string | undefined> {
  if (askModel === undefined || mutation === undefined) return undefined;
  const prompt = rewriteRequest(mutation, input);
  const answer = await askModel({ prompt, place, folder, stop }).catch(() => undefined);
  return answer === undefined ? undefined : rewrittenGoal(input.goal, answer);
}
