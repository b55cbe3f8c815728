/** A budget in words. */
import { roundDuration } from "../parts/amounts.tsx";

interface Limits {
  readonly usd?: number | undefined;
  readonly attempts?: number | undefined;
  readonly tokens?: number | undefined;
  readonly minutes?: number | undefined;
}

export const limitWords = ({ usd, attempts, tokens, minutes }: Limits): string =>
  [
    usd === undefined ? "" : `$${usd}`,
    attempts === undefined ? "" : `${attempts} attempts`,
    tokens === undefined ? "" : `${tokens} tokens`,
    minutes === undefined ? "" : `${roundDuration(minutes * 60_000)} of agent time`,
  ]
    .filter((part) => part !== "")
    .join(", ") || "no limit";
