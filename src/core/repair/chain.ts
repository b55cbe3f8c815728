/**
 * Recovery chains: strategies in the order of the source document, each with its steps, and the functions that write
 * steps. Invariant: rows are data and pure functions of the facts; a row whose condition does not hold has no steps and
 * is left out of the plan.
 */
import type { Failure } from "../failure.ts";
import { cleanLine } from "../foreign-text.ts";
import type { RepairStep } from "./repair.ts";
import { operand, riskOf, sh, type Risk } from "./shell-script.ts";
import type { Args, BasicTool } from "./tool-names.ts";
import type { RepairValues } from "./values.ts";

/** `original`: the tool that failed. Null: no tool call; the runner, the agent or a person acts. */
export type StepTool = BasicTool | "original" | null;

export interface StepDraft extends Omit<RepairStep, "tool"> {
  readonly tool: StepTool;
}

export interface RepairFacts {
  readonly failure: Failure;
  /** The text of the failure: the ends of its output fields, cleaned. */
  readonly text: string;
  readonly values: RepairValues;
  readonly exitCode: number | undefined;
  readonly observedAt: number | undefined;
  /** The failed call was a shell command, rather than a request or another tool. */
  readonly originalIsShell: boolean;
  /** Null if what failed is not a tool, or is a tool that is not available. */
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
  /** What its steps cannot do without, if that may be missing. */
  readonly needs?: string;
  readonly steps: (facts: RepairFacts) => readonly StepDraft[];
  /** A suffix for the name when the steps take this form. */
  readonly variant?: (facts: RepairFacts) => string | undefined;
}

export interface Chain {
  /** The first has priority 1. */
  readonly rows: readonly StrategyRow[];
  /** The confidence that asking helps; absent if the source document states none. */
  readonly askConfidence?: number;
  readonly questions: (values: RepairValues) => readonly string[];
}

/** A foreign value inside a sentence: one cleaned line in backticks. */
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

/** A shell step; its risk is derived from the script unless the caller states it. */
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

/** An instruction that no tool call can express: the agent uses its own judgement. */
export const guidance = (action: string, expectedOutcome: string, args: Args = {}): StepDraft => ({
  action,
  tool: null,
  args,
  expectedOutcome,
});

export const waitStep = (waitMs: number): StepDraft =>
  guidance(`Wait ${Math.ceil(waitMs / 1000)} s`, "The time has passed", { waitMs });

/** Repeats the failed call with what has changed since; `script` replaces its command. */
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
