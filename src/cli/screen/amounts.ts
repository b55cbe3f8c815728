/** Times and amounts in few columns. Imports the measures. */
import { MEASURES } from "../../core/budget.ts";
import type { Budget, Measure } from "../../core/budget.ts";

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** `7s`, `2m 05s`, `3h 20m`, `2d 4h`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < MINUTE) return `${seconds}s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)}m ${two(seconds % MINUTE)}s`;
  if (seconds < DAY)
    return `${Math.floor(seconds / HOUR)}h ${two(Math.floor((seconds % HOUR) / MINUTE))}m`;
  return `${Math.floor(seconds / DAY)}d ${Math.floor((seconds % DAY) / HOUR)}h`;
}

const two = (number: number): string => String(number).padStart(2, "0");

const NUMBERS: { readonly [measure in Measure]: (amount: number) => string } = {
  usd: (usd) => `$${usd.toFixed(2)}`,
  tokens: (tokens) => short(tokens),
  timeMs: (ms) => duration(ms),
  attempts: (number) => String(number),
};

const UNITS: { readonly [measure in Measure]: string } = {
  usd: "",
  tokens: " tokens",
  timeMs: " agent time",
  attempts: " attempts",
};

function short(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

export interface Spending {
  readonly spent: Budget;
  readonly limit: Budget;
  readonly estimated: boolean;
}

/** What is spent, each measure with its limit where it has one: `$0.42 of $5.00`; `~$0.42` where it is an estimate. */
export function spending(
  { spent, limit, estimated }: Spending,
  shown: readonly Measure[] = MEASURES,
): string[] {
  return shown.flatMap((measure) => {
    const amount = spent[measure];
    const most = limit[measure];
    if (amount === undefined && most === undefined) return [];
    const about = measure === "usd" && estimated ? "~" : "";
    const words = about + NUMBERS[measure](amount ?? 0);
    const of = most === undefined ? "" : ` of ${NUMBERS[measure](most)}`;
    return [`${words}${of}${UNITS[measure]}`];
  });
}

export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;
