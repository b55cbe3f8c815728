/**
 * The plan that `unstuck run` was given: a file or a goal, with its options laid over it, and what is to be said
 * about it before it starts. Invariants: what the plan's schema would refuse, an option may not bring in either;
 * trust covers every command that comes from the repository.
 */
import { dirname, relative, resolve } from "node:path";
import { tameLine } from "../core/foreign-text.ts";
import { PLAN_AGENTS } from "../agents/plan-agents.ts";
import { readPlan } from "../core/plan/read-plan.ts";
import type { PlanFlags } from "../core/plan/read-plan.ts";
import type { RunPlan } from "../core/plan/run-plan.ts";
import type { Inspection } from "../workspace/types.ts";
import { deriveSetup } from "./derived-setup.ts";
import type { FoundSetup } from "./found-setup.ts";
import { readTextFile, UsageError } from "./io.ts";
import { findPlan, folderIn } from "./plan-place.ts";
import { trustMark } from "./trust.ts";
import { userConfig } from "./user-config.ts";

export interface RunFlags {
  readonly goal?: string;
  readonly agent?: string;
  readonly check?: readonly string[];
  readonly setup?: readonly string[] | false;
  readonly carry?: readonly string[];
  readonly policy?: string;
  readonly concurrency?: string;
  readonly grounding?: boolean;
  readonly stuckAfter?: string;
  readonly recoveryBudget?: string;
  readonly progressThreshold?: string;
  readonly withChanges?: boolean;
  readonly inPlace?: boolean;
  readonly trust?: boolean;
  readonly fullPermissions?: boolean;
  readonly history?: string;
  readonly detach?: boolean;
  readonly json?: boolean;
}

export interface GivenPlan {
  readonly plan: RunPlan;
  /** What trust goes by; absent where the user typed it all. */
  readonly mark?: string;
  /** What the repository asks for, used or not. */
  readonly found?: FoundSetup;
}

export async function planOf(
  file: string | undefined,
  flags: RunFlags,
  repository: Inspection,
): Promise<GivenPlan> {
  const { root } = repository;
  const here = folderIn(root, process.cwd());
  const found = file ?? (flags.goal === undefined ? findPlan(root, here) : undefined);
  const folder = found === undefined ? here : folderIn(root, dirname(resolve(found)));
  const text = found === undefined ? "" : readTextFile(found);
  const withChanges = flags.withChanges === true;
  const { found: asked, derived } = await deriveSetup({
    ...{ repository, folder, withChanges },
    env: process.env,
  });
  const asFlags = { ...planFlags(flags), ...(derived === undefined ? {} : { derived }) };
  const reading = readPlan(text, asFlags, PLAN_AGENTS);
  if (reading.ok) {
    const plan = reading.value;
    const given = { plan, ...(asked === undefined ? {} : { found: asked }) };
    if (found === undefined) return given;
    const more = plan.setupDerived === undefined ? "" : `\n# set-up: ${JSON.stringify(plan.setup)}`;
    return { ...given, mark: trustMark(text + more) };
  }
  const where = found ?? "plan";
  const lines = reading.problems.map(
    ({ line, column, path, message }) =>
      `${tameLine(where)}:${line}:${column}: ${path === "" ? "" : `${path}: `}${tameLine(message, 300)}`,
  );
  throw new UsageError(lines.join("\n"));
}

/** What a person should know of it before it starts. */
export const wordsOf = (given: GivenPlan, flags: RunFlags, root: string): readonly string[] => [
  ...placeWords(flags, root),
  ...setupWords(given, flags),
];

/** Agents, set-up and checks work in the root: said where somebody might expect otherwise. */
function placeWords({ goal, inPlace }: RunFlags, root: string): readonly string[] {
  const inside = relative(root, folderIn(root, process.cwd()));
  if (goal === undefined || inside === "" || inPlace === true) return [];
  return [`note: agents and checks work in the repository's root, not in ${tameLine(inside, 200)}`];
}

function setupWords({ plan, found }: GivenPlan, flags: RunFlags): readonly string[] {
  const { setup, setupDerived, setupWhenChanged, carry } = plan;
  const from = tameLine(setupDerived ?? found?.from ?? "", 200);
  if (setupDerived !== undefined) {
    const commands = tameLine(setup.join("; "), 300);
    return setupWhenChanged === true
      ? [
          `set-up: ${tameLine(carry.join(", "), 200)} copied, as installed here; ${commands} when ${from} changes`,
        ]
      : [`set-up: ${commands} (from ${from})`];
  }
  const isAsked = flags.setup !== undefined || setup.length > 0 || carry.length > 0;
  return isAsked || found?.missing === undefined
    ? []
    : [`note: no set-up: ${from} asks for ${found.missing}, which is not on the search path`];
}

function planFlags(flags: RunFlags): PlanFlags {
  const concurrency = numberFlag("concurrency", flags.concurrency, [1, 64]);
  const stuckAfter = numberFlag("stuck-after", flags.stuckAfter, [1, 1000]);
  const recoveryBudget = numberFlag("recovery-budget", flags.recoveryBudget, [0, 1000]);
  const progressThreshold = numberFlag(
    "progress-threshold",
    flags.progressThreshold,
    [0, 1],
    false,
  );
  return {
    ...(flags.goal === undefined ? {} : { goal: flags.goal }),
    ...(flags.agent === undefined ? {} : { agent: flags.agent }),
    ...(flags.check === undefined ? {} : { checks: flags.check }),
    ...(flags.setup === undefined ? {} : { setup: flags.setup === false ? [] : flags.setup }),
    ...(flags.carry === undefined ? {} : { carry: flags.carry }),
    ...(flags.policy === undefined ? {} : { policy: flags.policy }),
    ...(flags.grounding === undefined ? {} : { grounding: flags.grounding }),
    ...(flags.inPlace === true ? { inPlace: true } : {}),
    ...(flags.fullPermissions === true || userConfig().permissions === "full"
      ? { full: true }
      : {}),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(stuckAfter === undefined ? {} : { stuckAfter }),
    ...(recoveryBudget === undefined ? {} : { recoveryBudget }),
    ...(progressThreshold === undefined ? {} : { progressThreshold }),
  };
}

/** What the plan's schema would refuse, a flag may not bring in either. */
function numberFlag(
  name: string,
  text: string | undefined,
  [least, most]: readonly [number, number],
  whole = true,
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  const fits = text.trim() !== "" && value >= least && value <= most;
  if (fits && (!whole || Number.isInteger(value))) return value;
  const what = whole ? "a whole number" : "a number";
  throw new UsageError(
    `--${name}: expected ${what} from ${least} to ${most}, got ${tameLine(text, 40)}`,
  );
}

/** What the repository's plan would run, for somebody who is asked to trust it. */
export function untrustedWords(plan: RunPlan): string {
  const from = plan.setupDerived === undefined ? "" : ` (from ${plan.setupDerived})`;
  const commands = [
    ...Object.entries(plan.agents).map(
      ([name, { adapter, command }]) => `agent ${name}: ${command ?? adapter}`,
    ),
    ...plan.setup.map((command) => `setup: ${command}${from}`),
    ...new Set(
      Object.values(plan.subtasks).flatMap(({ checks }) =>
        checks.map(({ run }) => `check: ${run}`),
      ),
    ),
  ];
  return (
    `The plan of this repository would run:\n${commands.map((line) => `  ${tameLine(line, 200)}`).join("\n")}\n` +
    "Run it again with --trust if you trust that; the answer is kept for exactly this content.\n"
  );
}
