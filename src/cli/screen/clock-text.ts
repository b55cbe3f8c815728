/** Times in the form people read them: when something will happen, and how long ago it was. */

const DAY_MS = 86_400_000;

/** `03:01`, `Tue 03:01` within a week, otherwise `4 Mar 03:01`; in the local time zone. */
export function untilText(at: number, now: number): string {
  const [then, today] = [new Date(at), new Date(now)];
  const time = `${two(then.getHours())}:${two(then.getMinutes())}`;
  if (then.toDateString() === today.toDateString()) return time;
  const isSoon = at >= now && at - now < 6 * DAY_MS;
  const format: Intl.DateTimeFormatOptions = isSoon
    ? { weekday: "short" }
    : { day: "numeric", month: "short" };
  return `${new Intl.DateTimeFormat("en-GB", format).format(then)} ${time}`;
}

const two = (number: number): string => String(number).padStart(2, "0");

const STEPS: readonly (readonly [unit: string, ms: number])[] = [
  ["w", 7 * DAY_MS],
  ["d", DAY_MS],
  ["h", 3_600_000],
  ["m", 60_000],
];

/** `5m`, `3h`, `2d`, `6w`; one unit is enough for an age. */
export function ageText(since: number, now: number): string {
  const ms = Math.max(0, now - since);
  const step = STEPS.find(([unit, least]) => ms >= least * (unit === "w" ? 2 : 1));
  return step === undefined ? `${Math.floor(ms / 1000)}s` : `${Math.floor(ms / step[1])}${step[0]}`;
}
