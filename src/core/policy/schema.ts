/** The schema of a policy file; validation and the JSON Schema for editors both come from it. */
import * as z from "zod";
import { FAILURE_KINDS, type FailureKind } from "../kinds.ts";
import { MUTATIONS, RECOVERY_NAMES, type RecoveryName } from "../recovery.ts";
import type { AdaptivePolicy } from "../adaptive/policy-data.ts";
import { adaptiveOnly } from "./person-settings.ts";
import type { LadderPolicy } from "./policy.ts";

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
  once: z
    .array(kind)
    .optional()
    .describe("Waited for once; then the rungs are asked, where a chain has more to offer"),
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
    reAsk: z
      .boolean()
      .optional()
      .describe("An answer that cannot be read is asked for again, at most twice"),
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
    countEarlier: z
      .boolean()
      .optional()
      .describe("Failed attempts of an earlier run (--history) count in `attemptsBelow`"),
    rungs: z.array(rungSchema).min(1).max(60).describe("First rung that applies wins"),
  })
  .describe("A ladder policy of Unstuck") satisfies z.ZodType<LadderPolicy>;

export const adaptivePolicySchema = ladderPolicySchema
  .omit({ rungs: true })
  .extend({
    policy: z.literal("adaptive"),
    ...adaptiveOnly,
  })
  .describe("The adaptive policy of Unstuck") satisfies z.ZodType<AdaptivePolicy>;
