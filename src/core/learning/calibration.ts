/**
 * Tracks whether predicted chances came true: of the moves predicted to work with 60 to 70 %, how many did. Ten bins
 * that fade like the counts. Invariants: bounded whatever is added; values read from outside are brought within bounds.
 */
import { isRecord } from "../defined.ts";
import { DECAY, MOST_OF_CELL } from "./counts.ts";

interface CalibrationBin {
  readonly said: number;
  readonly won: number;
  readonly cases: number;
}

/** The bin of 0 to 10 % first. */
export type Calibration = readonly CalibrationBin[];

const BINS = 10;
const EMPTY: CalibrationBin = { said: 0, won: 0, cases: 0 };
export const NO_CALIBRATION: Calibration = Array.from({ length: BINS }, () => EMPTY);

export function withSaid(calibration: Calibration, expected: number, won: boolean): Calibration {
  if (!(expected >= 0 && expected <= 1)) return calibration;
  const place = Math.min(BINS - 1, Math.floor(expected * BINS));
  return calibration.map((bin, index) =>
    index === place
      ? {
          said: bin.said * DECAY + expected,
          won: bin.won * DECAY + (won ? 1 : 0),
          cases: bin.cases * DECAY + 1,
        }
      : bin,
  );
}

export function readCalibration(value: unknown): Calibration {
  if (!Array.isArray(value) || value.length !== BINS) return NO_CALIBRATION;
  return value.map((bin: unknown) => {
    if (!isRecord(bin)) return EMPTY;
    const { said, won, cases } = bin;
    const isSound = isWithin(cases, MOST_OF_CELL) && isWithin(said, cases) && isWithin(won, cases);
    return isSound ? ({ said, won, cases } as CalibrationBin) : EMPTY;
  });
}

const isWithin = (value: unknown, most: unknown): boolean =>
  typeof value === "number" && value >= 0 && value <= Number(most) + 1e-9;

/** Bins with at least one case, as shares. */
export const calibrationRows = (calibration: Calibration) =>
  calibration.flatMap(({ said, won, cases }, index) =>
    cases < 0.5
      ? []
      : [
          {
            from: index / BINS,
            to: (index + 1) / BINS,
            said: said / cases,
            worked: won / cases,
            cases: Math.round(cases),
          },
        ],
  );
