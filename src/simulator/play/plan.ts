/** The plan in which a task is played, and the start of a run's attempts in terms of the world. */
import type { ModelEntry, Plan } from "../../core/plan/plan.ts";
import type { AttemptSpec } from "../../core/run/attempt.ts";
import { MOVES, type Move, type World } from "../world/world.ts";
import type { Start } from "./hidden-state.ts";
import type { Task } from "./task.ts";

export const SUBTASK = "task";
export const MINUTE_MS = 60_000;

const ladders = new WeakMap<World, readonly ModelEntry[]>();

function ladderOf(world: World): readonly ModelEntry[] {
  const known = ladders.get(world);
  if (known !== undefined) return known;
  const made = world.tiers.flatMap(({ models }, step) =>
    Array.from({ length: models }, (_, index) => ({
      agent: `agent${step + 1}`,
      model: `m${index + 1}`,
      tier: step + 1,
    })),
  );
  ladders.set(world, made);
  return made;
}

export function planFor(world: World, task: Task, usd: number): Plan {
  const limits = { budget: { usd } };
  return {
    goal: SUBTASK,
    subtasks: [{ id: SUBTASK, prompt: SUBTASK, dependsOn: [], checks: 1, limits }],
    judged: true,
    ladder: ladderOf(world),
    concurrency: 1,
    budget: {},
    attemptCap: { usd: task.size },
  };
}

export function startOf(of: {
  readonly attempt: number;
  readonly tier: number;
  readonly spec?: AttemptSpec;
}): Start {
  const { attempt, tier, spec } = of;
  const recovery = spec?.recovery;
  return {
    attempt,
    move: recovery === undefined ? undefined : moveOf(recovery),
    tierStep: tier - 1,
    keepsSession: spec?.context === "keep" && recovery !== "explore",
    keepsTree: recovery !== undefined && recovery !== "explore" && spec?.tree.kind === "keep",
    ownTree: recovery === "explore",
  };
}

const moveOf = (recovery: string): Move =>
  (MOVES as readonly string[]).includes(recovery) ? (recovery as Move) : "retry";
