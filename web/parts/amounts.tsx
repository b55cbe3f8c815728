/** Cost and progress in few columns. Unreported amounts are shown as unknown, never as zero. */
import { duration, type KnownAmount } from "../../src/core/amounts.ts";

const GROUPED = new Intl.NumberFormat("en", { useGrouping: "min2" });

/** `9999`, `10,000`. */
export const grouped = (number: number): string => GROUPED.format(number);

export function costText(cost: KnownAmount | undefined): string {
  if (cost === undefined || cost.amount === null) return "–";
  // "At least nothing" is not useful.
  if (cost.amount === 0 && (cost.attempts === 0 || !cost.known)) return "–";
  const number = `${cost.estimated === true ? "~" : ""}$${cost.amount.toFixed(2)}`;
  return cost.known ? number : `≥ ${number}`;
}

export const costTitle = (cost: KnownAmount | undefined): string =>
  cost === undefined || cost.amount === null
    ? "Its agents do not tell what they cost"
    : cost.known
      ? "Cost"
      : `${cost.told} of ${cost.attempts} attempts told their cost`;

/** `4h` instead of `4h 00m`. */
export const roundDuration = (ms: number): string => duration(ms).replace(/ 00?[hms]$/, "");

interface ProgressProps {
  readonly done: number;
  readonly of: number;
}

export const Progress = ({ done, of }: ProgressProps) => (
  <span class="progress" title={`${done} of ${of} subtasks are done`}>
    <svg viewBox="0 0 40 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="progress-all" width="40" height="4" rx="2" />
      <rect class="progress-done" width={of === 0 ? 0 : (40 * done) / of} height="4" rx="2" />
    </svg>
    <span>
      {done}/{of}
    </span>
  </span>
);
