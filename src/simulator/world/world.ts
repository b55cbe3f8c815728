/**
 * A world: why tasks fail, what they show, what each recovery achieves and what it costs. Plain data, so that anyone
 * can bring their own as JSON. Invariant: pollution is not a cause: a polluted task keeps its own.
 */
import * as z from "zod";
import { ROOT_CAUSES, type RootCause } from "../../core/adaptive/causes.ts";
import type { Move as WeighedMove } from "../../core/adaptive/tables.ts";

/** What a failed attempt looks like from outside. */
const SYMPTOMS = [
  "crash",
  "fewer-failing",
  "same-failing",
  "other-failing",
  "more-failing",
  "broken-build",
  "looping",
  "unchanged",
  "missing-program",
] as const;
export type Symptom = (typeof SYMPTOMS)[number];

/** Recoveries that start an agent, in the order in which worlds are drawn: another order is other worlds. */
export const MOVES = [
  "retry",
  "feedback",
  "repair",
  "mutate",
  "fresh",
  "sidegrade",
  "escalate",
  "explore",
  "continue",
] as const satisfies readonly WeighedMove[];
export type Move = (typeof MOVES)[number];

const share = z.number().min(0).max(1);
const amount = z.number().min(0).max(1e6);

const shownBy = z.partialRecord(z.enum(SYMPTOMS), amount);
const byTier = z.array(share).min(1).max(9);

export const worldSchema = z
  .strictObject({
    version: z.literal(1),
    name: z.string().min(1).max(80),
    firstSuccess: share.describe("How many first attempts succeed"),
    difficulty: amount.describe("Spread of the tasks' sizes: sigma of a log-normal with median 1"),
    causes: z
      .record(z.enum(ROOT_CAUSES), amount)
      .describe("How often each is why a first attempt failed"),
    success: z
      .record(z.enum(ROOT_CAUSES), z.record(z.enum(MOVES), byTier))
      .describe("Chance that a move solves a task with this cause, by tiers above the first"),
    accuracy: share.describe("How often a failure shows the symptoms of its own cause"),
    symptoms: z
      .record(z.enum([...ROOT_CAUSES, "pollution"]), shownBy)
      .describe("What each cause looks like when it shows itself"),
    pollution: z.strictObject({
      start: share.describe("First failures, but transient ones, that leave a spoiled tree"),
      later: share.describe("Failed attempts in a kept session that spoil the tree"),
      factor: share.describe("What is left of a move's chance where the spoiled tree is kept"),
      shows: share.describe("How often a spoiled tree hides the symptoms of the cause"),
    }),
    decay: share.describe("What is left of a move's chance after each failure in the same session"),
    wandering: z.strictObject({
      chance: share,
      length: amount.describe("Times as long"),
      success: share.describe("What is left of its chance"),
      seen: share.describe("How often it is noticed while it goes on"),
      falseAlarm: share.describe("How often a healthy attempt is taken for one"),
    }),
    length: amount.describe("Spread of attempts of one task: sigma of a log-normal"),
    minutes: amount.describe("A typical attempt takes so long"),
    tiers: z
      .array(z.strictObject({ price: amount, models: z.int().min(1).max(9) }))
      .min(1)
      .max(9)
      .describe("What an attempt costs on each tier; the first is 1"),
    moveCost: z.record(z.enum(MOVES), amount).describe("Times the price of the tier"),
    checks: z.strictObject({
      wrongAccepted: share.describe("Wrong work that the checks let through"),
      rightRefused: share.describe("Right work that they refuse, by chance"),
    }),
    outages: z
      .strictObject({ everyHours: amount, minutes: amount })
      .optional()
      .describe("The model service is down: so often, for so long, on average"),
    quota: z
      .strictObject({
        hours: z.number().min(0.1).max(1000).describe("Length of a window"),
        runsOut: share.describe("How many windows' quota is used up before they end"),
      })
      .optional()
      .describe("What everybody together may use of the model service in a window"),
    dependencies: z
      .strictObject({
        least: z.int().min(1).max(1000),
        most: z.int().min(1).max(1000).describe("Tasks of a plan"),
        parents: z.int().min(0).max(9).describe("At most so many tasks before it"),
      })
      .optional()
      .describe("Tasks are those of plans: one that failed blocks all that depend on it"),
    change: z
      .strictObject({
        after: share.describe("From this part of a world's tasks on"),
        odds: z.partialRecord(z.enum(MOVES), amount).describe("Times the odds of a move"),
      })
      .optional()
      .describe("The world becomes another one on the way"),
    person: z.strictObject({
      price: amount.describe("What a question costs, in attempts on the first tier"),
      minutes: amount.describe("Median time until the answer"),
      spread: amount.describe("Sigma of a log-normal"),
      night: z
        .strictObject({ from: z.number().min(0).max(24), hours: z.number().min(0).max(24) })
        .optional()
        .describe("Whoever is asked from this hour on answers when these hours are over"),
      solves: share,
      solvesOwn: share.describe("Of tasks that need a person"),
    }),
  })
  .describe("A world of unstuck simulate");

export type World = z.infer<typeof worldSchema>;

export function worldJsonSchema(): object {
  return { ...z.toJSONSchema(worldSchema, { target: "draft-7" }), title: "Unstuck world" };
}

/** The chance of a move on a tier; a table that is too short goes on with its last entry. */
export function chanceOf(
  { success }: Pick<World, "success">,
  cause: RootCause,
  move: Move,
  tierStep: number,
): number {
  const row = success[cause][move];
  return row[Math.min(tierStep, row.length - 1)] ?? 0;
}

/** How often a failure of this cause shows each symptom. */
export function symptomShares(
  world: Pick<World, "accuracy" | "symptoms">,
  cause: RootCause | "pollution",
): Readonly<Partial<Record<Symptom, number>>> {
  const others = Object.entries(world.symptoms).filter(([name]) => name !== cause);
  const shares: Partial<Record<Symptom, number>> = {};
  const add = (row: Readonly<Partial<Record<Symptom, number>>>, weight: number): void => {
    const sum = Object.values(row).reduce((total, one) => total + one, 0);
    for (const symptom of SYMPTOMS)
      if (sum > 0) shares[symptom] = (shares[symptom] ?? 0) + (weight * (row[symptom] ?? 0)) / sum;
  };
  add(world.symptoms[cause], world.accuracy);
  for (const [, row] of others) add(row, (1 - world.accuracy) / others.length);
  return shares;
}
