/** Recoveries, answers and what happened to a subtask, in a few words for people. */
import { amountWords } from "../amounts.ts";
import { tameLine } from "../foreign-text.ts";
import type { PastEvent } from "../history/run-history.ts";
import type { Recovery } from "../recovery.ts";
import type { Answer } from "../run/input.ts";

export function recoveryWords(recovery: Recovery): string {
  switch (recovery.kind) {
    case "mutate":
      return `mutate (${recovery.mutation})`;
    case "repair":
      return `repair (${recovery.strategy})`;
    case "sidegrade":
      return `sidegrade to ${tameLine(recovery.entry.model ?? recovery.entry.agent, 40)}`;
    case "escalate": {
      const { entry, thinking } = recovery;
      const how = thinking ? " (thinking)" : "";
      return `escalate to ${tameLine(entry.model ?? entry.agent, 40)}${how}`;
    }
    case "explore":
      return `explore ${recovery.branches.length} branches`;
    default:
      return recovery.kind;
  }
}

interface Chapter {
  readonly failure: string;
  readonly recoveries: { readonly words: string; times: number }[];
}

/** `verification_failed → feedback ×2; circular_fix → mutate (rephrase)`. */
export function storyWords(events: readonly PastEvent[]): string {
  const chapters: Chapter[] = [];
  let cause = "";
  for (const event of events) {
    if (event.kind === "failure") cause = event.failure.kind;
    else if (event.kind === "circle") cause = "circular_fix";
    else {
      let chapter = chapters.at(-1);
      if (chapter?.failure !== cause) chapters.push((chapter = { failure: cause, recoveries: [] }));
      tell(chapter.recoveries, event.recoveries.map(recoveryWords).join(" + "));
      cause = "";
    }
  }
  const open = cause === "" ? [] : [cause];
  return [...chapters.map(chapterWords), ...open].join("; ");
}

function tell(recoveries: Chapter["recoveries"], words: string): void {
  const last = recoveries.at(-1);
  if (last?.words === words) last.times += 1;
  else recoveries.push({ words, times: 1 });
}

const chapterWords = ({ failure, recoveries }: Chapter): string =>
  `${failure} → ${recoveries
    .map(({ words, times }) => (times === 1 ? words : `${words} ×${times}`))
    .join(", ")}`;

export function answerWords(answer: Answer): string {
  switch (answer.kind) {
    case "retry":
      return `retry: ${tameLine(answer.words, 200)}`;
    case "manual":
      return answer.done ? "done by hand" : "handled by hand";
    case "top-up":
      return `raise the budget by ${amountWords(answer.by)}`;
    case "skip":
      return "skip";
    case "without":
      return "go on without it";
  }
}

/** Of a read-only subtask that ended without an answer. */
export const noAnswerWords = (subtask: string, why: string): string =>
  `${tameLine(subtask, 60)} gave no answer: ${tameLine(why, 300)}`;

/** The first ten of some foreign names. */
export const listWords = (names: readonly string[]): string =>
  names
    .slice(0, 10)
    .map((name) => tameLine(name, 80))
    .join(", ") + (names.length > 10 ? ` and ${names.length - 10} more` : "");
