/**
 * The progress score of an attempt (A1, A2): four signals, weighted. Invariants:
 * 0..1 for every input; rounded to millionths, so that a sum on the threshold is on the threshold.
 */

export interface ProgressSignals {
  readonly outputNovelty: number;
  readonly change: number;
  readonly markers: number;
  /** Checklist or newly passing checks, whichever shows more. */
  readonly checklist: number;
}

export type ProgressWeights = ProgressSignals;

const PROGRESS_WEIGHTS: ProgressWeights = {
  outputNovelty: 0.3,
  change: 0.3,
  markers: 0.25,
  checklist: 0.15,
};

/** A score below this is no progress. */
export const PROGRESS_THRESHOLD = 0.15;

export function progressScore(
  signals: ProgressSignals,
  weights: ProgressWeights = PROGRESS_WEIGHTS,
): number {
  const sum =
    weights.outputNovelty * unit(signals.outputNovelty) +
    weights.change * unit(signals.change) +
    weights.markers * unit(signals.markers) +
    weights.checklist * unit(signals.checklist);
  return Math.round(unit(sum) * 1e6) / 1e6;
}

const unit = (value: number): number => (value > 0 ? Math.min(1, value) : 0);
