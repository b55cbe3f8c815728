/** The presets by name. */
import type { LadderPolicy } from "../ladder-policy.ts";
import { HIERARCHICAL } from "./hierarchical.ts";
import { RECOVERY_ACTIONS } from "./recovery-actions.ts";
import { RECOVERY_STRATEGIES } from "./recovery-strategies.ts";
import { STANDARD } from "./standard.ts";
import { STUCK_RECOVERY } from "./stuck-recovery.ts";
import { TIER_LADDER } from "./tier-ladder.ts";

export const PRESETS = {
  standard: STANDARD,
  "stuck-recovery": STUCK_RECOVERY,
  "recovery-actions": RECOVERY_ACTIONS,
  "recovery-strategies": RECOVERY_STRATEGIES,
  hierarchical: HIERARCHICAL,
  "tier-ladder": TIER_LADDER,
} as const satisfies Record<string, LadderPolicy>;

export type PresetName = keyof typeof PRESETS;
