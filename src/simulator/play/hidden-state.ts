/**
 * What an attempt really does: whether it solves the task, how long it takes, and what it leaves behind. Invariants:
 * the cause never changes; pollution affects only attempts that keep the tree, decay only those that keep the session;
 * luck comes only from the stream of (task, attempt, move), in a fixed order, so a better chance never meets worse
 * luck.
 */
import { logNormal, streamOf, type Stream } from "../random.ts";
import { chanceOf, MOVES, type Move, type World } from "../world/world.ts";
import type { Task } from "./task.ts";

export interface HiddenState {
  readonly task: Task;
  readonly polluted: boolean;
  /** Failed attempts in the session that would be kept. */
  readonly inSession: number;
  /** The work is right, and only the checks said otherwise. */
  readonly solved: boolean;
}

export const initialState = (task: Task): HiddenState => ({
  ...{ task, polluted: false, inSession: 0, solved: false },
});

/** How an attempt starts. */
export interface Start {
  readonly attempt: number;
  /** Nothing for a first attempt. */
  readonly move: Move | undefined;
  readonly tierStep: number;
  readonly keepsSession: boolean;
  readonly keepsTree: boolean;
  /** A branch of an exploration: what it spoils is its own. */
  readonly ownTree: boolean;
}

/** An attempt is ended once it has gone on for so many times the typical length. */
export interface CutOff {
  readonly times: number;
  /** Only where nothing new was seen of it: never for its length alone. */
  readonly unlessNew: boolean;
}

/** What ends an attempt before it is done. */
export interface Limits {
  readonly cutOff?: CutOff | undefined;
  /** What it may cost: what is left of the budget. */
  readonly most: number;
}

export interface Attempted {
  readonly solved: boolean;
  /** Ended before it was done. */
  readonly cut: boolean;
  /** In attempts of typical size on the first tier. */
  readonly cost: number;
  readonly minutes: number;
  readonly after: HiddenState;
  /** For what is still to be drawn of this attempt: its symptoms and checks. */
  readonly next: Stream;
}

const SOLVED_STAYS = 0.97;

/** The chance of success that nobody sees, before it is known whether the attempt wanders. */
export function trueChance(
  world: World,
  state: HiddenState,
  start: Omit<Start, "attempt">,
): number {
  const { task, solved, polluted, inSession } = state;
  if (start.move === undefined) return task.firstSucceeds ? 1 : 0;
  if (solved && start.keepsTree) return SOLVED_STAYS;
  const chance = chanceOf(world, task.cause, start.move, start.tierStep);
  const spoiled = polluted && start.keepsTree ? world.pollution.factor : 1;
  const tired = start.keepsSession ? world.decay ** inSession : 1;
  return chance * spoiled * tired;
}

/** Whatever it is worth, on average: attempts that wander take longer and fail more often. */
export const meanLength = ({ wandering: { chance, length } }: World): number =>
  1 + chance * (length - 1);

export function attempt(world: World, state: HiddenState, start: Start, limits: Limits): Attempted {
  const { task } = state;
  const { wandering } = world;
  const move = start.move === undefined ? 0 : 1 + MOVES.indexOf(start.move);
  const next = streamOf(task.seed, task.index, start.attempt, move);
  const [luck, wanders, notices, spoils] = [next(), next(), next(), next()];
  const healthy = logNormal(next, world.length);
  const canWander = start.move !== undefined && task.cause !== "transient" && !state.solved;
  const wandered = canWander && wanders < wandering.chance;
  const full = healthy * (wandered ? wandering.length : 1);
  const seen = notices < (wandered ? wandering.seen : wandering.falseAlarm);
  const isCut = (cutOff: CutOff): boolean => full > cutOff.times && (seen || !cutOff.unlessNew);
  const { cutOff, most } = limits;
  const tier = world.tiers[Math.min(start.tierStep, world.tiers.length - 1)];
  const price =
    task.size * (tier?.price ?? 1) * (start.move === undefined ? 1 : world.moveCost[start.move]);
  const allowed = cutOff !== undefined && isCut(cutOff) ? cutOff.times : full;
  const length = Math.min(allowed, most / price);
  const cut = length < full;
  const chance = trueChance(world, state, start) * (wandered ? wandering.success : 1);
  const solved = !cut && luck < chance;
  return {
    ...{ solved, cut, next },
    cost: length * price,
    minutes: length * task.size * world.minutes,
    after: afterwards(world, state, start, solved, spoils),
  };
}

function afterwards(
  world: World,
  state: HiddenState,
  start: Start,
  solved: boolean,
  spoils: number,
): HiddenState {
  if (start.ownTree) return solved ? { ...state, solved } : state;
  const { task } = state;
  const kept = start.keepsTree && state.polluted;
  const spoiled =
    start.move === undefined
      ? task.startsPolluted
      : start.keepsSession && task.cause !== "transient" && spoils < world.pollution.later;
  return {
    task,
    solved,
    polluted: !solved && (kept || spoiled),
    inSession: (start.keepsSession ? state.inSession : 0) + (start.move === undefined ? 0 : 1),
  };
}
