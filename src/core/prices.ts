/**
 * Estimates the cost of model calls for agents that report tokens but no price, from dated list prices. Invariants: a
 * model that is not in the table has no price (unknown is not zero); every amount from here is shown as an estimate.
 */

export interface TokenCounts {
  /** Tokens sent and not read from a cache. */
  readonly input: number;
  /** Tokens read from a cache. */
  readonly cached: number;
  readonly output: number;
}

/** US dollars per million tokens. */
type Price = TokenCounts;

/** When these prices were last checked. */
export const PRICES_DATE = "2025-12-01";

const price = (input: number, output: number, cached = input / 10): Price => ({
  input,
  cached,
  output,
});

/** By prefix of the model's name, longer prefixes first. */
const PRICES: readonly (readonly [name: string, price: Price])[] = [
  ["claude-opus-4-5", price(5, 25)],
  ["claude-opus-4", price(15, 75)],
  ["claude-sonnet-4", price(3, 15)],
  ["claude-haiku-4", price(1, 5)],
  ["claude-3-5-haiku", price(0.8, 4)],
  ["opus", price(5, 25)],
  ["sonnet", price(3, 15)],
  ["haiku", price(1, 5)],
  ["gpt-5-nano", price(0.05, 0.4)],
  ["gpt-5-mini", price(0.25, 2)],
  ["gpt-5.1-codex-mini", price(0.25, 2)],
  ["gpt-5-codex", price(1.25, 10)],
  ["gpt-5.1", price(1.25, 10)],
  ["gpt-4.1-mini", price(0.4, 1.6, 0.1)],
  ["gpt-4.1", price(2, 8, 0.5)],
  ["o4-mini", price(1.1, 4.4, 0.275)],
  ["gemini-2.5-flash-lite", price(0.1, 0.4)],
  ["gemini-2.5-flash", price(0.3, 2.5)],
  ["gemini-2.5-pro", price(1.25, 10)],
  ["gemini-3-pro", price(2, 12)],
];

/** What may follow the prefix: nothing, a date or a variant. `gpt-5.10` is not a `gpt-5.1`. */
const ENDS = new Set(["", "-", "@", ":", "["]);

export function estimateUsd(
  model: string,
  { input, cached, output }: TokenCounts,
): number | undefined {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  const found = PRICES.find(
    ([known]) => name.startsWith(known) && ENDS.has(name.charAt(known.length)),
  )?.[1];
  if (found === undefined) return undefined;
  return (input * found.input + cached * found.cached + output * found.output) / 1_000_000;
}
