/**
 * The best that any policy can do, computed exactly: for worlds that are small enough, in which only the success of a
 * move and the pollution of the tree are random. Knows the hidden state and plans to the end of the budget.
 */
import { trueChance, type HiddenState } from "../play/hidden-state.ts";
import { ROOT_CAUSES } from "../../core/adaptive/causes.ts";
import { MOVES, type Move, type World } from "../world/world.ts";
import type { Contestant } from "./contestant.ts";
import { best, choosing, optionsIn, startOfMove, UNRULED } from "./options.ts";
import { tierOf } from "./symptoms.ts";

const zero = (row: readonly number[]): boolean => row.every((chance) => chance === 0);

/** No luck but the moves', and no move that depends on how a failure looks. */
export const isSmall = (world: World): boolean =>
  world.wandering.chance === 0 &&
  world.outages === undefined &&
  world.length === 0 &&
  world.checks.wrongAccepted === 0 &&
  world.checks.rightRefused === 0 &&
  world.tiers.every(({ models }) => models === 1) &&
  ROOT_CAUSES.every((cause) => zero(world.success[cause].repair)) &&
  ROOT_CAUSES.every((cause) =>
    world.success[cause].explore.every((chance, step) => {
      return chance <= (world.success[cause].fresh[step] ?? 0);
    }),
  );

interface Node {
  readonly hidden: HiddenState;
  readonly tierStep: number;
  /** Moves made for recovery, and mutations among them. */
  readonly starts: number;
  readonly mutations: number;
  readonly left: number;
}

const MUTATIONS_MAX = UNRULED.recovery.promptMutations;
/** A run starts no attempt for less than this part of a typical one. */
export const LEAST_LEFT = 0.25;
export const TINY = 1e-9;

class Planner {
  private readonly known = new Map<string, number>();
  private readonly world: World;
  private readonly budget: number;

  constructor(world: World, budget: number) {
    this.world = world;
    this.budget = budget;
  }

  /** The chance to solve the task from here. */
  value(node: Node): number {
    if (node.starts >= this.budget || node.left < LEAST_LEFT) return 0;
    const { hidden } = node;
    const key = [
      ...[hidden.task.cause, hidden.polluted, hidden.inSession, node.tierStep, node.starts],
      ...[node.mutations, Math.round(node.left * 1e6)],
    ].join();
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const value = Math.max(
      ...movesAt(this.world, node).map(([move, step]) => this.worth(node, move, step)),
    );
    this.known.set(key, value);
    return value;
  }

  /** The chance to solve the task with this move, or after it. */
  worth(node: Node, move: Move, tierStep: number): number {
    const { world } = this;
    const price = (world.tiers[tierStep]?.price ?? 1) * world.moveCost[move];
    if (price > node.left + TINY) return 0;
    const start = startOfMove(move, tierStep);
    const chance = trueChance(world, node.hidden, start);
    const kept = start.keepsTree && node.hidden.polluted;
    const isSpoilable = start.keepsSession && node.hidden.task.cause !== "transient";
    const spoils = kept ? 1 : isSpoilable ? world.pollution.later : 0;
    const then = (polluted: boolean): number =>
      this.value({
        tierStep,
        starts: node.starts + 1,
        mutations: node.mutations + (move === "mutate" ? 1 : 0),
        left: node.left - price,
        hidden: {
          ...node.hidden,
          polluted,
          inSession: (start.keepsSession ? node.hidden.inSession : 0) + 1,
        },
      });
    const failed =
      (spoils > 0 ? spoils * then(true) : 0) + (spoils < 1 ? (1 - spoils) * then(false) : 0);
    return chance + (1 - chance) * failed;
  }
}

/** A move, and the tier it is made with. */
export type MoveAt = readonly [Move, number];

/** The moves that a small world has. */
export function movesAt(
  { tiers }: World,
  { tierStep, mutations }: Pick<Node, "tierStep" | "mutations">,
): readonly MoveAt[] {
  const top = tiers.length - 1;
  const here = MOVES.filter((move) =>
    move === "mutate"
      ? mutations < MUTATIONS_MAX
      : !["escalate", "explore", "repair", "sidegrade", "continue"].includes(move),
  ).map((move) => [move, tierStep] as const);
  const up = Array.from({ length: top - tierStep }, (_, by) => tierStep + 1 + by);
  const steps = up.length === 0 ? [top] : up;
  return [...here, ...steps.map((step) => ["escalate", step] as const)];
}

export const oracle: Contestant = {
  id: "oracle",
  words: "the best that is possible, worked out exactly (small worlds only)",
  enter: (world) => {
    let planner: Planner | undefined;
    return {
      playerFor: (view) => ({
        policy: choosing("oracle", UNRULED, (situation) => {
          planner ??= new Planner(world, view.rules.budget);
          const made = view.past.slice(1);
          const node: Node = {
            hidden: view.hidden,
            tierStep: tierOf(view),
            starts: made.length,
            mutations: made.filter(({ move }) => move === "mutate").length,
            left: view.left,
          };
          const options = optionsIn(situation, world, node.tierStep).filter(
            ({ move }) => move !== "explore" && move !== "repair",
          );
          const worth = planner;
          return best(options, ({ move, start }) => worth.worth(node, move, start.tierStep));
        }),
      }),
    };
  },
};
