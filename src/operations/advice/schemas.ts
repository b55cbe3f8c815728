/** Input and output schemas of the operations that give advice. */
import * as z from "zod";
import type { CaseVerdict } from "../../core/stuck/judge-case.ts";
import { OUTPUT_FORMATS } from "../../agents/registry.ts";
import { ORIGINS } from "../../core/evidence.ts";
import { FAILURE_KINDS } from "../../core/kinds.ts";
import { PATTERNS, type StuckVerdict } from "../../core/stuck/verdict.ts";
import type { PolicyData } from "../../core/adaptive/policy-data.ts";
import { POLICY_NAMES } from "../../core/policy/read.ts";
import type { RepairPlan } from "../../core/repair/repair.ts";
import type { Args } from "../../core/repair/tool-names.ts";
import type { Risk } from "../../core/repair/shell-script.ts";
import { data, flag, list, nothing, text, texts, word } from "../schema-fields.ts";

const name = text.optional().describe("How a problem names what was given");

/** A file's text, and its name in error messages. */
const named = z.strictObject({ text, called: text });

const evidence = z.strictObject({
  text: text.optional().describe("A log, or evidence as JSON"),
  fields: z.unknown().optional().describe("Evidence by its fields; they win over the text"),
  called: name,
});

export type EvidenceInput = z.infer<typeof evidence>;

export const classifyFailure = {
  input: evidence,
  output: z.strictObject({
    kind: z.enum(FAILURE_KINDS),
    category: z.enum(["transient", "systematic", "fatal"]),
    origin: z.enum(ORIGINS),
    confidence: z.number(),
    because: texts,
    signature: text,
    retryAfterMs: z.number().exactOptional(),
    resetAt: text.exactOptional(),
    resetIsExact: z.literal(true).exactOptional(),
    heldMs: z.number().exactOptional(),
  }),
};

const repair = z.strictObject({
  priority: z.number(),
  strategy: text,
  confidence: z.number(),
  estimatedIterations: z.number(),
  steps: list(
    z.strictObject({
      action: text,
      tool: text
        .nullable()
        .describe("The agent's own name of the tool; null where it or a person acts"),
      args: data<Args>(),
      expectedOutcome: text,
      needsPermission: word<Risk>().exactOptional(),
    }),
  ),
  fallbackChain: texts.describe("The strategies that follow if this one fails"),
});

export const suggestRepair = {
  input: evidence.extend({
    tools: texts.optional(),
    sandbox: text
      .optional()
      .describe("Where files may be written; default: TOOLS_FS_ROOT or the current folder"),
  }),
  output: repair.extend({
    kind: z.enum(FAILURE_KINDS),
    alternatives: list(repair),
  }) satisfies z.ZodType<RepairPlan>,
};

export const excerptOutput = {
  input: evidence.omit({ text: true }).extend({
    budget: z.number().int().min(200).max(100_000).optional().describe("Characters of the excerpt"),
  }),
  output: z.strictObject({
    kind: z.enum(["verification_failed", "broken_build", "timeout", "cannot_run", "passed"]),
    headline: text,
    excerpt: text,
    items: list(
      z.strictObject({
        name: text.exactOptional(),
        message: text,
        expected: text.exactOptional(),
        got: text.exactOptional(),
        place: text.exactOptional(),
      }),
    ),
  }),
};

export const validateAnswer = {
  input: z.strictObject({
    answer: text,
    schema: z.unknown().optional().describe("A JSON Schema that the answer must fit"),
    tools: z
      .unknown()
      .optional()
      .describe("Tools (own, MCP, Anthropic or OpenAI shape) that it must call"),
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
    z.strictObject({ preset: z.enum(POLICY_NAMES as [string, ...string[]]) }),
    named,
  ]),
  output: data<PolicyData>(),
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
    z.strictObject({ ok: z.literal(true), name: text, rungs: z.number().exactOptional() }),
    z.strictObject({ ok: z.literal(false), problems: list(yamlProblem) }),
  ]),
};

export const policySchema = { input: nothing, output: data<object>() };

export const detectLoops = {
  input: z.strictObject({
    chunks: data<AsyncIterable<Uint8Array>>(),
    format: z.enum(OUTPUT_FORMATS),
    config: named.optional().describe("Thresholds as YAML, by themselves or under `stuck`"),
    untilStuck: flag.describe("Stops at the first stuck verdict instead of at the end"),
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
