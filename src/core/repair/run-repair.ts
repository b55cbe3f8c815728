/**
 * The repairs of a failure that a run may use: which strategy of its chain comes next, and its steps for the agent that
 * follows them (C2, C5). Invariants: what is chosen here is what the agent is told, because both come from one plan of
 * the same recorded facts; a strategy whose tools, permissions or values are not there is passed over, and why is said;
 * a script is told whole or not at all.
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

/** A failed attempt as it is recorded, and what its plan permits. */
export interface FailureToRepair {
  readonly kind: FailureKind;
  /** What the failure said; paths inside the project are relative to it. */
  readonly error: string;
  readonly call?: FailedCall;
  readonly permissions?: RepairRequest["permissions"];
  /** How often which strategy worked before, as a run has it. */
  readonly learned?: LearnedCounts;
}

export interface NextRepair {
  /** Nothing: every strategy was tried or passed over. */
  readonly strategy?: string;
  /** What became of it before. */
  readonly outcomes?: string;
  readonly passedOver: readonly PassedOver[];
}

/** Every coding agent has these, whatever it calls them. */
const TOOLS = ["run_bash", "read_file", "read_dir", "write_file"];

/** Agents work in the project's folder. */
const PROJECT = ".";

/** A strategy that was tried has failed: else nobody would ask for the next one. */
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

/** The steps of one strategy; nothing if it is not one of the plan's. */
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
