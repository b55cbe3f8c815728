/**
 * How much a goal may cost where nobody says. Ten dollars are several attempts at a hard piece of work with a strong
 * model, and little enough to lose overnight; `unstuck init` writes the same. An agent that names no cost is held by
 * attempts instead, and every agent by four hours of work.
 */
import { amountText } from "../../core/amounts.ts";
import { budgetOf } from "../../core/plan/run-plan.ts";
import { userConfig } from "../user-config.ts";
import type { PreparedGoal } from "./schemas.ts";

const MINUTES = 240;

export function goalBudget(usd: number | undefined, namesCost: boolean): PreparedGoal["budget"] {
  const usual = userConfig().budget ?? {
    ...(namesCost ? { usd: 10 } : { attempts: 30 }),
    minutes: MINUTES,
  };
  return usd === undefined ? usual : { ...usual, usd };
}

/** `$10.00, 4h 00m agent time`. */
export const budgetText = (budget: PreparedGoal["budget"]): string => amountText(budgetOf(budget));
