/**
 * Repairs within a run: the next strategy of a failure's chain, and its steps for the agent. Invariants: the strategy
 * chosen and the steps given to the agent agree, because both come from one plan of the same recorded facts; a strategy
 * that lacks tools, permissions or values is skipped with a reason; a script is included whole or not at all.
 */
import { defined } from "../defined.ts";
import { makeFailure } from "../failure.ts";
import { cleanLine, fence } from "../foreign-text.ts";
import type { LearnedCounts } from "../learning/counts.ts";
import { strategyCounts, triedWords } from "../learning/strategies.ts";
import type { FailureKind } from "../kinds.ts";
import type { FailedCall } from "./failed-call.ts";
import { passedOver, repairPlan, type PassedOver } from "./repair-plan.ts";
import { ASK_USER, nextRepairStep, type RepairRequest, type RepairStep } from "./repair.ts";

/** A failed attempt as recorded, and what its plan permits. */
export interface FailureToRepair {
  readonly kind: FailureKind;
  /** The text of the failure, with paths relative to the project. */
  readonly error: string;
  readonly call?: FailedCall;
  readonly permissions?: RepairRequest["permissions"];
  /** How often each strategy worked before, as the run recorded it. */
  readonly learned?: LearnedCounts;
}

export interface NextRepair {
  /** Absent if every strategy was tried or skipped. */
  readonly strategy?: string;
  /** A summary of its past outcomes. */
  readonly outcomes?: string;
  readonly passedOver: readonly PassedOver[];
}

/** Every coding agent has these, under names of its own. */
const TOOLS = ["run_bash", "read_file", "read_dir", "write_file"];

/** Agents work in the project's folder. */
const PROJECT = ".";

/** A strategy already tried must have failed, or the next one would not be requested. */
export function nextRepair(of: FailureToRepair, tried: readonly string[]): NextRepair {
  const request = requestFor(of);
  const failed = tried.map((strategy) => ({ strategy, index: 0, ok: false }));
  const next = nextRepairStep(repairPlan(request), failed);
  const { strategy } = next.kind === "run" ? next : {};
  return {
    ...defined({ strategy, outcomes: triedWords(strategy ?? "", request.learned) }),
    passedOver: passedOver(request).filter(({ strategy }) => !tried.includes(strategy)),
  };
}

/** The steps of one strategy; empty if it is not in the plan. */
export function repairSteps(of: FailureToRepair, strategy: string, maxChars: number): string {
  const plan = repairPlan(requestFor(of));
  const chosen = [plan, ...plan.alternatives].find((one) => one.strategy === strategy);
  if (chosen === undefined || strategy === ASK_USER) return "";
  const title = `This failure has a known repair (${strategy}). Do this first, step by step, then go on:`;
  let text = title;
  for (const [index, step] of chosen.steps.entries()) {
    const told = `\n${index + 1}. ${stepText(step)}`;
    if (text.length + told.length > maxChars - REST.length) return `${text}\n${REST}`;
    text += told;
  }
  return text;
}

const REST = "Work out the remaining steps yourself.";

function requestFor({
  kind,
  error,
  call = {},
  permissions,
  learned: counts,
}: FailureToRepair): RepairRequest {
  const learned = strategyCounts(counts, kind);
  const { retryAfterMs, resetAt, file, tool = "run_bash", ...ran } = call;
  return {
    failure: makeFailure({
      ...{ kind, origin: "tool", because: [error] },
      ...defined({ retryAfterMs, resetAt }),
    }),
    evidence: { ...ran, tool, message: error },
    tools: TOOLS,
    sandboxRoot: PROJECT,
    mode: "run",
    ...defined({ permissions, file, learned }),
  };
}

function stepText({ action, args, expectedOutcome }: RepairStep): string {
  const lines = Object.entries(args).map(([name, value]) =>
    name === "script"
      ? fence(String(value), { language: "bash", maxChars: Infinity })
      : told(name, value),
  );
  return [cleanLine(action, 300), ...lines, `   Then: ${cleanLine(expectedOutcome, 200)}`].join(
    "\n",
  );
}

const told = (name: string, value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `   ${name}: \`${cleanLine(text, 300).replaceAll("`", "'")}\``;
};
