/** Formats durations and budget amounts compactly, for screens, questions and explanations. */
import { MEASURES, type Budget, type Ledger, type Measure } from "./budget.ts";

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

interface MeasureWords {
  readonly number: (amount: number) => string;
  readonly unit: string;
  readonly told: string;
}

const WORDS: { readonly [measure in Measure]: MeasureWords } = {
  usd: { number: (usd) => `$${usd.toFixed(2)}`, unit: "", told: "reported their cost" },
  tokens: { number: short, unit: " tokens", told: "reported their tokens" },
  timeMs: { number: duration, unit: " agent time", told: "were timed" },
  attempts: { number: String, unit: " attempts", told: "were counted" },
};

function short(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

export interface Spending {
  readonly ledger: Pick<Ledger, "spent" | "untold">;
  readonly limit: Budget;
  readonly estimated?: boolean;
}

/** What is known about the consumption of one measure. */
export interface KnownAmount {
  /** Null if no attempt reported it. */
  readonly amount: number | null;
  /** False if some attempts did not report it: the true amount is higher. */
  readonly known: boolean;
  /** How many of the ended `attempts` reported it. */
  readonly told: number;
  readonly attempts: number;
  readonly limit?: number;
  readonly estimated?: true;
}

export function knownAmount(
  { ledger: { spent, untold }, limit, estimated }: Spending,
  measure: Measure,
): KnownAmount {
  const { attempts = 0 } = spent;
  const silent = untold[measure] ?? 0;
  const told = Math.max(0, attempts - silent);
  const most = limit[measure];
  return {
    amount: silent > 0 && told === 0 ? null : (spent[measure] ?? 0),
    ...{ known: silent === 0, told, attempts },
    ...(most === undefined ? {} : { limit: most }),
    ...(measure === "usd" && estimated === true ? { estimated } : {}),
  };
}

/**
 * The amount spent of each measure, with its limit if there is one: `$0.42 of $5.00`; `~$0.42` for an estimate;
 * `unknown` or `at least` if some attempts did not report it.
 */
export function spending(of: Spending, shown: readonly Measure[] = MEASURES): string[] {
  return shown.flatMap((measure) => {
    const { amount, known, told, attempts, limit, estimated } = knownAmount(of, measure);
    const isSilent = amount === null || of.ledger.spent[measure] === undefined;
    if (isSilent && limit === undefined) return [];
    const words = WORDS[measure];
    const number = `${estimated === true ? "~" : ""}${words.number(amount ?? 0)}`;
    const spent = amount === null ? "unknown" : known ? number : `at least ${number}`;
    const most = limit === undefined ? "" : ` of ${words.number(limit)}`;
    const who = known ? "" : ` (${told} of ${count(attempts, "attempt")} ${words.told})`;
    const unit = (limit ?? amount) === 1 ? words.unit.replace(/s$/, "") : words.unit;
    return [`${spent}${most}${unit}${who}`];
  });
}

/** A limit for use in a sentence: `$10.00`, `5.0k`, `2h 00m`. */
export const limitText = (measure: Measure, limit: number): string => WORDS[measure].number(limit);

/** Adjectives for budgets: "the time budget". */
export const MEASURE_NAMES: { readonly [measure in Measure]: string } = {
  usd: "money",
  tokens: "token",
  timeMs: "time",
  attempts: "attempt",
};

/** How much of a budget is used: `80 % used, 4 of 5 attempts`. */
export function usedText(measure: Measure | "iterations", spent: number, limit: number): string {
  const share = `${Math.floor((100 * spent) / limit + 1e-9)} % used`;
  if (measure === "iterations") return `${share}, ${spent} of ${limit} recovery attempts`;
  const [words] = spending({ ledger: told({ [measure]: spent }), limit: { [measure]: limit } });
  return `${share}, ${words}`;
}

/** `$5.00, 30m 00s agent time`. */
export const amountText = (by: Budget): string =>
  spending({ ledger: told(by), limit: {} }).join(", ");

const told = (spent: Budget): Spending["ledger"] => ({ spent, untold: {} });

export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;
