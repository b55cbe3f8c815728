/** Input and output schemas of the operations that let an agent write a plan. */
import * as z from "zod";
import { flag, list, text, texts } from "../schema-fields.ts";
import { triedCheck } from "../setup/schemas.ts";

const described = {
  goal: text,
  subtasks: list(
    z.strictObject({
      id: text,
      prompt: text,
      dependsOn: texts,
      checks: texts,
      readOnly: z.literal(true).exactOptional().describe("Only looks around"),
    }),
  ).describe("Each after those it depends on"),
  commands: list(
    z.strictObject({
      what: z.enum(["agent", "setup", "check"]),
      run: text,
      from: text.exactOptional().describe("The file that asks for it, where the plan does not"),
    }),
  ).describe("Everything that a run of the plan would start, in full"),
  limits: z
    .strictObject({
      attempts: z.number().exactOptional(),
      usd: z.number().exactOptional(),
      tokens: z.number().exactOptional(),
      timeMs: z.number().exactOptional(),
      attemptMs: z.number().describe("The longest that one attempt may take"),
      unreported: texts.describe(
        "Agents that do not tell their cost: no limit in dollars holds them",
      ),
    })
    .describe("A measure that is left out is not limited"),
};

const planned = z.strictObject(described);

export type PlanDescription = z.infer<typeof planned>;

export const checkPlan = {
  input: z.strictObject({ planText: text.describe("A plan in YAML, as it is so far") }),
  output: z.strictObject({
    /** What would prevent a run of it from starting; the most important first. */
    problems: list(
      z.strictObject({
        /** From 1; missing if it is about no particular line. */
        line: z.number().exactOptional(),
        column: z.number().exactOptional(),
        message: text,
        /** What to do or write instead. */
        next: text.exactOptional(),
      }),
    ),
    /** Missing if the plan cannot be read. */
    plan: planned.exactOptional(),
  }),
};

export const draftPlan = {
  input: z.strictObject({
    goal: text.optional(),
    document: z.strictObject({ name: text, text }).optional(),
    issues: z
      .strictObject({
        label: text.optional(),
        limit: z.int().min(1).max(100).optional(),
      })
      .optional()
      .describe("Open issues of the repository, through gh"),
    change: z
      .strictObject({ plan: text, words: text })
      .optional()
      .describe("A plan that was written before, and what a person wants changed in it"),
    agent: text.optional(),
    usd: z.number().positive().max(1e6).optional().describe("Limit of the whole run"),
  }),
  output: planned.extend({
    text: text.describe("The plan file"),
    agent: text,
    asked: z.number().describe("How often the agent was asked"),
    usd: z.number().exactOptional().describe("What writing it cost, where the agent tells"),
  }),
};

export const acceptPlan = {
  input: z.strictObject({
    text,
    output: text.optional().describe("The file; default: unstuck.yaml in the repository's root"),
    force: flag.describe("Overwrites an existing file"),
  }),
  output: z.strictObject({
    file: text,
    tried: list(triedCheck).describe("The plan's checks on the base, as far as they were run"),
  }),
};

export const planPlace = {
  input: z.strictObject({ output: text.optional() }),
  output: z.strictObject({ file: text, exists: z.boolean() }),
};
