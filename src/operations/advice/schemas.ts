/** Input and output of the operations that give advice, for faces that check or describe them. */
import * as z from "zod";
import type { CaseVerdict } from "../../core/stuck/foreign-case.ts";
import { OUTPUT_FORMATS } from "../../agents/registry.ts";
import { ORIGINS } from "../../core/evidence.ts";
import { FAILURE_KINDS } from "../../core/kinds.ts";
import { PATTERNS } from "../../core/stuck/verdict.ts";
import { PRESETS } from "../../core/policy/presets.ts";
import type { LadderPolicy } from "../../core/policy/ladder-policy.ts";
import type { RepairPlan } from "../../core/repair/repair.ts";
import type { StuckVerdict } from "../../core/stuck/verdict.ts";

/** Data that the core defines and checks; here only that it is there. */
const data = <T extends object>() =>
  z.custom<T>((value) => typeof value === "object" && value !== null);
const text = z.string();
const name = text.optional().describe("How a problem names what was given");

const evidence = z.strictObject({
  text: text.optional().describe("A log, or evidence as JSON"),
  fields: z.unknown().optional().describe("Evidence by its fields; they win over the text"),
  called: name,
});

export const classifyFailure = {
  input: evidence,
  output: z.strictObject({
    kind: z.enum(FAILURE_KINDS),
    category: z.enum(["transient", "systematic", "fatal"]),
    origin: z.enum(ORIGINS),
    confidence: z.number(),
    because: z.array(text).readonly(),
    signature: text,
    retryAfterMs: z.number().exactOptional(),
    resetAt: text.exactOptional(),
    heldMs: z.number().exactOptional(),
  }),
};

export const suggestRepair = {
  input: evidence.extend({
    tools: z.array(text).readonly().optional(),
    sandbox: text.optional().describe("Where files may be written"),
  }),
  output: data<RepairPlan>(),
};

export const validateAnswer = {
  input: z.strictObject({
    answer: text,
    schema: z.unknown().optional().describe("A JSON Schema that the answer must fit"),
    tools: z.unknown().optional().describe("Tools that the answer must be a call of"),
    called: name,
  }),
  output: z.strictObject({
    valid: z.boolean(),
    value: z.unknown().optional(),
    repaired: z.boolean(),
    error: text.exactOptional(),
    suggestion: text.exactOptional(),
    schemaError: text.exactOptional(),
  }),
};

export const showPolicy = {
  input: z.union([
    z.strictObject({ preset: z.enum(Object.keys(PRESETS) as (keyof typeof PRESETS)[]) }),
    z.strictObject({ text, called: text }),
  ]),
  output: data<LadderPolicy>(),
};

const yamlProblem = z.strictObject({
  line: z.number(),
  column: z.number(),
  path: text,
  message: text,
});

export const checkPolicy = {
  input: z.strictObject({ text }),
  output: z.union([
    z.strictObject({ ok: z.literal(true), name: text, rungs: z.number() }),
    z.strictObject({ ok: z.literal(false), problems: z.array(yamlProblem).readonly() }),
  ]),
};

export const policySchema = { input: z.strictObject({}), output: data<object>() };

export const detectLoops = {
  input: z.strictObject({
    chunks: data<AsyncIterable<Uint8Array>>(),
    format: z.enum(OUTPUT_FORMATS),
    config: z.strictObject({ text, called: text }).optional(),
    untilStuck: z.boolean().optional(),
  }),
  output: z.strictObject({
    steps: z.number(),
    stuck: data<StuckVerdict>().exactOptional(),
    problems: z.number(),
  }),
};

export const detectCase = {
  input: z.strictObject({ given: z.unknown(), called: text }),
  output: z.strictObject({
    id: z.unknown(),
    stuck: z.boolean(),
    level: z.enum(["none", "nudge", "stuck"]),
    pattern: z.enum(PATTERNS).nullable(),
    loopStart: z.number().nullable(),
    reason: text.nullable(),
  }) satisfies z.ZodType<CaseVerdict>,
};
