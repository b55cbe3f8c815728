/**
 * Prompt mutations, by template or by a cheap model: the same goal, rewritten so that it is attacked from a different
 * side. Invariants: every mutation contains the goal verbatim; foreign text is fenced and bounded; deterministic; if a
 * model's answer is empty, too long or not a rewrite, the template is used instead.
 */
import { defined } from "../defined.ts";
import { cleanLine, cleanText } from "../foreign-text.ts";
import { escapeInline, quoted } from "./quoted.ts";
import { MUTATIONS, type Mutation } from "../recovery.ts";

/** A failing item of a check, with the expected and the actual value. */
export interface FailingItem {
  readonly name: string;
  readonly expected?: string;
  readonly got?: string;
  readonly output?: string;
}

export interface MutationInput {
  readonly goal: string;
  /** Commands that verify the subtask. */
  readonly checks: readonly string[];
  /** Files the subtask is about. */
  readonly files: readonly string[];
  readonly failing: readonly FailingItem[];
  readonly failedApproaches: readonly { readonly approach: string; readonly error?: string }[];
}

const MAX_LISTED = 20;
const MAX_EXAMPLES = 3;
const EXAMPLE_CHARS = 1500;
/** The limit for a list, or for the text given to a model. */
const LIST_CHARS = 4000;

/** The first mutation that has not been tried yet. */
export function nextMutation(tried: readonly Mutation[]): Mutation | undefined {
  return MUTATIONS.find((mutation) => !tried.includes(mutation));
}

export function mutate(mutation: Mutation, input: MutationInput): string {
  return TEMPLATES[mutation](input);
}

export const bulleted = (texts: readonly string[]): string =>
  texts.map((text) => `- ${text}`).join("\n");
const numbered = (texts: readonly string[]): string =>
  texts.map((text, index) => `${index + 1}. ${text}`).join("\n");
const shown = (texts: readonly string[]): readonly string[] =>
  texts.slice(0, MAX_LISTED).map(escapeInline);

const TEMPLATES: { readonly [mutation in Mutation]: (input: MutationInput) => string } = {
  rephrase: ({ goal, checks }) =>
    [
      "Forget how this was tackled so far and read it as if for the first time.",
      `What has to be true when you have finished:\n\n${goal}`,
      "Put this outcome into your own words first, in one or two sentences, without borrowing any phrase from above. Then bring about what you wrote.",
      ...(checks.length > 0
        ? [`You have finished when these succeed:\n${bulleted(shown(checks))}`]
        : []),
    ].join("\n\n"),

  decompose: ({ goal, checks, files }) =>
    [
      goal,
      "Work in these small steps, in this order, and finish each before you begin the next:",
      numbered([
        files.length > 0
          ? "Read the files named below and what they use."
          : "Find and read the files this is about.",
        "Write down the smallest parts the work falls into, each small enough to be checked on its own.",
        "Do the first part only, and try it out before you go on.",
        "Do the other parts one by one in the same way.",
        ...shown(checks).map((check) => `Run ${check} and repair what it shows.`),
        "Compare the result with the task, sentence by sentence.",
      ]),
      ...fileList(files),
    ].join("\n\n"),

  constrain: ({ goal, checks, files }) =>
    [
      goal,
      "Keep within these limits:",
      bulleted([
        ...shown(checks).map((check) => `${check} must succeed.`),
        files.length > 0
          ? "Change only the files named below, and new files beside them."
          : "Change as few files as possible.",
        "Add no dependency that the project does not have yet.",
        "Leave tests and checks as they are; make the code meet them.",
        "Make the smallest change that does the whole job.",
      ]),
      ...fileList(files),
    ].join("\n\n"),

  examples: ({ goal, failing }) =>
    [
      goal,
      failing.length > 0
        ? failing.some(({ expected, got, output }) => expected ?? got ?? output)
          ? "These examples show what is expected and what comes at present. Make each of them come out as expected:"
          : "These cases fail at present; what is expected and what comes instead is shown further below. Work from them, one after the other, until each comes out as expected:"
        : "Before you change anything, write down two concrete examples: an input and the result it must give. Then make both come true.",
      ...failing.slice(0, MAX_EXAMPLES).map(example),
    ].join("\n\n"),

  negative: ({ goal, failedApproaches }) =>
    [
      goal,
      "Do NOT do any of this:",
      bulleted([
        "Do not weaken, skip or delete a test or a check.",
        "Do not make up data, results or functions that do not exist.",
        "Do not change anything the task does not ask for.",
        ...(failedApproaches.length > 0
          ? ["Do not try again what failed before, nor anything much like it:"]
          : []),
      ]),
      ...donts(failedApproaches),
    ].join("\n\n"),
};

function donts(failed: MutationInput["failedApproaches"]): readonly string[] {
  const lines = failed.slice(-MAX_LISTED).map(({ approach, error }) => {
    const end = error === undefined ? "" : `; it ended with: ${cleanLine(error)}`;
    return `don't: ${cleanLine(approach)}${end}`;
  });
  return lines.length === 0 ? [] : [quoted(lines.join("\n"), LIST_CHARS)];
}

function fileList(files: readonly string[]): readonly string[] {
  const names = files.slice(0, MAX_LISTED).map((file) => cleanLine(file));
  return files.length === 0 ? [] : [`The files:\n${quoted(names.join("\n"), LIST_CHARS)}`];
}

function example({ name, expected, got, output }: FailingItem, index: number): string {
  const lines = Object.entries(defined({ name, expected, got }))
    .map(([label, text]) => `${label}: ${text}`)
    .concat(output ?? []);
  return `Example ${index + 1}:\n${quoted(lines.join("\n"), EXAMPLE_CHARS)}`;
}

/** The instruction for a model that rewrites the goal. */
const REWRITE_INSTRUCTIONS: { readonly [mutation in Mutation]: string } = {
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
    REWRITE_INSTRUCTIONS[mutation],
    "Answer with the rewritten task alone, no introduction.",
    `The task:\n${quoted(goal, LIST_CHARS)}`,
    ...(failures === "" ? [] : [`What is known of the failures:\n${quoted(failures, LIST_CHARS)}`]),
  ].join("\n\n");
}

/** The rewritten goal followed by the original; undefined if the answer is not a rewrite. */
export function rewrittenGoal(goal: string, answer: string): string | undefined {
  const text = cleanText(answer, { maxChars: ANSWER_CHARS }).trim();
  if (text.length < LEAST_CHARS || text === goal.trim()) return undefined;
  return `${text}\n\nThe task in its own words, which count where the two differ:\n${goal}`;
}
