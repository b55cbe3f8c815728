/**
 * The steps of one repair strategy as words for the agent that is to follow them (C2, C5). Invariants: what needs
 * a permission that was not given is not in it (C6); values from errors are quoted data; bounded.
 */
import type { Failure } from "../failure.ts";
import { tameLine } from "../foreign-text.ts";
import { repairPlan } from "../repair/repair-plan.ts";
import { ASK_USER } from "../repair/repair.ts";
import type { Repair, RepairRequest, RepairStep } from "../repair/repair.ts";
import { quoted } from "./quoted.ts";

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
  const lines = chosen.steps.map((step, index) => `${index + 1}. ${stepWords(step)}`);
  return `${TITLE}\n${quoted(lines.join("\n"), maxChars - TITLE.length - 1)}`;
}

function stepWords({ action, args, expectedOutcome }: RepairStep): string {
  const script = args["script"] ?? args["command"];
  const call =
    typeof script === "string"
      ? `\n   run: ${tameLine(script, 600)}`
      : Object.entries(args)
          .map(([name, value]) => `\n   ${name}: ${tameLine(wordsOf(value), 300)}`)
          .join("");
  return `${tameLine(action, 300)}${call}\n   then: ${tameLine(expectedOutcome, 200)}`;
}

const wordsOf = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);
