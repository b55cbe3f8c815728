/**
 * What is known in a repository: what was learned in it, plus a share of what was learned in the user's other
 * repositories.
 */
import { merged, summed, type LearnedCounts } from "../../core/learning/counts.ts";
import { usualDurations } from "../../core/learning/durations.ts";
import { neverDone } from "../../core/learning/preferences.ts";
import { readLearning, type RepositoryLearning } from "../../core/learning/repository-learning.ts";
import { notTooOld } from "../../core/memory/lesson.ts";
import { knownLessons, type KnownLesson } from "../../core/memory/recall.ts";
import type { Risk } from "../../core/repair/shell-script.ts";
import { userConfig } from "../user-config.ts";
import type { StoredJournal } from "../../journal/journal.ts";

export interface KnownHere extends RepositoryLearning {
  /** Of all the user's other repositories combined. */
  readonly elsewhere: LearnedCounts;
}

export async function knownHere(
  { learned }: Pick<StoredJournal, "learned">,
  repository: string,
): Promise<KnownHere> {
  const all = await learned.all();
  const own = all.find((one) => one.repository === repository);
  const others = all.filter((one) => one !== own).map(({ text }) => readLearning(text).counts);
  return { ...readLearning(own?.text), elsewhere: summed(others) };
}

/** In the form that a run's first event records; undefined if nothing is known. */
export async function learnedAtStart(
  journal: Pick<StoredJournal, "learned">,
  repository: string,
  { now, clean }: { readonly now: number; readonly clean: (text: string) => string },
): Promise<{
  readonly learned?: LearnedCounts;
  readonly usualMs?: Readonly<Record<string, number>>;
  readonly lessons?: readonly KnownLesson[];
}> {
  const { counts, elsewhere, lessons: all, durations } = await knownHere(journal, repository);
  const usualMs = usualDurations(durations);
  const learned = merged(counts, elsewhere);
  const lessons = knownLessons(notTooOld(all, now)).map(({ summary, files, ...lesson }) => ({
    ...{ ...lesson, summary: clean(summary), files: files.map(clean) },
  }));
  return {
    ...(Object.keys(learned.cells).length === 0 ? {} : { learned }),
    ...(Object.keys(usualMs).length === 0 ? {} : { usualMs }),
    ...(lessons.length === 0 ? {} : { lessons }),
  };
}

/** What agents must never do here: from the user's settings and their earlier answers. */
export async function neverHere(
  journal: Pick<StoredJournal, "learned">,
  repository: string,
): Promise<readonly Risk[]> {
  const { preferences } = await knownHere(journal, repository);
  return [...new Set([...(userConfig().never ?? []), ...neverDone(preferences)])];
}
