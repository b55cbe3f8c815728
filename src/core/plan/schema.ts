/**
 * The single definition of the plan file (`unstuck.yaml`): types, validation and the JSON Schema for editors. Loaded
 * only when a plan is read or a schema printed.
 */
import * as z from "zod";
import { loopSettingsSchema } from "../policy/loop-settings.ts";
import { personSettingsSchema } from "../policy/person-settings.ts";
import { extendedAdaptiveSchema, extendedPolicySchema } from "../policy/read.ts";
import { adaptivePolicySchema, ladderPolicySchema } from "../policy/schema.ts";
import type { PlanAgents } from "./run-plan.ts";
import { check, minutes, text, subtask, budget, count, tests, tier, id } from "./subtask-schema.ts";

const relativePath = z
  .string()
  .min(1)
  .max(1000)
  .refine(
    (path) => !/^[/\\~]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)|\0/.test(path),
    "a path inside the repository",
  );

const glob = z.string().min(1).max(300);

const permission = z.enum(["allow", "deny", "ask"]);

export const planFileSchema = ({ adapters, formats }: Pick<PlanAgents, "adapters" | "formats">) =>
  z
    .strictObject({
      goal: text.optional().describe("What the run is for; the only subtask where none are listed"),
      agent: text.max(4000).optional().describe("An agent's name, or a command with {prompt}"),
      agents: z
        .record(
          id,
          z.strictObject({
            adapter: z
              .enum(adapters)
              .optional()
              .describe("How it is driven; default: by its name, or as a plain command"),
            command: text
              .max(4000)
              .optional()
              .describe("A command with {prompt}; for adapters, the program to start"),
            disabled: z.boolean().optional(),
            turns: z
              .int()
              .positive()
              .max(100_000)
              .optional()
              .describe("How many answers of its model one attempt may take"),
            format: z
              .enum(formats)
              .optional()
              .describe(
                "What its standard output is written in, so that loops are seen while it runs",
              ),
          }),
        )
        .optional()
        .describe("Agents by name"),
      models: z
        .array(
          z.strictObject({
            agent: id,
            model: z.string().max(200).optional(),
            tier: tier.optional(),
            disabled: z.boolean().optional(),
          }),
        )
        .min(1)
        .max(50)
        .optional()
        .describe("The model ladder, weakest first"),
      policy: z
        .union([
          z.string().min(1).max(200),
          extendedPolicySchema,
          ladderPolicySchema,
          extendedAdaptiveSchema,
          adaptivePolicySchema,
        ])
        .optional()
        .describe(
          "adaptive, a preset's name, a policy file (from the plan's folder), or a policy in place",
        ),
      loop: loopSettingsSchema.optional(),
      person: personSettingsSchema.optional(),
      max_subtask_retries: count.optional().describe("Runs after the first"),
      budget: budget.optional(),
      recovery_budget: budget
        .optional()
        .describe("Of the budget, what attempts made for recovery may use together"),
      attempt: z
        .strictObject({
          usd: z.number().positive(),
          tokens: z.int().positive(),
          minutes,
          idleMinutes: minutes,
        })
        .partial()
        .optional()
        .describe("What one attempt may use"),
      permissions: z
        .strictObject({ sudo: permission, install: permission, delete: permission })
        .partial()
        .optional(),
      rewrite: z
        .union([
          z.strictObject({ agent: id, model: z.string().max(200).optional() }),
          z.strictObject({
            endpoint: z.url({ protocol: /^https?$/ }),
            model: z.string().min(1).max(200),
            keyVariable: z
              .string()
              .regex(/^[A-Za-z_][A-Za-z0-9_]{0,100}$/)
              .optional()
              .describe("Environment variable that holds the key"),
          }),
        ])
        .optional()
        .describe("A cheap model that rewrites prompts: an agent of the plan, or an endpoint"),
      checkpoints: z
        .strictObject({
          expireMinutes: minutes.describe("A question that is open for longer counts as skipped"),
          permissionMinutes: z
            .number()
            .min(0)
            .max(24 * 60)
            .describe(
              "How long an agent that can wait does so for your answer when it asks to do something that is not " +
                "allowed. 0: refused at once. Default: 5, and 0 where nobody watches the run",
            ),
        })
        .partial()
        .optional()
        .describe("Questions to a person"),
      concurrency: count
        .min(1)
        .max(64)
        .optional()
        .describe(
          "Agents at a time. Default: one subtask; the branches it explores side by side, as many as the machine has cores",
        ),
      checks: z.array(check).max(50).optional().describe("Checks of subtasks that list none"),
      grounding: z
        .boolean()
        .optional()
        .describe(
          "Look before acting: a read-only first subtask. Default: where there are two or more subtasks and every agent has typed output, " +
            "and in the policy tier-ladder",
        ),
      workspace: z
        .strictObject({
          setup: z
            .array(text.max(2000))
            .max(20)
            .describe(
              "Commands that make a working tree ready; default: what the lock file asks for",
            ),
          setupInputs: z
            .array(glob)
            .max(50)
            .describe(
              "Globs of what setup reads: it runs again when one changes; default: lock files and manifests",
            ),
          cache: z
            .array(relativePath)
            .max(50)
            .describe(
              "Build caches that checks keep from one to the next; default: target, .gradle and the like",
            ),
          finalCheck: z
            .enum(["cold", "warm"])
            .describe(
              "cold (default): the commit that is published is checked once more without caches",
            ),
          carry: z
            .array(relativePath)
            .max(50)
            .describe("Untracked paths copied into each working tree"),
          protect: z.array(glob).max(100).describe("Globs whose changes are flagged"),
          forbidProtected: z.boolean().describe("A change to a protected path fails the attempt"),
        })
        .partial()
        .optional(),
      tests: tests.optional(),
      subtasks: z.array(subtask).min(1).max(10_000).optional(),
    })
    .describe("A plan of Unstuck");

export type PlanFile = z.infer<ReturnType<typeof planFileSchema>>;

export function planJsonSchema(agents: PlanAgents): object {
  return {
    ...z.toJSONSchema(planFileSchema(agents), { target: "draft-7" }),
    title: "Unstuck plan",
  };
}
