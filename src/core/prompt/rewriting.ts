/**
 * Prompt mutations by a cheap model (A4): what it is asked, and what becomes of its answer. Invariants: the goal's
 * own text stands in the result as it was given; an answer that is empty, too long or no rewrite at all is not
 * used, and the template is.
 */
import { cleanText } from "../foreign-text.ts";
import type { Mutation } from "../recovery.ts";
import type { MutationInput } from "./mutation.ts";
import { quoted } from "./quoted.ts";

const ASKED: { readonly [mutation in Mutation]: string } = {
  rephrase: "Say the same task in other words. Change nothing of what is asked.",
  decompose:
    "Say the same task as a numbered list of small steps, in the order they should be done.",
  constrain:
    "Say the same task with its limits made explicit: which files may change, which checks must pass, what must stay as it is.",
  examples:
    "Say the same task with one or two examples of what is expected and what comes instead, taken from the failures.",
  negative:
    "Say the same task and add what must not be tried again, taken from the failed approaches.",
};

const CONTEXT_CHARS = 4000;
const ANSWER_CHARS = 8000;
const LEAST_CHARS = 20;

export function rewriteRequest(mutation: Mutation, input: MutationInput): string {
  const { goal, checks, failing, failedApproaches } = input;
  const failures = [
    ...checks.map((check) => `check: ${check}`),
    ...failing.map(({ name, expected, got }) =>
      [`fails: ${name}`, expected && `expected ${expected}`, got && `got ${got}`]
        .filter(Boolean)
        .join(", "),
    ),
    ...failedApproaches.map(({ approach, error }) => `tried: ${approach} (${error ?? "failed"})`),
  ].join("\n");
  return [
    "You rewrite tasks for a coding agent that has failed at this one. Do not do the task, use no tools.",
    ASKED[mutation],
    "Answer with the rewritten task alone, no introduction.",
    `The task:\n${quoted(goal, CONTEXT_CHARS)}`,
    ...(failures === ""
      ? []
      : [`What is known of the failures:\n${quoted(failures, CONTEXT_CHARS)}`]),
  ].join("\n\n");
}

/** The rewritten goal with the goal's own words below it; nothing where the answer is no rewrite. */
export function rewrittenGoal(goal: string, answer: string): string | undefined {
  const text = cleanText(answer, { maxChars: ANSWER_CHARS }).trim();
  if (text.length < LEAST_CHARS || text === goal.trim()) return undefined;
  return `${text}\n\nThe task in its own words, which count where the two differ:\n${goal}`;
}
