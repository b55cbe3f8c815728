/** Times and amounts in few columns, for screens, questions and explanations. Imports the measures. */
import { MEASURES } from "./budget.ts";
import type { Budget, Measure } from "./budget.ts";

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
  readonly estimated?: boolean;
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
    const about = measure === "usd" && estimated === true ? "~" : "";
    const words = about + NUMBERS[measure](amount ?? 0);
    const of = most === undefined ? "" : ` of ${NUMBERS[measure](most)}`;
    return [`${words}${of}${UNITS[measure]}`];
  });
}

/** What a budget of it is called: `the time budget`. */
export const MEASURE_NAMES: { readonly [measure in Measure]: string } = {
  usd: "money",
  tokens: "token",
  timeMs: "time",
  attempts: "attempts",
};

/** How far a budget is used: `80 % used, 4 of 5 attempts`. */
export function usedWords(measure: Measure | "iterations", spent: number, limit: number): string {
  const share = `${Math.floor((100 * spent) / limit + 1e-9)} % used`;
  if (measure === "iterations") return `${share}, ${spent} of ${limit} iterations of recovery`;
  return `${share}, ${spending({ spent: { [measure]: spent }, limit: { [measure]: limit } }).join("")}`;
}

/** `$5.00, 30m 00s agent time`. */
export const amountWords = (by: Budget): string => spending({ spent: by, limit: {} }).join(", ");

export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;
