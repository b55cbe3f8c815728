/** Failures that were overcome in this repository: listed, shown as an agent is told about them, and forgotten. */
import { cleanLine } from "../../core/foreign-text.ts";
import { expiryOf, notTooOld, type Lesson, type Lessons } from "../../core/memory/lesson.ts";
import { knownLessons, recalledText } from "../../core/memory/recall.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { operation, ProblemError } from "../operation.ts";
import { changeLearning, withHere } from "./here.ts";
import { knownHere } from "./known-here.ts";

export const listMemory = operation({
  name: "memory-list",
  schemas: async () => (await import("./schemas.ts")).listMemory,
  run: (context) =>
    withHere(context, async ({ journal }, repository) => {
      const { lessons } = await knownHere(journal, repository);
      const newestFirst = notTooOld(lessons, Date.now()).toReversed();
      return { repository, lessons: newestFirst.map(shown) };
    }),
});

/** The space a prompt of the usual length has for it. */
const TOLD_CHARS = 1900;

export const showMemory = operation({
  name: "memory-show",
  schemas: async () => (await import("./schemas.ts")).showMemory,
  run: (context, { id }) =>
    withHere(context, async ({ journal }, repository) => {
      const { lessons } = await knownHere(journal, repository);
      const lesson = lessonNamed(notTooOld(lessons, Date.now()), id);
      const [known] = knownLessons([lesson]);
      const prompt = known === undefined ? "" : recalledText({ ...known, same: true }, TOLD_CHARS);
      return { ...shown(lesson), prompt };
    }),
});

export const forgetMemory = operation({
  name: "memory-forget",
  schemas: async () => (await import("./schemas.ts")).forgetMemory,
  run: (context, { id }) => {
    refuseInsideAttempt("memory forget");
    return withHere(context, async (open, repository) => {
      const { before, after } = await changeLearning(open, repository, (known) => {
        const gone = id === undefined ? undefined : lessonNamed(known.lessons, id);
        const kept = gone === undefined ? [] : known.lessons.filter((lesson) => lesson !== gone);
        return { ...known, lessons: kept };
      });
      return { repository, forgotten: before.lessons.length - after.lessons.length };
    });
  },
});

function lessonNamed(lessons: Lessons, id: string): Lesson {
  const fitting = id === "" ? [] : lessons.filter((lesson) => lesson.id.startsWith(id));
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only;
  const asked = cleanLine(id, 60);
  throw only === undefined
    ? new ProblemError(
        "not-found",
        `nothing is remembered under "${asked}"; see what is: unstuck memory list`,
      )
    : new ProblemError(
        "ambiguous",
        `"${asked}" matches ${fitting.map((lesson) => lesson.id).join(", ")}; type more of the id`,
      );
}

function shown(lesson: Lesson) {
  const { signature: _signature, root: _root, at, ...rest } = lesson;
  const date = (ms: number): string => new Date(ms).toISOString();
  return { ...rest, at: date(at), expires: date(expiryOf(lesson)) };
}
