/** The moves that a run allows now, with their prices in the world: what every policy of the simulator chooses from. */
import type { Choice, Policy, PolicySettings } from "../../core/policy/policy.ts";
import type { Situation } from "../../core/policy/situation.ts";
import { PRESETS } from "../../core/policy/presets.ts";
import { RECOVERIES, type Recovery } from "../../core/recovery.ts";
import { meanLength, type Start } from "../play/hidden-state.ts";
import type { View } from "../play/view.ts";
import type { RootCause } from "../../core/adaptive/causes.ts";
import { MOVES, type Move, type World } from "../world/world.ts";

export interface Option {
  readonly move: Move;
  readonly recovery: Recovery;
  readonly start: Omit<Start, "attempt">;
  /** On average, in typical attempts on the first tier. */
  readonly cost: number;
}

export function optionsIn(situation: Situation, world: World, tierStep: number): readonly Option[] {
  const options: Option[] = [];
  const add = (move: Move, rung: Parameters<Situation["possible"]>[1]): void => {
    const granted = situation.possible(move, rung);
    if (granted.ok) options.push(optionOf(world, move, granted.recovery, tierStep));
  };
  for (const move of MOVES) {
    if (move === "continue") continue;
    add(move, move === "escalate" ? { to: "tier" } : {});
    const isNext = world.tiers.length === tierStep + 2;
    if (move === "escalate" && !isNext) add(move, { to: "top", thinking: true });
  }
  return options;
}

function optionOf(world: World, move: Move, recovery: Recovery, tierStep: number): Option {
  const step = "entry" in recovery ? recovery.entry.tier - 1 : tierStep;
  const price = world.tiers[step]?.price ?? 1;
  const starts = recovery.kind === "explore" ? recovery.branches.length : 1;
  return {
    ...{ move, recovery, start: startOfMove(move, step) },
    cost: price * world.moveCost[move] * meanLength(world) * starts,
  };
}

export function startOfMove(move: Move, tierStep: number): Omit<Start, "attempt"> {
  const { context, tree } = RECOVERIES[move];
  return {
    ...{ move, tierStep, keepsSession: context === "keep", keepsTree: tree === "keep" },
    ownTree: tree === "own",
  };
}

/** Those that what is left of the budget can pay, as long as nothing goes wrong; all, where none can be paid. */
export function affordable(
  options: readonly Option[],
  { world, left }: Pick<View, "world" | "left">,
): readonly Option[] {
  const most = left * meanLength(world);
  const within = options.filter(({ cost }) => cost <= most);
  return within.length > 0 ? within : options;
}

/** What wandering leaves of a chance, on average. */
export const afterWandering = ({ wandering }: World, cause: RootCause): number =>
  cause === "transient" ? 1 : 1 - wandering.chance * (1 - wandering.success);

export const best = <T>(items: readonly T[], worth: (item: T) => number): T | undefined =>
  items.reduce<{ readonly item?: T; readonly worth: number }>(
    (found, item) => (worth(item) > found.worth ? { item, worth: worth(item) } : found),
    { worth: -Infinity },
  ).item;

/** Guard rails only: what the structure rules of a run would do is left to the policy. */
const { rungs: _rungs, ...standard } = PRESETS.standard;
export const UNRULED: PolicySettings = { ...standard, structure: false, circular: "record" };

/** A policy that names one of the options, or nothing to ask. */
export function choosing(
  name: string,
  settings: PolicySettings,
  pick: (situation: Situation) => Pick<Option, "move" | "recovery"> | undefined,
): Policy {
  return {
    name,
    settings,
    choose: (situation): Choice => {
      const picked = pick(situation);
      return {
        recoveries: [picked?.recovery ?? { kind: "ask" }],
        chosenBy: { by: "rung", id: picked?.move ?? "ask" },
        because: picked === undefined ? "nothing is worth trying" : `${name} chose it`,
        considered: [],
      };
    },
  };
}
