/**
 * Uses the agent's final words when its work is not done. What the agent reports as missing becomes the failure. A
 * question of its own is first handed back to the agent to settle and, the second time, put to a person. Applies to
 * every policy, like a guard rail; limits on starts still apply.
 */
import { refusalText, type Refusal } from "../../agent-words/refusal.ts";
import type { Lack } from "../../agent-words/reported-lack.ts";
import { isInfrastructure, makeFailure, type Failure } from "../../failure.ts";
import { cleanText } from "../../foreign-text.ts";
import { hasTrait, type FailureKind } from "../../kinds.ts";
import type { Choice } from "../../policy/policy.ts";
import { guard } from "./guard-rails.ts";
import { possible, type RecoveryView } from "./possible-recoveries.ts";

/** Kinds that only say that the work is not done. */
const NOT_DONE: readonly FailureKind[] = ["verification_failed", "no_progress", "unknown"];

/** Replaces a failed check by what the agent lacks, if the agent named that as the reason. */
export function failureFromLack(failure: Failure, lacks: Lack | undefined): Failure {
  if (lacks === undefined || !NOT_DONE.includes(failure.kind)) return failure;
  const { kind, words } = lacks;
  const because = [`the agent says: ${words}`, ...failure.because];
  return makeFailure({ kind, origin: "tool", because, signedBy: words, confidence: 0.8 });
}

/** Puts the actual reason (refused calls, or what is lacking) before the output of the checks. */
export function withLack(
  error: string,
  refused: readonly Refusal[],
  lacks: Lack | undefined,
): string {
  const said = refused.map((one) => `not permitted: ${refusalText(one)}`);
  const words = said.length === 0 && lacks !== undefined ? [lacks.words] : said;
  const news = words.filter((one) => !error.includes(one));
  return cleanText([...news, error].join("\n"), { maxChars: 2000 }).trim();
}

export function choiceForAgentQuestion(view: RecoveryView): Choice | undefined {
  const { failure, subtask } = view;
  const { asks } = subtask.attempts.at(-1) ?? {};
  const isElsewhere = isInfrastructure(failure) || hasTrait(failure.kind, "cut-off");
  if (asks === undefined || isElsewhere || failure.kind === "malformed_output") return undefined;
  // If something is missing that a known repair may provide, there is nothing to ask.
  if (failure.origin === "tool" && possible(view, "repair", {}).ok) return undefined;
  if (!subtask.toldToDecide && possible(view, "retry", {}).ok) {
    const because = "the agent asks something: it is told to settle it, as nobody is here";
    return guard("agent-asks", { kind: "retry", remind: "decide" }, because);
  }
  return guard("agent-asks", { kind: "ask" }, "the agent asks what it cannot settle itself");
}
