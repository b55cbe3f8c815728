/**
 * A question in plain words: what happened in a sentence, a short name for its cause, what each answer does, and the
 * command that gives it. Derived from the recorded question alone, so old questions read the same. Invariants: bounded;
 * foreign text is cleaned; anything to be typed into a shell is quoted.
 */
import { count, MEASURE_NAMES } from "../amounts.ts";
import type { Measure } from "../budget.ts";
import { cleanLine } from "../foreign-text.ts";
import { KIND_WORDS } from "../kind-words.ts";
import type { AnswerName, Checkpoint, CheckpointOption } from "../run/checkpoint.ts";
import { listText } from "./phrases.ts";
import { sh } from "../repair/shell-script.ts";

export interface QuestionChoice {
  readonly answer: AnswerName;
  readonly label: string;
  /** What happens when it is chosen, as a sentence. */
  readonly does: string;
  readonly recommended: boolean;
  readonly command: string;
}

/** The part of the failure shown to a person; if space is short, `keep` says which lines stay. */
export interface QuestionEvidence {
  readonly lines: readonly string[];
  readonly keep: "first" | "last";
}

export interface QuestionWords {
  readonly happened: string;
  /** Equal for questions that one answer may settle. */
  readonly cause: string;
  readonly choices: readonly QuestionChoice[];
  /** What happens if nobody answers in time. */
  readonly otherwise?: string;
}

export const questionWords = (checkpoint: Checkpoint, run: string): QuestionWords => ({
  happened: cleanLine(checkpoint.question, 500).replace(ASKS, ""),
  cause: causeName(checkpoint),
  choices: checkpoint.options.map((option) => ({
    answer: option.answer,
    label: labelOf(checkpoint, option),
    does: doesText(checkpoint, option),
    recommended: option.answer === checkpoint.recommendation,
    command: commandText(checkpoint, option, run),
  })),
  ...(checkpoint.expiresAt === undefined ? {} : { otherwise: OTHERWISE[checkpoint.default] }),
});

/**
 * The question at the end of the text, including earlier versions' forms; it is removed because the answers make it
 * clear.
 */
const ASKS = / (?:What next\?|How should it go on\?|Raise it or stop here\?)$/;

function causeName({ trigger, context, waiting, cause = "" }: Checkpoint): string {
  if (trigger === "BUDGET") return "budget used up";
  if (trigger === "CHECKS" || cause.startsWith("check ")) return "checks cannot run";
  if (waiting !== undefined) return "waits for permission";
  if (context.refused !== undefined) return "not allowed";
  if (context.asks !== undefined) return "the agent asks";
  return KIND_WORDS[context.kind ?? "unknown"].name;
}

const labelOf = ({ takenBy }: Checkpoint, { answer, label }: CheckpointOption): string =>
  answer === "manual" && takenBy !== undefined ? "Done by hand: check it" : cleanLine(label, 120);

function doesText(checkpoint: Checkpoint, { answer, bare }: CheckpointOption): string {
  const { context, trigger, subtask, takenBy, waiting } = checkpoint;
  const goesOn = waiting === undefined ? "" : "The agent goes on. ";
  switch (answer) {
    case "retry":
      if (trigger === "CHECKS") return "Runs the checks on the base commit again, then starts.";
      if (bare === true) return `Starts another attempt.${alsoText(checkpoint)}`;
      if (context.asks !== undefined)
        return "Sends your answer to the agent, which goes on in the same session.";
      return `Starts another attempt with your words in its prompt.${alsoText(checkpoint)}`;
    case "manual":
      return takenBy === undefined
        ? "Gives you its folder, and checks it when you are done; on a fleet, tells you how to get its files."
        : "Runs the checks on what is in its folder now.";
    case "skip":
      if (subtask === undefined) return "Ends the run; what is verified so far is kept.";
      return context.blocksCount === 0
        ? "Gives this subtask up; the others go on."
        : `Gives this subtask up, and with it ${count(context.blocksCount, "subtask")} that ${context.blocksCount === 1 ? "needs" : "need"} it: ${listText(context.blocks.slice(0, 3))}.`;
    case "top-up":
      return `Adds to the ${measureName(context.measure)}budget and goes on.`;
    case "without":
      if (waiting !== undefined) return "Refuses it; the agent goes on and has to do without it.";
      return trigger === "CHECKS"
        ? `Starts without ${listText(context.checks ?? [])}; the result will not be verified.`
        : "Tells the agent to find a way without it.";
    case "other-agent":
      return `Starts another attempt with that agent.${alsoText(checkpoint)}`;
    case "allow-once":
      return waiting === undefined
        ? "The next attempt may use it, no later one."
        : "The agent goes on with this call; it asks again before another.";
    case "allow-run":
      return `${goesOn}Every attempt of this run may use it.`;
    case "allow-always":
      return `${goesOn}Adds a rule to your own settings, for all runs.`;
  }
}

const alsoText = ({ also = [] }: Checkpoint): string =>
  also.length === 0 ? "" : ` Also for ${listText(also)}.`;

const measureName = (measure: Measure | undefined): string =>
  measure === undefined ? "" : `${MEASURE_NAMES[measure]} `;

const OTHERWISE: { readonly [answer in AnswerName]?: string } = {
  skip: "it is skipped",
  retry: "it is tried again",
  manual: "it is left to you",
  without: "it is refused",
};

const FLAGS: { readonly [answer in AnswerName]: string } = {
  retry: '--retry "your words"',
  manual: "--manual",
  skip: "--skip",
  "top-up": "--top-up",
  without: "--without",
  "other-agent": "--other-agent",
  "allow-once": "--allow once",
  "allow-run": "--allow run",
  "allow-always": "--allow always",
};

const EXAMPLES: { readonly [measure in Measure]: string } = {
  usd: "usd=5",
  tokens: "tokens=500000",
  timeMs: "minutes=30",
  attempts: "attempts=5",
};

/** An example amount for the measure that the question is about. */
export const topUpExample = ({ context }: Checkpoint): string =>
  context.measure === undefined ? "usd=5,minutes=30" : EXAMPLES[context.measure];

function commandText(checkpoint: Checkpoint, { answer, bare }: CheckpointOption, run: string) {
  const isBare = bare === true || checkpoint.trigger === "CHECKS";
  const flag = answer === "retry" && isBare ? "--retry" : FLAGS[answer];
  const done = answer === "manual" && checkpoint.takenBy !== undefined ? " --done" : "";
  const amount = answer === "top-up" ? ` ${topUpExample(checkpoint)}` : "";
  return `unstuck resolve ${shellWord(checkpoint.id)} --run ${shellWord(run)} ${flag}${done}${amount}`;
}

const shellWord = (word: string): string =>
  /^[\w./:@%+=-]+$/.test(word) ? word : sh`${cleanLine(word, 200)}`;
