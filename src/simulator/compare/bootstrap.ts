/**
 * How sure a difference between two policies is: paired by world, resampled with a fixed stream. A difference is one only
 * where 0 is outside its interval of 95 %.
 */
import { streamOf } from "../random.ts";

export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 1000;
const OF_BOOTSTRAP = 0x62_6f_6f;

/** `figure` of the worlds that are named by position, some of them more than once. */
export function bootstrap(
  worlds: number,
  figure: (positions: readonly number[]) => number,
): Interval {
  const next = streamOf(OF_BOOTSTRAP, worlds);
  const all = Array.from({ length: worlds }, (_, position) => position);
  const drawn = Array.from({ length: RESAMPLES }, () =>
    figure(all.map(() => Math.floor(next() * worlds))),
  ).sort((a, b) => a - b);
  const at = (share: number): number => drawn[Math.floor(share * (RESAMPLES - 1))] ?? NaN;
  return { mean: figure(all), low: at(0.025), high: at(0.975) };
}
