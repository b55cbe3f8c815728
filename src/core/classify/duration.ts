/**
 * Durations in words: "2m30s", "5 days 3 hours", "1.5s", "20ms". Invariants: linear; longer than 400 days is not
 * believed.
 */

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const LONGEST = 400 * 86_400_000;
const UNIT =
  "ms|millis(?:econds?)?|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?" +
  "|d|days?|w|weeks?";
const PART = `\\d{1,9}(?:\\.\\d{1,12})?\\s?(?:${UNIT})(?![a-z])`;

/** Source of a pattern that matches a whole duration, for use inside others. */
export const DURATION = `(?:a few seconds|${PART}(?:,?\\s{0,2}(?:and\\s)?${PART}){0,5})`;

const EACH_PART = new RegExp(`(\\d{1,9}(?:\\.\\d{1,12})?)\\s?(${UNIT})(?![a-z])`, "gi");

export function parseDuration(text: string): number | undefined {
  if (text.startsWith("a few")) return 5_000;
  const parts = [...text.matchAll(EACH_PART)];
  const total = parts.reduce(
    (sum, [, amount, unit = ""]) => sum + Number(amount) * unitMs(unit.toLowerCase()),
    0,
  );
  return parts.length === 0 || total > LONGEST ? undefined : Math.round(total);
}

function unitMs(unit: string): number {
  if (unit === "ms" || unit.startsWith("milli")) return 1;
  return UNITS[unit.slice(0, 1)] ?? 0;
}
