/** The schema of a subtask in a plan file. */
import * as z from "zod";

export const id = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "letters, digits, dot, dash, underscore");

export const text = z.string().trim().min(1).max(100_000);

export const count = z.int().min(0).max(1000);

export const minutes = z
  .number()
  .positive()
  .max(30 * 24 * 60);

export const tier = z.int().min(1).max(9);

export const budget = z
  .strictObject({
    usd: z.number().positive().max(1e6),
    tokens: z.int().positive().max(1e12),
    minutes,
    attempts: count.min(1),
  })
  .partial()
  .describe("Limits; a measure that is left out is not limited");

export const check = z
  .union([
    text.max(2000),
    z.strictObject({
      run: text.max(2000),
      name: z.string().max(100).optional(),
      minutes: minutes.optional(),
      expect: z
        .enum(["pass", "no-worse"])
        .optional()
        .describe("no-worse: what failed on the base may go on failing, nothing else may"),
    }),
  ])
  .describe("A command that verifies: exit code 0 is passed");

export const tests = z
  .enum(["judge", "keep", "free"])
  .describe(
    "What a change to tests and to what the checks run means. judge (default): the checks must also pass with the files as they were, " +
      "else the result is unverified; keep: such a result is a failure; free: it is verified, with a note",
  );

export const subtask = z.strictObject({
  id,
  prompt: text,
  dependsOn: z.array(id).max(500).optional().describe("Subtasks that must be done before"),
  checks: z.array(check).max(50).optional().describe("Default: the plan's checks"),
  tier: tier.optional().describe("How capable a model it needs to begin with; default 1"),
  readOnly: z
    .boolean()
    .optional()
    .describe(
      "Only looks: it is done with its answer, and whatever it changes is discarded; without an answer the others go on",
    ),
  critical: z.boolean().optional().describe("The run makes no sense without it"),
  exploratory: z
    .boolean()
    .optional()
    .describe("The way is open: other ways are tried before a stronger model (policy adaptive)"),
  tests: tests.optional(),
  inputs: z.array(id).max(50).optional().describe("Subtasks whose answers stand in its prompt"),
  output: z.record(z.string(), z.unknown()).optional().describe("JSON Schema its answer must fit"),
  limits: z
    .strictObject({ max_retries: count, minutes, idleMinutes: minutes, budget })
    .partial()
    .optional(),
});

export type SubtaskFile = z.infer<typeof subtask>;

export type CheckFile = z.infer<typeof check>;
