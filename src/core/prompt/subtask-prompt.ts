/**
 * The whole prompt of one attempt. Invariants: the goal and the person's words stand verbatim, the words once
 * (D4); of other subtasks only declared inputs are told (E3); the missing-data rule is in every prompt (E2); all
 * that is foreign is fenced; what is neither the goal (or its mutation), the words nor the rule shares `maxChars`.
 */
import { differentApproach, recoveryHints, retryContext } from "./earlier-attempts.ts";
import { assert } from "../assert.ts";
import { cleanLine } from "../foreign-text.ts";
import { mutate, type MutationInput } from "./mutation.ts";
import type { PriorAttempt } from "./earlier-attempts.ts";
import { ownQuestion, permitsTold } from "./own-question.ts";
import { quoted } from "./quoted.ts";
import type { Permits } from "../run/attempt.ts";
import type { Mutation } from "../recovery.ts";
import type { Failure } from "../failure.ts";
import { repairPlan } from "../repair/repair-plan.ts";
import { ASK_USER, type Repair, type RepairRequest, type RepairStep } from "../repair/repair.ts";

const MISSING_DATA_RULE =
  "If data you need is missing, report the gap. Never invent it and never put something else in its place.";

interface DeclaredInput {
  readonly name: string;
  readonly content: string;
}

/** What a prompt tells of earlier attempts: the policy chooses. */
export type Telling = "retry-context" | "hints" | "different-approach";

export interface SubtaskPromptInput extends MutationInput {
  readonly inputs: readonly DeclaredInput[];
  readonly attempts: readonly PriorAttempt[];
  readonly tell: readonly Telling[];
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
  /** Where the last session left off. */
  readonly handover?: string;
  /** The subtask has an output schema, or the last answer was malformed. */
  readonly format?: FormatReminder;
  readonly maxChars?: number;
}

const DEFAULT_MAX_CHARS = 48_000;
const LEAST_MAX_CHARS = 4000;
/** Of `maxChars`; every telling has its own. Together less than one. */
const SHARE = {
  ...{ inputs: 0.28, checks: 0.06, telling: 0.12 },
  ...{ repair: 0.06, handover: 0.12, format: 0.1 },
} as const;
const MAX_INPUTS = 50;

export function subtaskPrompt(input: SubtaskPromptInput): string {
  const { maxChars = DEFAULT_MAX_CHARS, mutation, words, asked, handover, format } = input;
  assert(maxChars >= LEAST_MAX_CHARS, `a prompt needs ${LEAST_MAX_CHARS} characters`);
  const room = (share: keyof typeof SHARE): number => Math.floor(maxChars * SHARE[share]);
  const telling = { maxChars: room("telling") };
  const sections = [
    mutation === undefined ? input.goal : (input.rewritten ?? mutate(mutation, input)),
    inputsSection(input.inputs, room("inputs")),
    MISSING_DATA_RULE,
    titled("Your work is checked with:", input.checks.join("\n"), room("checks")),
    ...new Set(input.tell.map((kind) => TELL[kind](input.attempts, telling))),
    input.repair?.(room("repair")) ?? "",
    titled("Go on where the last session left off:", handover ?? "", room("handover")),
    input.permits === undefined ? "" : permitsTold(input.permits),
    asked === undefined ? "" : ownQuestion(asked, words !== undefined),
    words === undefined ? "" : `A person answered. Heed this before all else:\n${words}`,
    format === undefined ? "" : formatReminder(format, { maxChars: room("format") }),
  ];
  return sections.filter((section) => section !== "").join("\n\n");
}

const TELL: { readonly [telling in Telling]: typeof retryContext } = {
  "retry-context": retryContext,
  hints: recoveryHints,
  "different-approach": differentApproach,
};

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

export interface RepairTelling {
  readonly failure: Failure;
  /** What the failure said. */
  readonly error: string;
  /** The strategy that was chosen; where it may not be used here, the next one that may. */
  readonly strategy: string;
  readonly sandboxRoot: string;
  readonly permissions: NonNullable<RepairRequest["permissions"]>;
}

/** Every coding agent has these, whatever it calls them. */
const TOOLS = ["run_bash", "read_file", "read_dir", "write_file"];
const TITLE = "This failure has a known repair. Do this first, step by step, then go on:";

/** The steps of one repair strategy for the agent that follows them (C2, C5); without what needs a permission that was not given (C6). */
export function repairSteps(telling: RepairTelling, maxChars: number): string {
  const { failure, error, strategy, sandboxRoot, permissions } = telling;
  const plan = repairPlan({
    failure,
    evidence: { tool: "run_bash", message: error },
    tools: TOOLS,
    sandboxRoot,
    mode: "run",
    permissions,
  });
  const usable = [plan, ...plan.alternatives].filter((one) => one.strategy !== ASK_USER);
  const chosen: Repair | undefined = usable.find((one) => one.strategy === strategy) ?? usable[0];
  if (chosen === undefined) return "";
  const lines = chosen.steps.map((step, index) => `${index + 1}. ${stepText(step)}`);
  return `${TITLE}\n${quoted(lines.join("\n"), maxChars - TITLE.length - 1)}`;
}

function stepText({ action, args, expectedOutcome }: RepairStep): string {
  const script = args["script"] ?? args["command"];
  const call =
    typeof script === "string"
      ? `\n   run: ${cleanLine(script, 600)}`
      : Object.entries(args)
          .map(([name, value]) => `\n   ${name}: ${cleanLine(textOf(value), 300)}`)
          .join("");
  return `${cleanLine(action, 300)}${call}\n   then: ${cleanLine(expectedOutcome, 200)}`;
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);
