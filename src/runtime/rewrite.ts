/**
 * Has a cheap model rewrite the goal of an attempt that carries out a mutation (A4), where one is configured.
 * Invariant: a rewrite that fails, takes too long or makes no sense leaves the template's words.
 */
import { rewriteRequest, rewrittenGoal } from "../core/prompt/rewriting.ts";
import type { MutationInput } from "../core/prompt/mutation.ts";
import type { AttemptSpec } from "../core/run/attempt.ts";
import type { AttemptPlace } from "./ports-agent.ts";

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
