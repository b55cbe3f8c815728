/** Chooses the attempts to show: those named, otherwise the running ones, otherwise the last one. Pure. */
import { cleanLine } from "../../core/foreign-text.ts";
import { ProblemError } from "../operation.ts";
import { nameOf, type AttemptBook, type LoggedAttempt } from "./attempt-book.ts";

/** `subtask` or `subtask/attempt`; ids may contain a slash themselves. */
export function placeOf(
  book: AttemptBook,
  at: string,
): { readonly subtask: string; readonly attempt?: number } | undefined {
  if (book.subtasks().has(at)) return { subtask: at };
  const slash = at.lastIndexOf("/");
  const [subtask, number] = [at.slice(0, slash), at.slice(slash + 1)];
  if (slash < 0 || !book.subtasks().has(subtask) || !/^\d{1,6}$/.test(number)) return undefined;
  return { subtask, attempt: Number(number) };
}

/** The attempt that is named; undefined if `at` names a subtask or nothing. */
export function namedAttempt(book: AttemptBook, at: string | undefined): LoggedAttempt | undefined {
  const { subtask, attempt } = (at === undefined ? undefined : placeOf(book, at)) ?? {};
  if (subtask === undefined || attempt === undefined) return undefined;
  return book.find(nameOf({ subtask, attempt }));
}

/** The running attempts, otherwise the last one. */
export function chooseAttempts(
  book: AttemptBook,
  run: string,
  at: string | undefined,
  goesOn: boolean,
): readonly LoggedAttempt[] {
  const place = at === undefined ? undefined : placeOf(book, at);
  if (at !== undefined && place === undefined) throw noSuchPlace(book, run, at);
  const all = book.all().filter(({ subtask }) => place === undefined || subtask === place.subtask);
  if (place?.attempt !== undefined) {
    const named = all.filter(({ attempt }) => attempt === place.attempt);
    if (named.length === 0) throw noSuchPlace(book, run, at ?? "");
    return named;
  }
  const running = goesOn ? all.filter(({ endedAt }) => endedAt === undefined) : [];
  return running.length > 0 ? running : all.slice(-1);
}

const NAMED = 8;

function noSuchPlace(book: AttemptBook, run: string, at: string): ProblemError {
  const names = [...book.subtasks()].slice(0, NAMED).map((name) => cleanLine(name, 60));
  const more = book.subtasks().size > NAMED ? " ..." : "";
  return new ProblemError(
    "not-found",
    `run ${run} has no ${cleanLine(at, 80)}; its subtasks: ${names.join(", ")}${more}. ` +
      `See all attempts: unstuck logs ${run} --list`,
  );
}
