/**
 * Scores answers against labels: accuracy, macro-F1, unknowns forced into a fatal kind, calibration. A right answer is
 * the label or one of its alternates.
 */
import { KINDS, type FailureKind } from "../../src/core/kinds.ts";

export interface Answer {
  readonly id: string;
  readonly label: FailureKind;
  readonly alternates: readonly FailureKind[];
  readonly kind: FailureKind;
  readonly confidence: number;
}

export interface Band {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly meanConfidence: number;
  readonly right: number;
}

export interface Score {
  readonly items: number;
  readonly accuracy: number;
  readonly macroF1: number;
  /** Share of the cases labelled unknown that were classified as a fatal kind. */
  readonly unknownForcedToFatal: number;
  readonly calibration: readonly Band[];
}

export const isRight = ({ label, alternates, kind }: Answer): boolean =>
  kind === label || alternates.includes(kind);

export function scoreOf(answers: readonly Answer[]): Score {
  const unknowns = answers.filter(({ label }) => label === "unknown");
  const forced = unknowns.filter(
    (answer) => KINDS[answer.kind].category === "fatal" && !isRight(answer),
  );
  return {
    items: answers.length,
    accuracy: share(answers.filter(isRight).length, answers.length),
    macroF1: macroF1(answers),
    unknownForcedToFatal: share(forced.length, unknowns.length),
    calibration: calibration(answers),
  };
}

/** An accepted alternate counts as its label, so precision and recall agree with accuracy. */
function macroF1(answers: readonly Answer[]): number {
  const labels = new Set(answers.map(({ label }) => label));
  let sum = 0;
  for (const label of labels) {
    let hit = 0;
    let missed = 0;
    let wrong = 0;
    for (const answer of answers) {
      const right = isRight(answer);
      if (answer.label === label && right) hit += 1;
      else if (answer.label === label) missed += 1;
      else if (!right && answer.kind === label) wrong += 1;
    }
    sum += hit === 0 ? 0 : (2 * hit) / (2 * hit + missed + wrong);
  }
  return share(sum, labels.size);
}

const BOUNDS = [0, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.01];

function calibration(answers: readonly Answer[]): readonly Band[] {
  return BOUNDS.slice(1).map((to, at) => {
    const from = BOUNDS[at] ?? 0;
    const band = answers.filter(({ confidence }) => confidence >= from && confidence < to);
    const total = band.reduce((sum, { confidence }) => sum + confidence, 0);
    const right = share(band.filter(isRight).length, band.length);
    return { from, to, count: band.length, meanConfidence: share(total, band.length), right };
  });
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
