/** What the code that builds a policy may see while a task is played; only clairvoyants look at the hidden state. */
import type { Policy } from "../../core/policy/policy.ts";
import type { World } from "../world/world.ts";
import type { CutOff, HiddenState } from "./hidden-state.ts";
import type { PlayedAttempt } from "./result.ts";

export interface Rules {
  /** What recovery may use: so many attempts, and what so many cost on the first tier. */
  readonly budget: number;
  /** A person answers; else a question ends the task. */
  readonly person: boolean;
}

export interface View {
  readonly world: World;
  readonly rules: Rules;
  readonly hidden: HiddenState;
  /** Attempts so far, oldest first. */
  readonly past: readonly PlayedAttempt[];
  /** Of the budget, in typical attempts of this task on its first tier. */
  readonly left: number;
  /** How sure a policy is of the move that it has just chosen: what its calibration is judged by. */
  expected: number | undefined;
}

export interface Player {
  readonly policy: Policy;
  readonly cutOff?: (view: View) => CutOff | undefined;
}
