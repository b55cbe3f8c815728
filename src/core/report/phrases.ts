/** Short phrases for people about recoveries, answers, budgets and the history of a subtask. */
import { MEASURE_NAMES, amountText, count, duration, limitText } from "../amounts.ts";
import { cleanLine } from "../foreign-text.ts";
import { KIND_WORDS } from "../kind-words.ts";
import type { Alert, PastEvent } from "../history/run-history.ts";
import { MUTATION_WORDS, RECOVERY_WORDS, type Recovery } from "../recovery.ts";
import type { Answer } from "../run/input.ts";
import { RETRY_METHOD_WORDS } from "../run/retry-method.ts";
import type { Measure, UnenforcedBudget } from "../budget.ts";
import type { DecisionOf } from "../run/decision.ts";

export function recoveryText(recovery: Recovery): string {
  switch (recovery.kind) {
    case "mutate":
      return `mutate (${recovery.mutation})`;
    case "repair":
      return `repair (${recovery.strategy})`;
    case "feedback":
    case "fresh":
      return recovery.kind + (recovery.wording === undefined ? "" : ` (${recovery.wording})`);
    case "sidegrade":
      return `sidegrade to ${cleanLine(recovery.entry.model ?? recovery.entry.agent, 40)}`;
    case "escalate": {
      const { entry, thinking } = recovery;
      const how = thinking ? " (thinking)" : "";
      return `escalate to ${cleanLine(entry.model ?? entry.agent, 40)}${how}`;
    }
    case "explore":
      return `explore ${count(recovery.branches.length, "branch", "branches")}`;
    default:
      return recovery.kind;
  }
}

/** What a recovery did, as a predicate. */
export const recoveryDid = (recovery: Recovery): string => inWords(recovery, "did");

/** What a recovery will do, for "next: ...". */
export const recoveryDoes = (recovery: Recovery): string => inWords(recovery, "does");

const VERBS = {
  did: { switch: "switched", try: "tried", start: "started", ask: "asked" },
  does: { switch: "switch", try: "try", start: "start", ask: "ask" },
} as const;

function inWords(recovery: Recovery, form: "did" | "does"): string {
  const verbs = VERBS[form];
  switch (recovery.kind) {
    case "mutate":
      return MUTATION_WORDS[recovery.mutation][form];
    case "sidegrade":
      return `${verbs.switch} to ${cleanLine(recovery.entry.model ?? recovery.entry.agent, 40)}`;
    case "escalate": {
      const { entry, thinking } = recovery;
      if (entry.model !== undefined) return `${verbs.switch} to ${cleanLine(entry.model, 40)}`;
      return thinking ? `${verbs.ask} it to think longer` : RECOVERY_WORDS.escalate[form];
    }
    case "explore":
      return `${verbs.try} ${recovery.branches.length} approaches side by side`;
    case "fresh": {
      const { goodCommit, wording } = recovery;
      const start =
        goodCommit === undefined
          ? `${verbs.start} fresh from where the subtask began`
          : RECOVERY_WORDS.fresh[form];
      return wording === undefined ? start : `${start} and ${MUTATION_WORDS[wording][form]}`;
    }
    default:
      return RECOVERY_WORDS[recovery.kind][form];
  }
}

/** The recoveries before a person was asked, without duplicates and with their number. */
export function recoveriesDone(events: readonly PastEvent[]): readonly string[] {
  const times = new Map<string, number>();
  for (const event of events)
    if (event.kind === "recovery")
      for (const recovery of event.recoveries)
        if (recovery.kind !== "ask" && recovery.kind !== "skip")
          times.set(recoveryDid(recovery), (times.get(recoveryDid(recovery)) ?? 0) + 1);
  return [...times].map(([words, n]) => (n === 1 ? words : `${words} (${n} times)`));
}

/** Why the last attempt failed, in one line; for a failed check, its headline. */
export function lastFailureWords(events: readonly PastEvent[]): string | undefined {
  const last = events.findLast((event) => event.kind === "failure")?.failure;
  return last && cleanLine(last.because[0] ?? last.kind, 200);
}

interface Chapter {
  readonly failure: string;
  readonly recoveries: { readonly words: string; times: number }[];
}

/** `checks failed → sent the failing output back ×2; going in circles → put the task in other words`. */
export function storyText(events: readonly PastEvent[]): string {
  const chapters: Chapter[] = [];
  let cause = "";
  for (const event of events) {
    if (event.kind === "failure") cause = KIND_WORDS[event.failure.kind].name;
    else if (event.kind === "circle") cause = KIND_WORDS.circular_fix.name;
    else {
      let chapter = chapters.at(-1);
      if (chapter?.failure !== cause) chapters.push((chapter = { failure: cause, recoveries: [] }));
      tell(chapter.recoveries, event.recoveries.map(recoveryDid).join(" and "));
      cause = "";
    }
  }
  const open = cause === "" ? [] : [cause];
  return [...chapters.map(chapterText), ...open].join("; ");
}

function tell(recoveries: Chapter["recoveries"], words: string): void {
  const last = recoveries.at(-1);
  if (last?.words === words) last.times += 1;
  else recoveries.push({ words, times: 1 });
}

const chapterText = ({ failure, recoveries }: Chapter): string =>
  `${failure} → ${recoveries
    .map(({ words, times }) => (times === 1 ? words : `${words} ×${times}`))
    .join(", ")}`;

export function answerText(answer: Answer): string {
  switch (answer.kind) {
    case "retry":
      return ["retry", answer.how && RETRY_METHOD_WORDS[answer.how], cleanLine(answer.words, 200)]
        .filter((part) => part !== undefined)
        .join(": ");
    case "manual":
      return answer.done ? "done by hand" : "handled by hand";
    case "top-up":
      return `raise the budget by ${amountText(answer.by)}`;
    case "skip":
      return "skip";
    case "without":
      return "go on without it";
    case "other-agent":
      return "use another agent";
    case "allow-once":
      return "allow it once";
    case "allow-run":
      return "allow it in this run";
    case "allow-always":
      return "allow it always";
  }
}

/** Makes an alert stand out in displays of a run. */
export const alertText = ({ severity }: Alert): string =>
  `${severity} alert: nothing automatic is left to try, it needs you`;

/** The policy's wording for a rung; for people, only its first part matters. */
const FIRST_STEP =
  /^([^:]{1,80}): \S{1,200}(?: \(\d{1,4} of \d{1,4}\))? is the first step of the policy that applies(?:; .*)?$/;

/** Why a recovery was chosen. */
export const chosenText = (because: string): string => because.replace(FIRST_STEP, "$1");

/** Why a subtask was given up. */
export const parkedText = (because: string): string =>
  because.replace(FIRST_STEP, "$1, and the policy has nothing else to try");

/** For a read-only subtask that ended without an answer. */
export const noAnswerText = (subtask: string, why: string): string =>
  `${cleanLine(subtask, 60)} gave no answer: ${cleanLine(why, 300)}`;

/** The first ten names of a list of foreign names. */
export const listText = (names: readonly string[]): string =>
  names
    .slice(0, 10)
    .map((name) => cleanLine(name, 80))
    .join(", ") + (names.length > 10 ? ` and ${names.length - 10} more` : "");

const USE: { readonly [measure in Measure]: string } = {
  usd: "cost",
  tokens: "tokens",
  timeMs: "time",
  attempts: "attempts",
};
const NAMED = 5;

/** One line for people, the same in every display. */
export function unenforcedBudgetText({
  measure,
  agents,
  limits,
  holding,
  otherwise,
}: UnenforcedBudget): string {
  const names = agents.slice(0, NAMED).map((agent) => cleanLine(agent, 40));
  const more = agents.length > NAMED ? ` and ${agents.length - NAMED} more` : "";
  const holds = otherwise === undefined ? amountText(holding) : otherwiseText(otherwise);
  const [who, told, them] =
    agents.length === 1
      ? ["agent", `it is not known to report its ${USE[measure]}`, "it"]
      : ["agents", `they are not known to report their ${USE[measure]}`, "them"];
  return (
    `the ${MEASURE_NAMES[measure]} budget of ${whose(measure, limits)} cannot limit ${who} ${names.join(", ")}${more}: ` +
    `${told}; what limits ${them}: ${holds}`
  );
}

function whose(measure: Measure, { run, recovery, subtasks }: UnenforcedBudget["limits"]): string {
  return [
    ...(run === undefined ? [] : [`the run (${limitText(measure, run)})`]),
    ...(recovery === undefined ? [] : [`recovery (${limitText(measure, recovery)})`]),
    ...(subtasks === undefined ? [] : [subtasks === 1 ? "a subtask" : `${subtasks} subtasks`]),
  ].join(" and of ");
}

const otherwiseText = ({
  attempts,
  iterations,
  attemptMs,
}: NonNullable<UnenforcedBudget["otherwise"]>): string =>
  [
    `at most ${count(attempts, "attempt")} of a subtask`,
    ...(iterations < attempts ? [`${iterations} of them for recovery`] : []),
    ...(attemptMs === undefined ? [] : [`${duration(attemptMs)} each`]),
  ].join(", ");

/**
 * Explains that a place stays free; the remaining budget may grow again when running attempts return what they do not
 * use.
 */
export function tightBudgetText({ measure, limit, running }: DecisionOf<"budget-tight">): string {
  const others = running === 1 ? "the one under way" : `the ${running} under way`;
  return `what is left of ${limitText(measure, limit)} is too little for another attempt beside ${others}`;
}
