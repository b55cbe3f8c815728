/**
 * Everything learned in one repository, as stored, and how a run's events add to it. Invariants: plain JSON, bounded;
 * each event is learned from once, however often it is read, because the store remembers its position in each run; an
 * unreadable text counts as nothing learned, never as an error.
 */
import { isRecord } from "../defined.ts";
import { parsedFields } from "../history/episode.ts";
import { lessonCollector, type LessonFact } from "../memory/collect-lessons.ts";
import {
  notTooOld,
  readLessons,
  withLesson,
  withRecallResult,
  type Lessons,
} from "../memory/lesson.ts";
import type { RunEvent } from "../run/decision.ts";
import { NO_CALIBRATION, readCalibration, withSaid, type Calibration } from "./calibration.ts";
import { outcomeCollector, type ObservedOutcome } from "./collect-outcomes.ts";
import { NO_COUNTS, readCounts, withOutcome, type LearnedCounts } from "./counts.ts";
import { durationCollector, readDurations, withDuration } from "./durations.ts";
import type { Duration, Durations } from "./durations.ts";
import {
  answerCollector,
  readPreferences,
  withAnswer,
  type PersonsAnswer,
  type Preferences,
} from "./preferences.ts";

export interface RepositoryLearning {
  readonly counts: LearnedCounts;
  readonly calibration: Calibration;
  readonly preferences: Preferences;
  readonly lessons: Lessons;
  readonly durations: Durations;
  /** By run: the last event that was learned from. */
  readonly taken: Readonly<Record<string, number>>;
}

export const NOTHING_LEARNED: RepositoryLearning = {
  counts: NO_COUNTS,
  calibration: NO_CALIBRATION,
  preferences: {},
  lessons: [],
  durations: {},
  taken: {},
};

/** Something that one event teaches. */
export type Taught = { readonly seq: number } & (
  | { readonly kind: "outcome"; readonly outcome: ObservedOutcome }
  | { readonly kind: "duration"; readonly duration: Duration }
  | { readonly kind: "answer"; readonly answer: PersonsAnswer }
  | LessonFact
);

/** Takes a run's events in order. */
export function teachingCollector(): { add(seq: number, event: RunEvent): readonly Taught[] } {
  const outcomes = outcomeCollector();
  const lessons = lessonCollector();
  const answers = answerCollector();
  const durations = durationCollector();
  return {
    add: (seq, event) => [
      ...outcomes.add(event).map((outcome) => ({ seq, kind: "outcome" as const, outcome })),
      ...durations.add(event).map((duration) => ({ seq, kind: "duration" as const, duration })),
      ...answers.add(event).map((answer) => ({ seq, kind: "answer" as const, answer })),
      ...lessons.add(event).map((fact) => ({ seq, ...fact })),
    ],
  };
}

const RUNS_REMEMBERED = 200;

/** `upTo`: the last event of the run that was read. */
export function withTaught(
  known: RepositoryLearning,
  run: string,
  taught: readonly Taught[],
  { upTo, now }: { readonly upTo: number; readonly now: number },
): RepositoryLearning {
  const { [run]: before = 0, ...others } = known.taken;
  const learned = taught.filter(({ seq }) => seq > before).reduce(withOne, known);
  const kept = Object.entries(others).slice(-(RUNS_REMEMBERED - 1));
  return {
    ...learned,
    lessons: notTooOld(learned.lessons, now),
    taken: { ...Object.fromEntries(kept), [run]: Math.max(before, upTo) },
  };
}

function withOne(known: RepositoryLearning, taught: Taught): RepositoryLearning {
  switch (taught.kind) {
    case "outcome": {
      const { expected, ...outcome } = taught.outcome;
      const counts = withOutcome(known.counts, outcome);
      const calibration =
        expected === undefined
          ? known.calibration
          : withSaid(known.calibration, expected, outcome.won);
      return { ...known, counts, calibration };
    }
    case "duration":
      return { ...known, durations: withDuration(known.durations, taught.duration) };
    case "answer":
      return { ...known, preferences: withAnswer(known.preferences, taught.answer) };
    case "lesson":
      return { ...known, lessons: withLesson(known.lessons, taught.lesson) };
    case "told":
      return { ...known, lessons: withRecallResult(known.lessons, taught.id, taught.held) };
  }
}

export function readLearning(text: string | undefined): RepositoryLearning {
  const { counts, calibration, preferences, lessons, durations, taken } = parsedFields(text ?? "");
  return {
    counts: readCounts(counts) ?? NO_COUNTS,
    calibration: readCalibration(calibration),
    preferences: readPreferences(preferences),
    lessons: readLessons(lessons),
    durations: readDurations(durations),
    taken: isRecord(taken)
      ? Object.fromEntries(
          Object.entries(taken)
            .filter((entry): entry is [string, number] => Number.isSafeInteger(entry[1]))
            .slice(-RUNS_REMEMBERED),
        )
      : {},
  };
}
