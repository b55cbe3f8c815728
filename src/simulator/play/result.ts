/** What is kept of a played task: plain data, from which every figure is computed. */
import type { FailureKind } from "../../core/kinds.ts";
import type { RootCause } from "../../core/adaptive/causes.ts";
import type { OutcomeByCause } from "../../core/adaptive/outcome-by-cause.ts";
import type { Move, Symptom } from "../world/world.ts";

export interface PlayedAttempt {
  readonly attempt: number;
  readonly move: Move | undefined;
  readonly tierStep: number;
  readonly solved: boolean;
  readonly cut: boolean;
  readonly symptom: Symptom | undefined;
  /** What the run took its failure for; nothing where it was told of none. */
  failure: FailureKind | undefined;
  readonly agent: string;
  readonly cost: number;
  readonly expected: number | undefined;
  /** What its outcome counts as, for each cause; nothing where the policy believes nothing. */
  readonly outcome: OutcomeByCause | undefined;
}

export interface TaskResult {
  readonly firstFailed: boolean;
  readonly cause: RootCause;
  readonly succeeded: boolean;
  /** Checks let wrong work through. */
  readonly silentlyWrong: boolean;
  /** In typical attempts on the first tier, a person's time among them. */
  readonly cost: number;
  /** Of the recovery budget, as a share of it. */
  readonly usedShare: number;
  readonly asked: boolean;
  /** A move was left that had a fair chance. */
  readonly falselyAsked: boolean;
  readonly hours: number;
  readonly attempts: readonly PlayedAttempt[];
}

/** Whether a move worked. The branches of an exploration are one move: it was chosen with the first of them. */
export function isSolvedFrom(attempts: TaskResult["attempts"], index: number): boolean {
  if (attempts[index]?.move !== "explore") return attempts[index]?.solved === true;
  const after = attempts.findIndex(
    ({ move, expected }, place) => place > index && (move !== "explore" || expected !== undefined),
  );
  const branches = attempts.slice(index, after < 0 ? attempts.length : after);
  return branches.some(({ solved }) => solved);
}
