/**
 * Calls that the agent's gate refused (U21): an attempt that ends red with one among its causes is asked about before
 * any other recovery. Binds every policy. Invariant: nobody is asked again about what they answered, nor about what
 * was allowed and refused all the same.
 */
import { isSameRefusal, onlyLooks, refusalText, type Refusal } from "../../agent-words/refusal.ts";
import { isInfrastructure, makeFailure, type Failure } from "../../failure.ts";
import { hasTrait } from "../../kinds.ts";
import type { Choice } from "../../policy/policy.ts";
import { riskOf } from "../../repair/shell-script.ts";
import { destructive } from "../../shell/destructive.ts";
import { attemptRecord } from "../across-attempts.ts";
import { guard } from "./guard-rails.ts";
import { subtaskNow, type Turn } from "./turn.ts";

/** Those that may be why it is not done: what only wanted to look is none where work was done all the same. */
export function refusedCauses(turn: Turn, subtask: string, attempt: number): readonly Refusal[] {
  const { state } = subtaskNow(turn, subtask);
  const { refused = [], treeBefore, treeAfter } = attemptRecord(state, attempt) ?? {};
  const { never = [] } = turn.state.plan;
  const isNever = ({ command }: Refusal): boolean => {
    const risk = riskOf(command);
    return risk !== undefined && never.includes(risk);
  };
  const settled = [...state.declined, ...turn.state.allowed, ...(state.lastSpec?.allow ?? [])];
  return refused.filter(
    (one) =>
      !settled.some((other) => isSameRefusal(one, other)) &&
      !isNever(one) &&
      (treeBefore === treeAfter || !onlyLooks(one)),
  );
}

export const refusedCause = ([first]: readonly Refusal[]): string | undefined =>
  first === undefined ? undefined : `refused ${refusalText(first)}`;

/** What the checks found wanting is put down to the gate; other causes stand. */
export function asRefused(failure: Failure, refused: readonly Refusal[]): Failure {
  const [first] = refused;
  const isElsewhere = isInfrastructure(failure) || hasTrait(failure.kind, "cut-off");
  if (first === undefined || isElsewhere || failure.category === "fatal") return failure;
  const kind = refused.some(({ command }) => destructive(command) !== undefined)
    ? "unsafe_action"
    : "permission_denied";
  const words = `the agent's gate refused: ${refusalText(first)}`;
  const because = [words, ...failure.because];
  return makeFailure({ kind, origin: "tool", because, signedBy: words });
}

export const askAboutRefusal = (refused: readonly Refusal[]): Choice | undefined =>
  refused.length === 0
    ? undefined
    : guard("refused", { kind: "ask" }, "a person can allow what the agent's gate refused");
