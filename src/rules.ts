/**
 * `unstuck/rules`: the tables that tell from an error's text what failed, and what repairs it. A separate import,
 * because they are three times the size of everything else.
 */
import { nextRepair, repairSteps } from "./core/repair/run-repair.ts";
import { standardRules as standardBook } from "./core/rules/standard.ts";
import type { Rules } from "./library/recovery-options.ts";

export type { Rules };

/**
 * The standard rules, made ready once. For `createRecovery({ rules: standardRules() })` and
 * `classify(evidence, standardRules())`.
 */
export const standardRules = (): Rules => (ready ??= { ...standardBook(), repairs: REPAIRS });

let ready: Rules | undefined;

const REPAIRS: Rules["repairs"] = {
  next: nextRepair,
  words: repairSteps,
};
