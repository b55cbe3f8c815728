/**
 * Policy files: what a ladder policy in a file must look like, and reading one: a whole ladder, or `extends: <preset>`
 * with what is to differ, or the name of a preset. Problems name the line. The JSON Schema for editors comes from the
 * same source as the checks. Loaded only where a policy file is read or a schema printed.
 */
import * as z from "zod";
import { FAILURE_KINDS } from "../kinds.ts";
import type { FailureKind } from "../kinds.ts";
import { checkYaml, parseYaml } from "../read-yaml.ts";
import type { Problem, YamlReading, YamlSource } from "../read-yaml.ts";
import { MUTATIONS, RECOVERY_NAMES } from "../recovery.ts";
import type { RecoveryName } from "../recovery.ts";
import { nearestName } from "../validate/nearest-name.ts";
import type { LadderPolicy } from "./policy.ts";
import { PRESETS } from "./presets.ts";
import type { PresetName } from "./presets.ts";

// Stryker disable all: what a file must look like is data.
const kind = z.enum(FAILURE_KINDS as [FailureKind, ...FailureKind[]]);
const recovery = z.enum(RECOVERY_NAMES as [RecoveryName, ...RecoveryName[]]);
const count = z.int().min(0).max(1000);
const ms = z
  .int()
  .min(0)
  .max(30 * 24 * 3_600_000);

const when = z
  .strictObject({
    kinds: z.array(kind).min(1).optional().describe("Only for these failure kinds"),
    notKinds: z.array(kind).min(1).optional().describe("Not for these failure kinds"),
    categories: z
      .array(z.enum(["transient", "systematic", "fatal"]))
      .min(1)
      .optional(),
    goodCommit: z
      .boolean()
      .optional()
      .describe("A commit whose checks passed is known (or is not)"),
    stuck: z.boolean().optional().describe("The progress score says stuck (or does not)"),
    attemptsBelow: count.optional().describe("Fewer counted attempts than this were made"),
  })
  .describe("All conditions must hold; an absent one always holds");

const rungSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,40}$/, "lower-case letters, digits and dashes"),
  do: z
    .union([recovery, z.array(recovery).min(1).max(2)])
    .describe("The recovery; [skip, ask] parks the subtask and asks"),
  when: when.optional(),
  times: count
    .min(1)
    .optional()
    .describe("How often one subtask may use this rung; default: no limit"),
  to: z.enum(["rank", "tier", "top"]).optional().describe("escalate: how far up; default tier"),
  thinking: z.boolean().optional().describe("escalate: extended thinking"),
  budgetFactor: z.number().min(1).max(10).optional().describe("escalate: larger attempt budget"),
  mutations: z.array(z.enum(MUTATIONS)).min(1).optional().describe("mutate: which kinds, in order"),
  loop: z
    .boolean()
    .optional()
    .describe("The loop's own next attempt: not recovery, so no recovery budget is used"),
  logFallThrough: z.boolean().optional().describe("Record that nothing alternative was there (D3)"),
  alert: z.boolean().optional().describe("Raise the alert stuck_unrecoverable (A7)"),
});

const waitSchema = z.strictObject({
  delaysMs: z.array(ms).max(20).describe("Exact delays of the first retries"),
  rateLimitMs: ms.optional().describe("Delay for a rate limit that names no time"),
  sidegrade: z.boolean().optional().describe("Try another model of the tier after the delays"),
  outage: z
    .strictObject({ baseMs: ms.min(1000), capMs: ms.min(1000) })
    .optional()
    .describe("Then full jitter that doubles from base to cap"),
  resetMarginMs: ms.describe("Added to a reset time"),
  maxWaitMs: ms.describe("Longest wait for one outage"),
  then: z.enum(["ask", "ladder"]).describe("When no wait is left: ask, or go on with the rungs"),
});

const share = z.number().min(0).max(1);

export const ladderPolicySchema = z
  .strictObject({
    policy: z.literal("ladder"),
    name: z.string().min(1).max(60),
    description: z.string().max(400).optional(),
    structure: z.boolean().describe("Structure rules of standard and adaptive apply"),
    circular: z
      .enum(["ban", "kind", "record"])
      .describe(
        "A circular fix bans retry and feedback, becomes the failure's kind, or is only recorded",
      ),
    wait: waitSchema,
    progress: z.strictObject({
      threshold: z.number().min(0).max(1),
      stuckAfter: count.min(1),
      warnAfter: count.min(1),
      weights: z
        .strictObject({ outputNovelty: share, change: share, markers: share, checklist: share })
        .optional()
        .describe("What each signal of progress counts; default 0.3, 0.3, 0.25, 0.15"),
    }),
    recovery: z.strictObject({
      promptMutations: count,
      branchExploration: z.boolean(),
      branchCount: count.min(1).max(20),
      branchBudget: count.min(1),
      totalRecoveryBudget: count,
    }),
    maxRetries: count
      .optional()
      .describe("Runs after the first, where neither plan nor subtask says"),
    rungs: z.array(rungSchema).min(1).max(60).describe("First rung that applies wins"),
  })
  .describe("A ladder policy of Unstuck") satisfies z.ZodType<LadderPolicy>;
// Stryker restore all

const presetNames = Object.keys(PRESETS) as [PresetName, ...PresetName[]];

/** What may stand in a file that extends a preset: any part of a policy, settings groups in part too. */
export const extendedPolicySchema = ladderPolicySchema
  .extend({
    wait: ladderPolicySchema.shape.wait.partial(),
    progress: ladderPolicySchema.shape.progress.partial(),
    recovery: ladderPolicySchema.shape.recovery.partial(),
  })
  .partial()
  .extend({ extends: z.enum(presetNames).describe("The preset to start from") })
  .describe("A ladder policy of Unstuck that changes parts of a preset");

const policyFileSchema = z.union([extendedPolicySchema, ladderPolicySchema]);

export function readPolicy(text: string): YamlReading<LadderPolicy> {
  const source = parseYaml(text);
  return source.ok ? checkPolicy(source.value) : source;
}

/** A policy that stands inside another file and was parsed with it. */
export function policyFrom(value: unknown): YamlReading<LadderPolicy> {
  return checkPolicy({ value, placeOf: () => ({ line: 0, column: 0 }) });
}

function checkPolicy(source: YamlSource): YamlReading<LadderPolicy> {
  const extending =
    typeof source.value === "object" && source.value !== null && "extends" in source.value;
  const read = extending ? readExtended(source) : checkYaml(source, ladderPolicySchema);
  if (!read.ok) return read;
  const problems = rungProblems(source, read.value);
  return problems.length > 0 ? { ok: false, problems } : read;
}

function readExtended(source: YamlSource): YamlReading<LadderPolicy> {
  const read = checkYaml(source, extendedPolicySchema);
  if (!read.ok) return read;
  const { extends: preset, wait, progress, recovery, ...rest } = read.value;
  const base: LadderPolicy = PRESETS[preset];
  const merged = {
    ...base,
    ...rest,
    wait: { ...base.wait, ...wait },
    progress: { ...base.progress, ...progress },
    recovery: { ...base.recovery, ...recovery },
  };
  return { ok: true, value: ladderPolicySchema.parse(merged) };
}

/** What a schema cannot say: ids are unique, options stand only on rungs that read them. */
function rungProblems(source: YamlSource, policy: LadderPolicy): Problem[] {
  const seen = new Set<string>();
  return policy.rungs.flatMap((rung, index) => {
    const problems: Problem[] = [];
    const say = (field: string, message: string): void => {
      const place = source.placeOf(["rungs", index, field]);
      problems.push({ ...place, path: `rungs.${index}.${field}`, message });
    };
    if (seen.has(rung.id)) say("id", `the rung id ${JSON.stringify(rung.id)} is used twice`);
    seen.add(rung.id);
    const does: readonly RecoveryName[] = typeof rung.do === "string" ? [rung.do] : rung.do;
    if (does.length === 2 && !(does.includes("skip") && does.includes("ask")))
      say("do", "only skip and ask can stand together");
    if (does.includes("wait")) say("do", "waits are chosen by the guard rails, not by a rung");
    for (const field of ["to", "thinking", "budgetFactor"] as const)
      if (rung[field] !== undefined && !does.includes("escalate"))
        say(field, "only for do: escalate");
    if (rung.mutations !== undefined && !does.includes("mutate"))
      say("mutations", "only for do: mutate");
    return problems;
  });
}

/** A policy as a plan names it: nothing, the name of a preset, or a whole policy that was parsed with the plan. */
export function ladderFrom(
  given: unknown = "standard",
):
  | { readonly ok: true; readonly value: LadderPolicy }
  | { readonly ok: false; readonly problem: string } {
  if (typeof given === "string")
    return Object.hasOwn(PRESETS, given)
      ? { ok: true, value: PRESETS[given as PresetName] }
      : { ok: false, problem: unknownName("policy", given, presetNames) };
  const reading = policyFrom(given);
  if (reading.ok) return reading;
  const [first] = reading.problems;
  return { ok: false, problem: `${first?.path ?? ""}: ${first?.message ?? "cannot be read"}` };
}

export function unknownName(what: string, name: string, names: readonly string[]): string {
  const near = nearestName(name, names);
  return `there is no ${what} ${JSON.stringify(name)}${near === undefined ? "" : `: did you mean ${near}?`}`;
}

export function policyJsonSchema(): object {
  return { ...z.toJSONSchema(policyFileSchema, { target: "draft-7" }), title: "Unstuck policy" };
}
