/** The person of a world: what their answer achieves and costs, and whether they had to be asked at all. */
import { RECOVERIES } from "../../core/recovery.ts";
import { logNormal, streamOf } from "../random.ts";
import { MOVES, type World } from "../world/world.ts";
import { trueChance } from "./hidden-state.ts";
import { worldMinute } from "./outages.ts";
import type { Task } from "./task.ts";
import type { View } from "./view.ts";

const OF_PERSON = 0x70_65_72;

/** `asked`: so many minutes after the task has started, or never. */
export function personAnswers(
  { person }: World,
  task: Task,
  asked: number | undefined,
): { readonly solved: boolean; readonly cost: number; readonly minutes: number } {
  if (asked === undefined) return { solved: false, cost: 0, minutes: 0 };
  const next = streamOf(task.seed, task.index, OF_PERSON);
  const solves = task.cause === "person" ? person.solvesOwn : person.solves;
  const minutes = person.minutes * logNormal(next, person.spread);
  const waits = untilMorning(person, worldMinute(task, asked));
  return { solved: next() < solves, cost: person.price, minutes: waits + minutes };
}

const DAY_MINUTES = 24 * 60;

/** The world's clock starts at midnight. */
export function untilMorning({ night }: World["person"], minute: number): number {
  if (night === undefined) return 0;
  const since = (minute - night.from * 60) % DAY_MINUTES;
  const intoNight = since < 0 ? since + DAY_MINUTES : since;
  return Math.max(0, night.hours * 60 - intoNight);
}

/** A chance from which on a move is worth trying before anybody is asked. */
const FAIR_CHANCE = 0.3;

/** Asked, though some move that the whole budget could pay for had a fair chance. */
export function isFalseQuestion(
  { world, hidden }: Pick<View, "world" | "hidden">,
  budget: number,
): boolean {
  return world.tiers.some(
    ({ price }, tierStep) =>
      price <= budget &&
      MOVES.some((move) => {
        const { context, tree } = RECOVERIES[move];
        const keeps = { keepsSession: context === "keep", keepsTree: tree === "keep" };
        const start = { move, tierStep, ...keeps, ownTree: tree === "own" };
        return trueChance(world, hidden, start) >= FAIR_CHANCE;
      }),
  );
}
