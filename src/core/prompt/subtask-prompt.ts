/**
 * Assembles the whole prompt of an attempt. Invariants: the goal and the person's words are included verbatim, the
 * words once; of other subtasks only declared inputs are included; the missing-data rule is in every prompt; foreign
 * text is fenced; everything except the goal (or its mutation), the person's words, the rule and the newest failure
 * shares `maxChars`.
 */
import { retryContext, type PriorAttempt } from "./earlier-attempts.ts";
import { assert } from "../assert.ts";
import { neverWords } from "../learning/preferences.ts";
import { cleanLine, cleanText } from "../foreign-text.ts";
import { recalledText, type Recalled } from "../memory/recall.ts";
import { mutate, type MutationInput } from "./mutation.ts";
import { PERSON_ANSWERED } from "./person-answered.ts";
import { quoted, escapeInline } from "./quoted.ts";
import type { Risk } from "../repair/shell-script.ts";
import type { Permits } from "../run/attempt.ts";
import type { Mutation } from "../recovery.ts";

const MISSING_DATA_RULE =
  "If data you need is missing, report the gap. Never invent it and never put something else in its place.";

interface DeclaredInput {
  readonly name: string;
  readonly content: string;
}

export interface SubtaskPromptInput extends MutationInput {
  readonly inputs: readonly DeclaredInput[];
  /** Failed attempts at the work, oldest first; all of them are included. */
  readonly attempts: readonly PriorAttempt[];
  /** Ask for a different approach after the first failure already. */
  readonly different?: boolean;
  /** What the working tree contains of the attempts before. */
  readonly tree?: string;
  /** The commands it may run besides editing files, including the checks; set if its permissions are limited. */
  readonly mayRun?: readonly string[];
  /** What the user never wants done. */
  readonly never?: readonly Risk[];
  /** Asks to think longer than usual, for an agent without a switch for it. */
  readonly thinkLonger?: boolean;
  readonly mutation?: Mutation;
  /** The goal mutated by a model; if absent, the template is used. */
  readonly rewritten?: string;
  /** The instructions of the repair to carry out first. */
  readonly repair?: (maxChars: number) => string;
  /** A person's answer to a checkpoint that still applies. */
  readonly words?: string;
  /** The agent's own question, answered by `words` or by nobody. */
  readonly asked?: string;
  /** A person's decision on calls that its gate refused. */
  readonly permits?: Permits;
  /** What overcame the same failure before. */
  readonly recalled?: Recalled;
  /** Where the last session left off. */
  readonly handover?: string;
  /** The subtask has an output schema, or the last answer was malformed. */
  readonly format?: FormatReminder;
  readonly maxChars?: number;
}

const DEFAULT_MAX_CHARS = 48_000;
const LEAST_MAX_CHARS = 4000;
/** Shares of `maxChars`, less than 1 in total. */
const SHARE = {
  ...{ inputs: 0.28, checks: 0.06, history: 0.15, tree: 0.06 },
  ...{ repair: 0.06, handover: 0.12, format: 0.1, recalled: 0.04 },
} as const;
const MAX_INPUTS = 50;

export function subtaskPrompt(input: SubtaskPromptInput): string {
  const { maxChars = DEFAULT_MAX_CHARS, mutation, words, asked, handover, format } = input;
  const { attempts, different = false, tree = "", never = [] } = input;
  assert(maxChars >= LEAST_MAX_CHARS, `a prompt needs ${LEAST_MAX_CHARS} characters`);
  const room = (share: keyof typeof SHARE): number => Math.floor(maxChars * SHARE[share]);
  const sections = [
    mutation === undefined ? input.goal : (input.rewritten ?? mutate(mutation, input)),
    inputsSection(input.inputs, room("inputs")),
    MISSING_DATA_RULE,
    titled("Your work is checked with:", input.checks.join("\n"), room("checks")),
    input.mayRun === undefined ? "" : permissionWords(input.checks, input.mayRun, room("checks")),
    never.length === 0 ? "" : `Never ${neverWords(never)} here: find another way.`,
    retryContext(attempts, { maxChars: room("history"), different }),
    cleanText(tree, { maxChars: room("tree") }),
    input.recalled === undefined ? "" : recalledText(input.recalled, room("recalled")),
    input.repair?.(room("repair")) ?? "",
    input.thinkLonger === true ? THINK_LONGER : "",
    titled("Go on where the last session left off:", handover ?? "", room("handover")),
    input.permits === undefined ? "" : permissionDecisionText(input.permits),
    asked === undefined ? "" : ownQuestion(asked, words !== undefined),
    words === undefined ? "" : `${PERSON_ANSWERED}\n${words}`,
    format === undefined ? "" : formatReminder(format, { maxChars: room("format") }),
  ];
  return sections.filter((section) => section !== "").join("\n\n");
}

const THINK_LONGER =
  "Think longer and more thoroughly than usual before you change anything: weigh several explanations and test the likeliest first.";

const NOT_ALLOWED =
  "Other commands may be refused, and nobody is there to allow them. Do not work around a refusal: say in your last message which command was refused and what you need it for.";

function permissionWords(
  checks: readonly string[],
  mayRun: readonly string[],
  maxChars: number,
): string {
  const more = mayRun.filter((command) => !checks.includes(command));
  const known = checks.length > 0 ? " and run the commands above" : "";
  const also = titled("You may also run:", more.join("\n"), maxChars);
  return [`You may edit files here${known}.`, also, NOT_ALLOWED]
    .filter((part) => part !== "")
    .join(also === "" ? " " : "\n");
}

const titled = (title: string, text: string, maxChars: number): string =>
  text === "" ? "" : `${title}\n${quoted(text, maxChars - title.length - 1)}`;

function inputsSection(inputs: readonly DeclaredInput[], maxChars: number): string {
  const shown = inputs.slice(0, MAX_INPUTS);
  const title = "What you are given:";
  const each = Math.floor((maxChars - title.length) / Math.max(1, shown.length)) - 2;
  const blocks = shown.map(({ name, content }) =>
    quoted(`${cleanLine(name, 80)}:\n${content}`, each),
  );
  return shown.length === 0 ? "" : [title, ...blocks].join("\n\n");
}

interface FormatReminder {
  /** The JSON Schema of the answer. */
  readonly schema?: unknown;
  readonly error?: string;
  readonly suggestion?: string;
}

const FORMAT_CHARS = 6000;

/** The part of a re-ask after a malformed answer. */
export function formatReminder(
  { schema, error, suggestion }: FormatReminder,
  { maxChars = FORMAT_CHARS }: { readonly maxChars?: number } = {},
): string {
  const room = maxChars - 220;
  const reason = [error, suggestion].filter((line) => line !== undefined).join("\n");
  return [
    "FORMAT: answer with ONLY one valid JSON value: no Markdown, no code fence, no explanation before or after it.",
    ...(reason === ""
      ? []
      : [`The last answer was refused:\n${quoted(reason, Math.floor(room / 4))}`]),
    ...(schema === undefined
      ? []
      : [
          `It must match this JSON Schema:\n${quoted(JSON.stringify(schema, null, 1), Math.floor((room * 3) / 4))}`,
        ]),
  ].join("\n\n");
}

const MAX_CHARS = 1800;

const NOBODY = "Nobody is here to answer: take the most reasonable option, say which, and go on.";

/** The agent's own question, followed by a person's answer or by a note that nobody will answer. */
function ownQuestion(asked: string, isAnswered: boolean): string {
  const told = `You asked:\n${quoted(asked, MAX_CHARS)}`;
  return isAnswered ? told : `${told}\n\n${NOBODY}`;
}

/** The decision on a call that its gate refused: allowed, or to do without it. */
function permissionDecisionText({ allowed = [], without = [] }: Permits): string {
  const names = [...allowed, ...without].map(escapeInline).join(", ");
  return allowed.length > 0
    ? `A person allowed what was refused before: ${names}. Do it now, exactly so.`
    : `A person decided that you go on without ${names}. Do not try it again; find another way.`;
}
