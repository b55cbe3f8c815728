/** Input and output schemas of the comparison of policies. */
import * as z from "zod";
import { flag, list, text } from "../schema-fields.ts";

const count = z.number();

const interval = z
  .strictObject({ mean: count, low: count, high: count })
  .describe("Paired by world; low and high: the 95 % interval");

const row = z.strictObject({
  policy: text,
  words: text.describe("What it does"),
  recovered: count.describe("Share of the first failures that ended well"),
  success: count.describe("Share of all tasks, those that were blocked among them"),
  blockedPer100: count.describe("Never started, because a task they depend on failed"),
  costPerSuccess: count.describe("In typical attempts on the first tier"),
  recoveredAgainst: interval.describe("Difference in `recovered` to the policy of `against`"),
  costAgainst: interval.describe("Difference in `costPerSuccess`, as a share of the other's"),
  area: count.describe("Mean of `recovered` over all budgets up to this one"),
  starts: count.describe("Agent starts a task"),
  hours: count.describe("From start to end of a task"),
  wasted: count.describe("Share of the cost that went into tasks that failed"),
  questionsPer100: count,
  falseQuestionsPer100: count.describe(
    "Asked, though a move with a chance of 0.3 or more was left",
  ),
  missedQuestionsPer100: count.describe("Needed a person, and used up the budget first"),
  silentlyWrongPer100: count.describe("Wrong work that the checks let through"),
  confidence: z
    .strictObject({
      brier: count,
      brierOfBaseRate: count.describe("Of always saying how often moves work"),
      bins: list(z.strictObject({ cases: count, expected: count, came: count })),
    })
    .exactOptional()
    .describe("How well it knew its chances, where it says them"),
});

export const comparePolicies = {
  input: z.strictObject({
    worlds: z.int().min(1).max(1000).optional().describe("How many worlds; default 30"),
    seed: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe("The seed of the first world; default 1"),
    tasks: z.int().min(1).max(100_000).optional().describe("Tasks in each world; default 400"),
    skip: z
      .int()
      .min(0)
      .max(100_000)
      .optional()
      .describe("Tasks before those, to learn from; default 0"),
    budget: z
      .int()
      .min(1)
      .max(50)
      .optional()
      .describe("Recovery attempts for each task; default 8"),
    policies: list(text).optional().describe("Only these; default: all"),
    against: text
      .optional()
      .describe("The policy that the others are compared with; default fresh"),
    person: flag.describe("A person answers questions; else a question ends a task"),
    dependent: flag.describe("Tasks depend on each other: one that failed blocks others"),
    change: flag.describe("Half-way feedback helps less from then on, a stronger model more"),
    small: flag.describe("Worlds so simple that the best there is can be worked out"),
    world: z.unknown().optional().describe("A world of your own instead of random ones"),
    chart: text.optional().describe("Write a chart to this file (SVG)"),
  }),
  output: z.strictObject({
    settings: z.strictObject({
      worlds: count,
      seed: count,
      tasks: count,
      skip: count,
      budget: count,
      against: text,
      person: z.boolean(),
      dependent: z.boolean(),
      world: text.describe("`random`, `small random`, or the name of the world that was given"),
    }),
    policies: list(row).describe("Most recovered first"),
    chart: text.exactOptional(),
  }),
};

export type Comparison = z.infer<(typeof comparePolicies)["output"]>;
