/**
 * Settings that presets share where their source says nothing: waits, progress, recovery budget. Numbers come from
 * requirements A1, A8, D2, U1 and "Settled" 3.
 */
import type { PolicySettings } from "../ladder-policy.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

export const LEVEL_1_DELAYS_MS: number[] = [5 * SECOND, 10 * SECOND, 20 * SECOND];

/** Three short retries, then an outage of tens of minutes or a usage limit of hours is survived. */
export const PATIENT_WAIT: PolicySettings["wait"] = {
  delaysMs: LEVEL_1_DELAYS_MS,
  outage: { baseMs: MINUTE, capMs: 15 * MINUTE },
  resetMarginMs: MINUTE,
  maxWaitMs: 12 * 60 * MINUTE,
  then: "ask",
};

export const PROGRESS: PolicySettings["progress"] = {
  threshold: 0.15,
  stuckAfter: 3,
  warnAfter: 2,
};

export const RECOVERY_BUDGET: PolicySettings["recovery"] = {
  promptMutations: 3,
  branchExploration: true,
  branchCount: 3,
  branchBudget: 10,
  totalRecoveryBudget: 20,
};
