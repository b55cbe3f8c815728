/**
 * The default budget of a goal. Ten dollars pay for several attempts at a hard task with a strong model, and are little
 * enough to lose overnight; `unstuck init` writes the same. An agent that reports no cost is limited by attempts
 * instead, and every agent by four hours of work.
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
