/**
 * The whole prompt of one attempt. Invariants: the goal and the person's words stand verbatim, the words once
 * (D4); of other subtasks only declared inputs are told (E3); the missing-data rule is in every prompt (E2); all
 * that is foreign is fenced; what is neither the goal (or its mutation), the words, the rule nor the newest failure
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
  /** Failed attempts at the work, oldest first: all of them are told. */
  readonly attempts: readonly PriorAttempt[];
  /** Another approach is asked for after one failure already. */
  readonly different?: boolean;
  /** What the working tree holds of the attempts before. */
  readonly tree?: string;
  /** Its permissions are limited: the commands it may run beside editing files, the checks among them. */
  readonly mayRun?: readonly string[];
  /** What the user never wants done. */
  readonly never?: readonly Risk[];
  /** To think longer than usual, for an agent that has no switch for it. */
  readonly thinkLonger?: boolean;
  readonly mutation?: Mutation;
  /** The mutated goal, where a model has rewritten it; else the template's. */
  readonly rewritten?: string;
  /** The words of the repair that is to be carried out first. */
  readonly repair?: (maxChars: number) => string;
  /** A person's answer to a checkpoint, still to be heeded. */
  readonly words?: string;
  /** What the agent itself asked: the words answer it, or nobody does. */
  readonly asked?: string;
  /** What a person said of calls that its gate refused. */
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
/** Of `maxChars`. Together less than one. */
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
    input.permits === undefined ? "" : permitsTold(input.permits),
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
  /** JSON Schema of the answer. */
  readonly schema?: unknown;
  readonly error?: string;
  readonly suggestion?: string;
}

const FORMAT_CHARS = 6000;

/** Goes with a re-ask after a malformed answer (E9). */
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

/** A question it asked: nobody is here, or a person's answer follows (U22). */
function ownQuestion(asked: string, isAnswered: boolean): string {
  const told = `You asked:\n${quoted(asked, MAX_CHARS)}`;
  return isAnswered ? told : `${told}\n\n${NOBODY}`;
}

/** A call that its gate refused: it may, or is to go on without (U21). */
function permitsTold({ allowed = [], without = [] }: Permits): string {
  const names = [...allowed, ...without].map(escapeInline).join(", ");
  return allowed.length > 0
    ? `A person allowed what was refused before: ${names}. Do it now, exactly so.`
    : `A person decided that you go on without ${names}. Do not try it again; find another way.`;
}
