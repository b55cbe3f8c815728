/**
 * Builds the prompt of an attempt from recorded facts only; if a cheap model is configured, it rewrites the goal of a
 * mutation (A4). Of other subtasks only declared inputs are included (E3). If a rewrite fails, times out or makes no
 * sense, the template's words stay.
 */
import { isShellRefusal } from "../core/agent-words/refusal.ts";
import { defined } from "../core/defined.ts";
import type { SubtaskPlan } from "../core/plan/run-plan.ts";
import { attemptPromptInput, repairToShow } from "../core/prompt/attempt-prompt.ts";
import { rewriteRequest, rewrittenGoal, type MutationInput } from "../core/prompt/mutation.ts";
import { subtaskPrompt } from "../core/prompt/subtask-prompt.ts";
import { treeDescription } from "../core/prompt/tree-description.ts";
import { repairSteps } from "../core/repair/run-repair.ts";
import type { AttemptSpec } from "../core/run/attempt.ts";
import { allowedTo } from "./allowed-calls.ts";
import type { Agent, AgentRequest } from "./ports-agent.ts";
import { stateOf, type RunUnderway } from "./ports.ts";

const REPORTING = [
  "State your approach first, in one line: <approach>...</approach>.",
  "Mark each thing you have got done: <progress>...</progress>.",
].join(" ");

/** Where the attempt works, and where it writes files outside its tree. */
type At = Pick<AgentRequest, "place" | "folder">;

export async function promptFor(
  underway: RunUnderway,
  { prompt: goal, checks, inputs, earlier, output }: SubtaskPlan,
  spec: AttemptSpec,
  at: At,
  { isGated = false, canThink = false }: Agent,
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
  const told = repairToShow(own, spec);
  const { permissions, never } = underway.state().plan;
  const repair =
    told &&
    ((maxChars: number): string =>
      repairSteps({ ...told, ...defined({ permissions }) }, told.strategy, maxChars));
  const { full } = underway.plan.permissions;
  const allowed = allowedTo(underway, spec).filter(isShellRefusal);
  const mayRun = [...new Set([...input.checks, ...allowed.map((call) => call.command)])];
  const prompt = subtaskPrompt({
    ...input,
    tree: output === undefined ? treeDescription(own, spec) : "",
    thinkLonger: spec.thinking && !canThink,
    ...defined({ never, repair, rewritten, mayRun: isGated && !full ? mayRun : undefined }),
  });
  return output === undefined ? `${prompt}\n\n${REPORTING}` : prompt;
}

async function rewrittenBy(
  { ports: { askModel }, stop }: RunUnderway,
  { recovery, prompt: { mutation } }: AttemptSpec,
  input: MutationInput,
  { place, folder }: At,
): Promise<string | undefined> {
  if (askModel === undefined || mutation === undefined || recovery !== "mutate") return undefined;
  const prompt = rewriteRequest(mutation, input);
  const answer = await askModel({ prompt, place, folder, stop }).catch(() => undefined);
  return answer === undefined ? undefined : rewrittenGoal(input.goal, answer);
}
