/**
 * Lessons: failures that occurred in this repository and were overcome, and how. Invariants: at most `MOST_LESSONS`,
 * each bounded and clean, none unused for more than `LESSON_DAYS`; lessons read from outside are brought within these
 * limits or dropped; a lesson that was recalled three times and never helped is not recalled again.
 */
import { defined, isRecord } from "../defined.ts";
import { cleanLine, cleanText } from "../foreign-text.ts";
import { hashText } from "../hash.ts";
import { KINDS, type FailureKind } from "../kinds.ts";
import { RECOVERIES, type RecoveryName } from "../recovery.ts";

/** What got a subtask past a failure. */
export interface Remedy {
  /** Absent if a person's answer did it, or an ordinary attempt. */
  readonly recovery?: RecoveryName;
  readonly byPerson?: true;
  /** The agent's own description of what it did, or the person's answer. */
  readonly summary: string;
  readonly files: readonly string[];
}

export interface Lesson extends Remedy {
  /** The id that people use for it. */
  readonly id: string;
  readonly signature: string;
  /** Equal for failures of other tests with the same underlying error. */
  readonly root?: string;
  readonly kind: FailureKind;
  readonly error: string;
  /** How often the failure was overcome. */
  readonly overcome: number;
  /** How often the lesson was given to an agent, and how often the failure was gone afterwards. */
  readonly told: number;
  readonly held: number;
  /** When the failure last occurred; epoch milliseconds. */
  readonly at: number;
}

/** The newest is last. */
export type Lessons = readonly Lesson[];

export const MOST_LESSONS = 100;
const LESSON_DAYS = 90;
const DAY_MS = 86_400_000;
const ID_CHARS = 8;
const ERROR_CHARS = 300;
const SUMMARY_CHARS = 400;
const FILES_MAX = 8;
const FILE_CHARS = 120;
const VAIN_MAX = 3;
const MOST_TIMES = 999;
/** Close to the latest valid date, leaving room to add days. */
const LATEST_MS = 8e15;

export const lessonId = (signature: string): string => hashText(signature).slice(0, ID_CHARS);

export type NewLesson = Omit<Lesson, "id" | "overcome" | "told" | "held">;

/** Keeps the latest remedy and counts the occurrences. */
export function withLesson(lessons: Lessons, fresh: NewLesson): Lessons {
  const id = lessonId(fresh.signature);
  const known = lessons.find((lesson) => lesson.id === id);
  const { overcome = 0, told = 0, held = 0 } = known ?? {};
  const next = bounded({ ...fresh, id, overcome: overcome + 1, told, held });
  return [...lessons.filter((lesson) => lesson !== known), next].slice(-MOST_LESSONS);
}

export const withRecallResult = (lessons: Lessons, id: string, held: boolean): Lessons =>
  lessons.map((lesson) =>
    lesson.id === id
      ? bounded({ ...lesson, told: lesson.told + 1, held: lesson.held + (held ? 1 : 0) })
      : lesson,
  );

/** When it is forgotten unless the failure occurs again; a clock that was set back expires nothing. */
export const expiryOf = ({ at }: Lesson): number => at + LESSON_DAYS * DAY_MS;

export const notTooOld = (lessons: Lessons, now: number): Lessons =>
  lessons.filter((lesson) => now <= expiryOf(lesson));

export const isWorthRecalling = ({ told, held }: Pick<Lesson, "told" | "held">): boolean =>
  held > 0 || told < VAIN_MAX;

function bounded(lesson: Lesson): Lesson {
  const { error, summary, files, overcome, told, held } = lesson;
  const times = Math.min(MOST_TIMES, told);
  return {
    ...lesson,
    error: cleanText(error, { maxChars: ERROR_CHARS }),
    summary: cleanText(summary, { maxChars: SUMMARY_CHARS }),
    files: files.slice(0, FILES_MAX).map((file) => cleanLine(file, FILE_CHARS)),
    ...{ overcome: Math.min(MOST_TIMES, overcome), told: times, held: Math.min(times, held) },
  };
}

export function readLessons(value: unknown): Lessons {
  const given: readonly unknown[] = Array.isArray(value) ? value : [];
  return given.slice(-MOST_LESSONS).flatMap((one) => (isRecord(one) ? readLesson(one) : []));
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0;

function readLesson(fields: Record<string, unknown>): readonly Lesson[] {
  const { signature, root, kind, error, summary, files, recovery, byPerson } = fields;
  const { overcome, told, held, at } = fields;
  const isSound =
    [signature, kind, error, summary].every((text) => typeof text === "string") &&
    [overcome, told, held, at].every(isCount) &&
    Number(at) <= LATEST_MS &&
    Array.isArray(files) &&
    files.every((file) => typeof file === "string") &&
    Object.hasOwn(KINDS, String(kind));
  if (!isSound) return [];
  const isKnown = typeof recovery === "string" && Object.hasOwn(RECOVERIES, recovery);
  const sound = fields as unknown as Lesson;
  return [
    bounded({
      ...{ id: lessonId(sound.signature), signature: cleanLine(sound.signature, 80) },
      ...{ kind: sound.kind, error: sound.error, summary: sound.summary, files: sound.files },
      ...{ overcome: sound.overcome, told: sound.told, held: sound.held, at: sound.at },
      ...defined({
        root: typeof root === "string" ? cleanLine(root, 80) : undefined,
        recovery: isKnown ? sound.recovery : undefined,
        byPerson: byPerson === true ? (true as const) : undefined,
      }),
    }),
  ];
}
