/**
 * Decisions in the words a person would use: what failed, what had been tried and what was done, the evidence to show,
 * and the alternatives with the reasons against them. Invariants: bounded; foreign text is cleaned; no ids of kinds,
 * recoveries or rules.
 */
import { refusalText } from "../agent-words/refusal.ts";
import { cleanLine } from "../foreign-text.ts";
import { FAILURE_KINDS, hasTrait } from "../kinds.ts";
import { KIND_WORDS } from "../kind-words.ts";
import type { Considered } from "../policy/situation.ts";
import { RECOVERY_NAMES, RECOVERY_WORDS, type Recovery, type RecoveryName } from "../recovery.ts";
import { NOBODY, UNSTUCK, type Checkpoint } from "../run/checkpoint.ts";
import type { DecisionOf } from "../run/decision.ts";
import { noteText } from "../run/note.ts";
import {
  excerptLines,
  reasonText,
  type OtherOption,
  type SubtaskFacts,
} from "./explanation-parts.ts";
import { beliefSentence, weighedText } from "./believed-causes.ts";
import { answerText, listText, noAnswerText, recoveryDid } from "./phrases.ts";

export interface DecisionSentence {
  readonly said: string;
  readonly evidence?: readonly string[];
  readonly others?: readonly OtherOption[];
}

const NUMBERS = ["zeroth", "first", "second", "third", "fourth", "fifth", "sixth"];

const attemptName = (attempt: number): string =>
  attempt < NUMBERS.length ? `The ${NUMBERS[attempt]} attempt` : `Attempt ${attempt}`;

export function recoverySentence(
  event: DecisionOf<"recovery-chosen">,
  seen: SubtaskFacts,
): DecisionSentence {
  const { failure } = seen;
  const others = otherOptions(event.considered);
  return {
    said: [...failedText(seen), chosenText(event, seen)].join(" "),
    ...(failure === undefined ? {} : { evidence: evidenceLines(failure) }),
    ...(others.length === 0 ? {} : { others }),
  };
}

function failedText({ failure, earlier, circle }: SubtaskFacts): string[] {
  if (failure === undefined) return [];
  const { kind, signature } = failure.failure;
  const isSame = earlier?.failure.kind === kind && earlier.failure.signature === signature;
  const line = isSame ? "" : headline(failure);
  const what = `${KIND_WORDS[kind].happened}${isSame ? ", like the one before" : ""}`;
  return [
    `${attemptName(failure.attempt)} ${what}${line === "" ? "" : ` (${line})`}.`,
    ...(circle === undefined ? [] : [`It is going in circles: ${circleText(circle)}.`]),
  ];
}

const CIRCLES: readonly (readonly [RegExp, string])[] = [
  [
    /^attempt \d+ ends with the tree of failed attempt (\d+).*$/,
    "the code is what attempt $1 left",
  ],
  [/^the same failure signature in attempts (.*)$/, "attempts $1 all failed alike"],
];

/** Why it is considered a circle, as the end of a sentence. */
export function circleText(because: string): string {
  const text = cleanLine(because, 200);
  const known = CIRCLES.find(([pattern]) => pattern.test(text));
  return known === undefined ? inWords(text) : text.replace(known[0], known[1]);
}

/** The beginning of a check's excerpt, or else what failed; a failure seen only by the runtime has no text to quote. */
function headline(event: DecisionOf<"failure-classified">): string {
  const { failure, failing } = event;
  if (hasTrait(failure.kind, "runtime-only")) return "";
  if (failure.origin !== "check")
    return cleanLine(reasonText(event).replace(/^stderr line \d+: /, ""), 160);
  const [first = ""] = excerptLines(event);
  return cleanLine(first === "" ? listText(failing.slice(0, 3)) : first, 160);
}

const evidenceLines = (failure: DecisionOf<"failure-classified">): readonly string[] => {
  const lines = excerptLines(failure);
  return lines.length > 0
    ? lines
    : failure.failing.slice(0, 5).map((name) => `failed: ${cleanLine(name, 200)}`);
};

function chosenText(event: DecisionOf<"recovery-chosen">, { did }: SubtaskFacts): string {
  const { recoveries, chosenBy } = event;
  const believed = beliefSentence(event);
  if (believed !== undefined) return believed;
  const now = recoveries.map(recoveryDid).join(" and ");
  const asks = recoveries.some(({ kind }) => kind === "ask");
  if (asks && chosenBy.by === "guard") return `Only you can settle that, so it ${now}.`;
  if (asks) return `Nothing else was left to try, so it ${now}.`;
  const before = did?.filter(isTried).map(recoveryDid).join(" and ") ?? "";
  if (before === "") return `So it ${now}.`;
  return before === now
    ? `It ${now} once more.`
    : `It had ${pastPerfect(before)}, which did not help; so it ${now}.`;
}

const isTried = ({ kind }: Recovery): boolean =>
  !(["ask", "skip", "wait", "continue"] as readonly RecoveryName[]).includes(kind);

/** "broke" is the only past form here that differs from its participle. */
const pastPerfect = (did: string): string => did.replace(/^broke /, "broken ");

const OTHERS_MAX = 6;

/** Leaves out options that never apply to such a failure. */
function otherOptions(considered: readonly Considered[]): readonly OtherOption[] {
  const told = new Map<string, string>();
  for (const option of considered) {
    const { rung, recovery, verdict } = option;
    if (verdict !== "chosen" && !verdict.startsWith("not for "))
      told.set(optionName(recovery, rung), weighedText(option) ?? verdictText(verdict));
  }
  return [...told].slice(0, OTHERS_MAX).map(([option, why]) => ({ option, why }));
}

const THINKS = "think longer with the same model";

const optionName = (recovery: string, rung: string): string =>
  (rung === "think" ? THINKS : recovery)
    .split(" + ")
    .map((name) => RECOVERY_WORDS[name as RecoveryName]?.does ?? cleanLine(name, 60))
    .join(" and ");

const VERDICTS: readonly (readonly [RegExp, string])[] = [
  [/^used (\d+) of \d+ times$/, "already used ($1 of $1)"],
  [/^stuck: no progress$/, "there was no progress, so more of the same would not help"],
  [/^not stuck yet$/, "only once there is no progress"],
  [/^a circular fix needs another recovery$/, "it had just been tried, and led in circles"],
  [/^already at the top of the model ladder$/, "it already uses the strongest model"],
  [/^what a check finds is for the work to mend$/, "only the code itself can fix a failing check"],
  [/^(\d+) mutations were tried$/, "$1 other wordings were tried"],
  [/^no good commit is known$/, "there is no good commit to go back to"],
];

function verdictText(verdict: string): string {
  const known = VERDICTS.find(([pattern]) => pattern.test(verdict));
  return known === undefined ? inWords(verdict) : verdict.replace(known[0], known[1]);
}

const IDS = new RegExp(`\\b(?:${[...FAILURE_KINDS, ...RECOVERY_NAMES].join("|")})\\b`, "g");

/** Replaces kind ids in journal texts by their names; recovery ids are words already. */
const inWords = (text: string): string =>
  cleanLine(text, 300).replace(IDS, (id) =>
    id in KIND_WORDS ? KIND_WORDS[id as keyof typeof KIND_WORDS].name : id,
  );

export function endSentence(event: DecisionOf<"subtask-done">): DecisionSentence {
  const { attempt, phase, unanswered, notes = [] } = event;
  const end =
    attempt === 0 ? "What you did by hand was taken" : `${attemptName(attempt)} ${ENDS[phase]}`;
  const told = unanswered === undefined ? end : noAnswerText(event.subtask, unanswered);
  return { said: [told, ...notes.map(noteText)].map((words) => `${words}.`).join(" ") };
}

const ENDS: { readonly [phase in DecisionOf<"subtask-done">["phase"]]: string } = {
  verified: "passed its checks",
  unverified: "was taken, though nothing verifies it",
  answered: "gave the answer",
};

export const answerSentence = ({
  answer,
  by,
}: DecisionOf<"checkpoint-closed">): DecisionSentence => {
  const isRefused = answer.kind === "without";
  if (by === NOBODY)
    return { said: `Nobody answered in time, so it was ${isRefused ? "refused" : "skipped"}.` };
  if (by === UNSTUCK)
    return {
      said: isRefused
        ? "The attempt ended before anybody answered."
        : "What you were asked about was fixed meanwhile, so it tried again.",
    };
  return { said: `${cleanLine(by, 60)} answered: ${answerText(answer)}.` };
};

/** An agent that waits has not failed, so only its question is shown. */
export const waitingSentence = ({ context }: Checkpoint): DecisionSentence => ({
  said: `The agent wanted to use ${(context.refused ?? []).map((call) => `\`${cleanLine(refusalText(call), 200)}\``).join(" and ")} and waited for your answer.`,
});
