/**
 * The `loop` settings of a plan, in YAML and as flags, applied on top of a policy. Their names are those of the source
 * of `stuck-recovery`. Invariant: settings that are not given stay as in the policy.
 */
import * as z from "zod";
import { defined } from "../defined.ts";
import { checkYaml, parseYaml, type YamlReading } from "../read-yaml.ts";
import type { PolicyData } from "../adaptive/policy-data.ts";
import type { Rung } from "./situation.ts";

const count = z.int().min(0).max(1000);

export const loopSettingsSchema = z
  .strictObject({
    stuck_after: count.min(1).describe("Attempts without progress before recovery"),
    progress_threshold: z.number().min(0).max(1).describe("A score below this is no progress"),
    recovery: z
      .strictObject({
        prompt_mutations: count,
        branch_exploration: z.boolean(),
        branch_count: count.min(1).max(20),
        branch_budget: count.min(1),
        total_recovery_budget: count,
      })
      .partial(),
  })
  .partial()
  .describe("Stuck detection and recovery budget");

export type LoopSettings = z.infer<typeof loopSettingsSchema>;

/** The command line flags `--stuck-after`, `--recovery-budget`, `--progress-threshold`. */
export interface LoopFlags {
  readonly stuckAfter?: number;
  readonly recoveryBudget?: number;
  readonly progressThreshold?: number;
}

/** Reads a YAML text with the settings under its `loop` key; other keys are ignored. */
export function readLoopSettings(text: string): YamlReading<LoopSettings> {
  const source = parseYaml(text);
  if (!source.ok) return source;
  const checked = checkYaml(source.value, z.looseObject({ loop: loopSettingsSchema.optional() }));
  return checked.ok ? { ok: true, value: checked.value.loop ?? {} } : checked;
}

export function withLoopSettings(
  policy: PolicyData,
  loop: LoopSettings,
  flags: LoopFlags = {},
): PolicyData {
  const { recovery = {} } = loop;
  return {
    ...policy,
    ...(policy.policy === "ladder"
      ? { rungs: policy.rungs.map((rung) => withMutations(rung, recovery.prompt_mutations)) }
      : {}),
    progress: {
      ...policy.progress,
      ...defined({
        stuckAfter: flags.stuckAfter ?? loop.stuck_after,
        threshold: flags.progressThreshold ?? loop.progress_threshold,
      }),
    },
    recovery: {
      ...policy.recovery,
      ...defined({
        promptMutations: recovery.prompt_mutations,
        branchExploration: recovery.branch_exploration,
        branchCount: recovery.branch_count,
        branchBudget: recovery.branch_budget,
        totalRecoveryBudget: flags.recoveryBudget ?? recovery.total_recovery_budget,
      }),
    },
  };
}

/** Changes the limit of a rung that counts mutations of any kind; a rung restricted to some failures keeps its own. */
function withMutations(rung: Rung, mutations: number | undefined): Rung {
  const counts = rung.do === "mutate" && rung.times !== undefined && rung.when === undefined;
  return counts && mutations !== undefined ? { ...rung, times: Math.max(1, mutations) } : rung;
}
