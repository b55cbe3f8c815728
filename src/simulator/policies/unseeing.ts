/**
 * The best that is possible without seeing the cause: knows the world's tables, keeps an exact belief about the hidden
 * state, and plans for what its moves will show. For small worlds. Invariants: up to a budget of `EXACT` it plans to
 * the end, so nothing that cannot see the cause does better; beyond that, it looks one move ahead and values the rest
 * as if nothing more were observed.
 */
import type { View } from "../play/view.ts";
import type { World } from "../world/world.ts";
import type { Contestant } from "./contestant.ts";
import { HiddenBelief, type Shares } from "./hidden-belief.ts";
import { best, choosing, optionsIn, UNRULED } from "./options.ts";
import { LEAST_LEFT, movesAt, TINY, type MoveAt } from "./oracle.ts";
import { tierOf } from "./symptoms.ts";

const EXACT = 3;
/** What is less likely than that is not looked into. */
const NEGLIGIBLE = 1e-6;

/** What is known for sure of a task. */
interface Known {
  readonly inSession: number;
  readonly tierStep: number;
  readonly starts: number;
  readonly mutations: number;
  readonly left: number;
}

class Planner {
  readonly belief: HiddenBelief;
  private readonly world: World;
  private readonly budget: number;

  constructor(world: World, budget: number) {
    this.world = world;
    this.budget = budget;
    this.belief = new HiddenBelief(world);
  }

  /** How likely it is that the task is solved with this move or after it, together with the shares. */
  worth(shares: Shares, known: Known, made: MoveAt, ahead: number): number {
    const after = this.after(known, made);
    if (after === undefined) return 0;
    const works = this.belief.works(shares, made, known.inSession);
    if (this.isOver(after)) return works;
    const failed = this.belief.failed(shares, made, known.inSession);
    let rest = 0;
    for (const look of this.belief.looks.values()) {
      let likely = 0;
      const shown = failed.map((share, at) => {
        const one = share * (look[at] ?? 0);
        likely += one;
        return one;
      });
      if (likely > NEGLIGIBLE) rest += this.value(shown, after, ahead - 1);
    }
    return works + rest;
  }

  private value(shares: Shares, known: Known, ahead: number): number {
    if (ahead === 0) return this.blindly(shares, known);
    let most = 0;
    for (const made of movesAt(this.world, known))
      most = Math.max(most, this.worth(shares, known, made, ahead));
    return most;
  }

  /** The best chance for its price, again and again, looking at nothing. */
  private blindly(shares: Shares, from: Known): number {
    let [now, known, solved] = [shares, from, 0];
    while (!this.isOver(known)) {
      const options = movesAt(this.world, known).flatMap((made) => {
        const after = this.after(known, made);
        return after === undefined ? [] : [{ made, after, paid: known.left - after.left }];
      });
      const chance = (made: MoveAt): number => this.belief.works(now, made, known.inSession);
      const found = best(options, ({ made, paid }) => chance(made) / paid);
      if (found === undefined) break;
      solved += chance(found.made);
      now = this.belief.failed(now, found.made, known.inSession);
      known = found.after;
    }
    return solved;
  }

  private isOver({ starts, left }: Known): boolean {
    return starts >= this.budget || left < LEAST_LEFT;
  }

  /** Nothing where what is left cannot pay for it. */
  private after(known: Known, [move, tierStep]: MoveAt): Known | undefined {
    const price = (this.world.tiers[tierStep]?.price ?? 1) * this.world.moveCost[move];
    if (price > known.left + TINY) return undefined;
    return {
      ...{ tierStep, starts: known.starts + 1, left: known.left - price },
      inSession: this.belief.inSession(move, known.inSession),
      mutations: known.mutations + (move === "mutate" ? 1 : 0),
    };
  }
}

/** What is believed and known of a task, from all that it has shown. */
function readingOf({ belief }: Planner, { past, left }: View) {
  let shares = belief.start();
  let known: Known = { inSession: 0, tierStep: 0, starts: 0, mutations: 0, left };
  for (const { move, tierStep, symptom } of past) {
    if (move !== undefined) {
      shares = belief.failed(shares, [move, tierStep], known.inSession);
      const mutations = known.mutations + (move === "mutate" ? 1 : 0);
      const inSession = belief.inSession(move, known.inSession);
      known = { inSession, tierStep, starts: known.starts + 1, mutations, left };
    }
    const look = symptom === undefined ? undefined : belief.looks.get(symptom);
    const seen = shares.map((share, at) => share * (look?.[at] ?? 1));
    const sum = seen.reduce((all, share) => all + share, 0);
    shares = seen.map((share) => share / sum);
  }
  return { shares, known };
}

export const unseeing: Contestant = {
  id: "unseeing",
  words: "the best that is possible without seeing the cause (small worlds only)",
  enter: (world) => {
    const worths = new Map<string, number>();
    let planner: Planner | undefined;
    return {
      playerFor: (view) => ({
        policy: choosing("unseeing", UNRULED, (situation) => {
          const { budget } = view.rules;
          planner ??= new Planner(world, budget);
          const plan = planner;
          const { shares, known } = readingOf(plan, view);
          const ahead = budget <= EXACT ? EXACT : 1;
          // Tasks that went the same way are the same to it.
          const way = view.past.map(({ move, tierStep, symptom }) => [move, tierStep, symptom]);
          const options = optionsIn(situation, world, tierOf(view)).filter(
            ({ move }) => move !== "explore" && move !== "repair",
          );
          return best(options, ({ move, start }) => {
            const key = JSON.stringify([way, move, start.tierStep]);
            const worth =
              worths.get(key) ?? plan.worth(shares, known, [move, start.tierStep], ahead);
            worths.set(key, worth);
            return worth;
          });
        }),
      }),
    };
  },
};
