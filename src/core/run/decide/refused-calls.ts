/**
 * Calls that the agent's gate refused. If an attempt fails with such a call among the possible causes, a person is
 * asked before any other recovery. Applies to every policy. Invariant: a person is not asked again about a call they
 * have decided on, or one that was allowed and still refused.
 */
import {
  isSameRefusal,
  isReadOnlyCall,
  refusalText,
  type Refusal,
} from "../../agent-words/refusal.ts";
import { isInfrastructure, makeFailure, type Failure } from "../../failure.ts";
import { hasTrait } from "../../kinds.ts";
import type { Choice } from "../../policy/policy.ts";
import { riskOf } from "../../repair/shell-script.ts";
import { destructive } from "../../shell/destructive.ts";
import { attemptRecord } from "../across-attempts.ts";
import { guard } from "./guard-rails.ts";
import { subtaskNow, type Turn } from "./turn.ts";

/**
 * The refused calls that may explain why the work is not done. A read-only call is not one of them if the attempt
 * changed the tree.
 */
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
      (treeBefore === treeAfter || !isReadOnlyCall(one)),
  );
}

export const refusedCause = ([first]: readonly Refusal[]): string | undefined =>
  first === undefined ? undefined : `refused ${refusalText(first)}`;

/** Attributes a failure of the work to the gate; infrastructure failures, cut-offs and fatal kinds stay as they are. */
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
