/**
 * Extracts lessons from a run's recorded events: for each failure of a subtask that ends verified, what the attempt
 * after its last occurrence did. Also records whether a recalled lesson helped. Invariants: uses recorded events only;
 * lessons come only from failures of the work, never from outages; texts are as recorded, cleaned and without secrets.
 */
import { defined } from "../defined.ts";
import type { Failure } from "../failure.ts";
import type { RecoveryName } from "../recovery.ts";
import type { DecisionOf, RunEvent } from "../run/decision.ts";
import type { InputOf } from "../run/input.ts";
import { lessonId, type NewLesson, type Remedy } from "./lesson.ts";

export type LessonFact =
  | { readonly kind: "lesson"; readonly lesson: NewLesson }
  | { readonly kind: "told"; readonly id: string; readonly held: boolean };

interface SeenAttempt {
  readonly attempt: number;
  readonly recovery?: RecoveryName;
  readonly words?: string;
  /** The lesson that its prompt contained. */
  readonly told?: string;
  approach: string;
  files: readonly string[];
  failed?: { readonly failure: Failure; readonly error: string };
}

type Seeing = Map<string, SeenAttempt[]>;

/** Per subtask; the newest are kept. */
const ATTEMPTS_KEPT = 40;

export function lessonCollector(): { add(event: RunEvent): readonly LessonFact[] } {
  const seeing: Seeing = new Map();
  let now = 0;
  return {
    add(event) {
      if (event.kind === "received") {
        now = Math.max(now, event.input.at);
        if (event.input.kind === "attempt-ended") ended(seeing, event.input);
        return [];
      }
      if (event.kind === "attempt-dispatched") dispatched(seeing, event);
      if (event.kind === "failure-classified") return failed(seeing, event);
      return event.kind === "subtask-done" ? done(seeing, event, now) : [];
    },
  };
}

const seenAttempt = (seeing: Seeing, subtask: string, attempt: number): SeenAttempt | undefined =>
  seeing.get(subtask)?.find((one) => one.attempt === attempt);

function dispatched(seeing: Seeing, event: DecisionOf<"attempt-dispatched">): void {
  const { recovery, prompt } = event.spec;
  const told = prompt.recalled?.id;
  const all = seeing.get(event.subtask) ?? [];
  const fresh = { attempt: event.attempt, approach: "", files: [] };
  all.push({ ...fresh, ...defined({ recovery, words: prompt.words, told }) });
  seeing.set(event.subtask, all.slice(-ATTEMPTS_KEPT));
}

function ended(seeing: Seeing, { subtask, attempt, remains }: InputOf<"attempt-ended">): void {
  const seen = seenAttempt(seeing, subtask, attempt);
  if (seen === undefined) return;
  const { approach, output = "", files = [] } = remains;
  seen.approach = approach === "" ? lastWords(output) : approach;
  seen.files = files;
}

const WORDS_CHARS = 300;

/** The last paragraph of its output. */
const lastWords = (output: string): string =>
  output
    .trim()
    .split(/\n\s*\n/)
    .at(-1)
    ?.slice(-WORDS_CHARS) ?? "";

function failed(seeing: Seeing, event: DecisionOf<"failure-classified">): readonly LessonFact[] {
  const { subtask, attempt, failure, error, verdict } = event;
  const seen = seenAttempt(seeing, subtask, attempt);
  if (seen === undefined || !verdict) return [];
  seen.failed = { failure, error };
  return toldFacts(seen, lessonId(failure.signature) !== seen.told);
}

const toldFacts = ({ told }: SeenAttempt, held: boolean): readonly LessonFact[] =>
  told === undefined ? [] : [{ kind: "told", id: told, held }];

function done(
  seeing: Seeing,
  { subtask, attempt, phase }: DecisionOf<"subtask-done">,
  at: number,
): readonly LessonFact[] {
  const all = seeing.get(subtask) ?? [];
  seeing.delete(subtask);
  const last = all.findIndex((one) => one.attempt === attempt);
  const verified = all[last];
  if (phase !== "verified" || verified === undefined) return [];
  const lessons = new Map<string, LessonFact>();
  let before: SeenAttempt | undefined;
  for (const one of all.slice(0, last + 1)) {
    if (before?.failed !== undefined) {
      const { kind, signature, root } = before.failed.failure;
      const met = { kind, signature, error: before.failed.error, at, ...defined({ root }) };
      lessons.set(signature, { kind: "lesson", lesson: { ...met, ...overcameIn(one) } });
    }
    before = one;
  }
  return [...toldFacts(verified, true), ...lessons.values()];
}

/** A person's words count only for the first attempt after their answer, although later prompts repeat them. */
function overcameIn({ recovery, words, approach, files }: SeenAttempt): Remedy {
  const byPerson = words !== undefined && recovery === undefined;
  return {
    ...(byPerson ? { byPerson } : defined({ recovery })),
    summary: byPerson ? words : approach,
    files,
  };
}
