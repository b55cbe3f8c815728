/** Times as people say them, with the exact time in a tooltip; all of them update on one clock. */
import { signal } from "@preact/signals";
import { duration } from "../../src/core/amounts.ts";

export const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1000);

const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const CLOCK = new Intl.DateTimeFormat(undefined, {
  ...{ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
});

export const exact = (at: number): string => EXACT.format(at);
export const clock = (at: number): string => CLOCK.format(at);

const STEPS: readonly (readonly [number, string])[] = [
  [365 * 86_400, "y"],
  [30 * 86_400, "mo"],
  [86_400, "d"],
  [3600, "h"],
  [60, "min"],
];

export function agoText(at: number, from: number): string {
  const seconds = Math.round((from - at) / 1000);
  const [size, unit] = STEPS.find(([least]) => Math.abs(seconds) >= least) ?? [1, "s"];
  if (size === 1 && seconds >= -1 && seconds < 10) return "just now";
  const amount = `${Math.floor(Math.abs(seconds) / size)} ${unit}`;
  return seconds < 0 ? `in ${amount}` : `${amount} ago`;
}

export const Ago = ({ at }: { readonly at: number }) => (
  <time dateTime={new Date(at).toISOString()} title={exact(at)}>
    {agoText(at, now.value)}
  </time>
);

/** Counts up while it has no end. */
export const Took = ({ from, to }: { readonly from: number; readonly to?: number | undefined }) => (
  <span title={to === undefined ? `since ${exact(from)}` : `${exact(from)} to ${exact(to)}`}>
    {duration((to ?? now.value) - from)}
  </span>
);
