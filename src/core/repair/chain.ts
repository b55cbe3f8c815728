/**
 * What a recovery chain is: strategies in the source's printed order, each with the steps it is made of, and how
 * steps are written. Invariant: rows are data and pure functions of the facts; a row whose condition does not hold
 * gives no steps and is left out of the plan.
 */
import type { Failure } from "../failure.ts";
import { cleanLine } from "../foreign-text.ts";
import type { RepairStep } from "./repair.ts";
import { operand, riskOf, sh, type Risk } from "./shell-script.ts";
import type { Args, BasicTool } from "./tool-names.ts";
import type { RepairValues } from "./values.ts";

/** `original`: the tool that failed. Null: nothing to call; the runner, the agent or a person acts. */
export type StepTool = BasicTool | "original" | null;

export interface StepDraft extends Omit<RepairStep, "tool"> {
  readonly tool: StepTool;
}

export interface RepairFacts {
  readonly failure: Failure;
  /** What the failure said: the ends of its texts, cleaned. */
  readonly text: string;
  readonly values: RepairValues;
  readonly exitCode: number | undefined;
  readonly observedAt: number | undefined;
  /** What failed was a shell command; else a request or another tool. */
  readonly originalIsShell: boolean;
  /** Null: what failed is no tool, or one that is not there (any more). */
  readonly original: "original" | null;
  readonly originalName: string;
  readonly has: (tool: BasicTool) => boolean;
  readonly toolNames: readonly string[];
  readonly sandboxRoot: string;
  readonly platform: string;
  readonly manifestNames: readonly string[];
}

export interface StrategyRow {
  readonly name: string;
  readonly confidence: number;
  readonly tools: readonly Exclude<StepTool, null>[];
  /** What its steps cannot be filled in without, where that may be missing. */
  readonly needs?: string;
  readonly steps: (facts: RepairFacts) => readonly StepDraft[];
  /** Added to the name when the steps take this form. */
  readonly variant?: (facts: RepairFacts) => string | undefined;
}

export interface Chain {
  /** The first has priority 1. */
  readonly rows: readonly StrategyRow[];
  /** How sure asking is to help; absent where the source forgot to print it. */
  readonly askConfidence?: number;
  readonly questions: (values: RepairValues) => readonly string[];
}

/** A foreign value inside a sentence: one tamed line between backticks. */
export const named = (value: string): string => `\`${cleanLine(value, 120).replaceAll("`", "'")}\``;

export const namedOr = (value: string | undefined, otherwise: string): string =>
  value === undefined ? otherwise : named(value);

/** A call of one of the agent's own tools. */
export const toolStep = (
  tool: BasicTool,
  action: string,
  args: Args,
  expectedOutcome: string,
): StepDraft => ({ action, tool, args, expectedOutcome });

/** A shell step; a risk is worked out from the script where the caller does not know it. */
export function shellStep(
  action: string,
  script: string,
  expectedOutcome: string,
  risk: Risk | undefined = riskOf(script),
): StepDraft {
  const step = toolStep("run_bash", action, { script }, expectedOutcome);
  return risk === undefined ? step : { ...step, needsPermission: risk };
}

/** Words as one simple command, each of them quoted. */
export const wordsScript = (words: readonly string[]): string =>
  /^\w{1,64}=/.test(words[0] ?? "") ? sh`env ${words}` : sh`${words}`;

/** Something no tool call can say: the agent does it with its own judgement. */
export const guidance = (action: string, expectedOutcome: string, args: Args = {}): StepDraft => ({
  action,
  tool: null,
  args,
  expectedOutcome,
});

export const waitStep = (waitMs: number): StepDraft =>
  guidance(`Wait ${Math.ceil(waitMs / 1000)} s`, "The time has passed", { waitMs });

/** What failed, once more, with what has changed since; `script` if it is to be another one. */
export function again(
  facts: RepairFacts,
  action: string,
  expectedOutcome: string,
  { script, args = {} }: { readonly script?: string; readonly args?: Args } = {},
): StepDraft {
  const { command } = facts.values;
  if (facts.original === null) return guidance(action, expectedOutcome, args);
  if (!facts.originalIsShell) return { action, tool: facts.original, args, expectedOutcome };
  if (command === undefined) return guidance(action, expectedOutcome, args);
  const step = shellStep(action, script ?? sh`bash -c ${command}`, expectedOutcome);
  return { ...step, tool: "original", args: { ...step.args, ...args } };
}

const LINES_AROUND = 3;

export function lookAround({ file, line }: NonNullable<RepairValues["syntaxPlace"]>): StepDraft {
  const range = `${Math.max(1, line - LINES_AROUND)},${line + LINES_AROUND}p`;
  return shellStep(
    `Look at ${named(file)} around line ${line}`,
    sh`sed -n ${range} -- ${operand(file)}`,
    "The lines with the mistake",
  );
}

export const commandOf = ({ command }: RepairValues): string => namedOr(command, "the failed call");
