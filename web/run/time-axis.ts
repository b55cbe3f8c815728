/** A time axis: the position of a moment, from 0 to 1, and round marks along it. Pure. */
export interface Axis {
  readonly from: number;
  readonly to: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 4, 8, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 28].map((n) => n * DAY),
];
const MARKS_MOST = 7;

export const placeOn = ({ from, to }: Axis, at: number): number =>
  Math.max(0, Math.min(1, (at - from) / Math.max(1, to - from)));

export const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;

/** As a style: its start and width. */
export const span = (
  axis: Axis,
  from: number,
  to: number,
): { readonly left: string; readonly width: string } => ({
  left: percent(placeOn(axis, from)),
  width: percent(Math.max(0, placeOn(axis, to) - placeOn(axis, from))),
});

export interface TimeMark {
  readonly at: number;
  /** Since the start. */
  readonly words: string;
}

export function timeMarks({ from, to }: Axis): readonly TimeMark[] {
  const span = Math.max(SECOND, to - from);
  const step =
    STEPS.find((size) => span / size <= MARKS_MOST) ?? Math.ceil(span / MARKS_MOST / DAY) * DAY;
  const marks: TimeMark[] = [];
  for (let after = 0; after <= span; after += step)
    marks.push({ at: from + after, words: sinceText(after) });
  return marks;
}

/** In the form of `duration`, without zero parts: `30s`, `2m`, `1h 30m`. */
function sinceText(ms: number): string {
  if (ms === 0) return "0";
  const [size, unit, less, part] = UNITS.find(([least]) => ms >= least) ?? SECONDS;
  const rest = Math.floor((ms % size) / less);
  return `${Math.floor(ms / size)}${unit}${rest === 0 ? "" : ` ${rest}${part}`}`;
}

const SECONDS = [SECOND, "s", SECOND, ""] as const;
const UNITS = [
  [DAY, "d", HOUR, "h"],
  [HOUR, "h", MINUTE, "m"],
  [MINUTE, "m", SECOND, "s"],
] as const;
