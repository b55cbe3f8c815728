/**
 * The plan of a new run: a file, searched for up to the repository's root, or a goal, with the options applied to it,
 * and the notes a person should see before it starts. Invariants: an option cannot bring in what the plan's schema
 * would refuse; trust covers every command that comes from the repository.
 */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { z } from "zod";
import { PLAN_AGENTS, knownAgent } from "../../agents/registry.ts";
import type { Measure } from "../../core/budget.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { earlierAttempts } from "../../core/history/attempt-history.ts";
import { readPlan } from "../../core/plan/read-plan.ts";
import type { AgentPlan, RunPlan } from "../../core/plan/run-plan.ts";
import { estimateUsd } from "../../core/prices.ts";
import { holdsProviderKey } from "../../core/redact/scan.ts";
import type { Inspection } from "../../workspace/repository/inspect.ts";
import { homePlaces } from "../home.ts";
import { defined, ProblemError, type Context } from "../operation.ts";
import { deriveSetup } from "../setup/repository-setup.ts";
import { pathUp, type FoundSetup } from "../setup/found-setup.ts";
import { describeProblems, readUtf8File, sha256 } from "../text.ts";
import { userConfig, userConfigFile } from "../user-config.ts";
import { withHome } from "./open-run.ts";
import { findRun, noSuchRun } from "./find-run.ts";
import { planPlaces, type PlanPlaces } from "./plan-places.ts";
import { policyOfOption, policyOfPlan, usualPolicyOf } from "./policy-file.ts";
import { recordedRun } from "./recorded.ts";
import type { startRun } from "./schemas.ts";

export const PLAN_FILE = "unstuck.yaml";

export type StartInput = z.infer<typeof startRun.input>;

export interface GivenPlan {
  readonly plan: RunPlan;
  readonly places: PlanPlaces;
  /** The hash that is trusted; absent if the user typed all of it. */
  readonly mark?: string;
  /** The set-up the repository asks for, used or not. */
  readonly found?: FoundSetup;
}

export async function givenPlan(
  { cwd }: Context,
  input: StartInput,
  repository: Inspection,
): Promise<GivenPlan> {
  const { root } = repository;
  const here = folderIn(root, cwd);
  const isGiven = input.goal !== undefined || input.planText !== undefined;
  const file = input.plan ?? (isGiven ? undefined : findPlan(root, here));
  const folder = file === undefined ? here : folderIn(root, dirname(resolve(cwd, file)));
  if (file === undefined && !isGiven) throw noPlan(root, here);
  const name = file === undefined ? "" : shownName(cwd, file);
  const text = file === undefined ? (input.planText ?? "") : readUtf8File(resolve(cwd, file), name);
  const withChanges = input.withChanges === true;
  const setup = await deriveSetup({ repository, folder, withChanges, env: process.env });
  const { goal, agent, checks, setup: asked, carry, grounding } = input;
  const { concurrency, stuckAfter, recoveryBudget, progressThreshold } = input;
  const { permissions, allow, person, policy: usual } = userConfig();
  const isFull = input.fullPermissions === true || permissions === "full";
  const ofPlan =
    input.policy === undefined && file !== undefined
      ? policyOfPlan(resolve(cwd, file), text)
      : undefined;
  const { policy = input.policy } = ofPlan ?? policyOfOption(input.policy, cwd) ?? {};
  const usualPolicy = usual === undefined ? undefined : usualPolicyOf(usual, userConfigFile());
  const flags = {
    ...defined({ goal, agent, checks, setup: asked, carry, policy, grounding }),
    ...defined({ concurrency, stuckAfter, recoveryBudget, progressThreshold }),
    ...defined({ inPlace: input.inPlace || undefined, full: isFull || undefined, allow }),
    ...defined({ derived: setup.derived, usualPolicy, person }),
    machineConcurrency: availableParallelism(),
  };
  const reading = readPlan(text, flags, PLAN_AGENTS);
  if (!reading.ok)
    throw new ProblemError("bad-input", describeProblems(file && name, reading.problems));
  const plan = withUnreportedUse(reading.value);
  const places = planPlaces(file && name, text, { goal, agent, checks });
  const found = { places, ...defined({ found: setup.found }) };
  if (file === undefined) return { plan, ...found };
  const more = plan.setupDerived === undefined ? "" : `\n# set-up: ${JSON.stringify(plan.setup)}`;
  const also = ofPlan === undefined ? "" : `\n# policy: ${JSON.stringify(ofPlan.text)}`;
  return { plan, ...found, mark: sha256(text + more + also) };
}

/** Names that are mistakenly used for a plan. */
const MISNAMED = ["unstuck.yml", "unstuck.json"];

/** The nearest plan in a folder of the repository or its parents. */
function findPlan(root: string, folder: string): string | undefined {
  const place = pathUp(root, folder).find((one) => existsSync(join(one, PLAN_FILE)));
  const other = MISNAMED.find((name) => place !== undefined && existsSync(join(place, name)));
  if (other === undefined) return place && join(place, PLAN_FILE);
  throw new ProblemError(
    "bad-input",
    `there are two plans here, ${PLAN_FILE} and ${other}\n  Remove one, or name the one to run: unstuck run ${PLAN_FILE}`,
  );
}

function noPlan(root: string, folder: string): ProblemError {
  const misnamed = pathUp(root, folder).flatMap((place) =>
    MISNAMED.filter((name) => existsSync(join(place, name))),
  );
  const [other] = misnamed;
  return new ProblemError(
    "bad-input",
    other === undefined
      ? `there is no ${PLAN_FILE} in this repository\n  Give a goal, unstuck run --goal "make the tests pass", or write a plan: unstuck init`
      : `there is no ${PLAN_FILE} here, only ${other}\n  Rename it (mv ${other} ${PLAN_FILE}), or name it: unstuck run ${other}`,
  );
}

/** The path relative to the user's folder, unless that is longer. */
function shownName(cwd: string, file: string): string {
  const near = relative(cwd, resolve(cwd, file));
  return near.startsWith("../..") || near === "" ? file : near;
}

function folderIn(root: string, folder: string): string {
  const inside = relative(root, folder);
  return isAbsolute(inside) || inside === ".." || inside.startsWith("../") ? root : folder;
}

/** Records which use each agent does not report, so that the run can say which budgets cannot limit it (U4). */
export function withUnreportedUse(plan: RunPlan): RunPlan {
  const untold = Object.entries(plan.agents).map(([name, agent]) => {
    const models = plan.plan.ladder.flatMap((entry) =>
      entry.agent === name && entry.disabled !== true ? [entry.model] : [],
    );
    return [name, unreportedBy(agent, models)] as const;
  });
  return { ...plan, plan: { ...plan.plan, untold: Object.fromEntries(untold) } };
}

/** An unspecified model may have a price: the agent names the model when it runs. */
const isPriced = (model: string | undefined): boolean =>
  model === undefined || estimateUsd(model, { input: 1, cached: 1, output: 1 }) !== undefined;

/** A plain command or an ACP agent may report its use anyway; then it counts. */
function unreportedBy(
  { adapter, format }: AgentPlan,
  models: readonly (string | undefined)[],
): readonly Measure[] {
  const features =
    knownAgent(adapter === PLAN_AGENTS.plain ? (format ?? "") : adapter)?.features ?? [];
  if (!features.includes("reports-tokens")) return ["usd", "tokens"];
  return features.includes("reports-cost") || models.every(isPriced) ? [] : ["usd"];
}

/** The plan with the failures of the same subtasks in an earlier or imported run, to be told to its agents (B8). */
export function withHistory(context: Context, plan: RunPlan, asked: string): Promise<RunPlan> {
  if (!existsSync(homePlaces().database)) throw noSuchRun(asked, []);
  return withHome(async ({ journal }) => {
    const { id } = await findRun(context, journal, asked);
    const { history } = await recordedRun(journal, id);
    const subtasks = Object.entries(plan.subtasks).map(([subtask, details]) => {
      const past = history.subtasks.get(subtask);
      const earlier = past === undefined ? [] : earlierAttempts(past);
      return [subtask, earlier.length === 0 ? details : { ...details, earlier }] as const;
    });
    if (subtasks.every(([, { earlier }]) => earlier === undefined))
      throw new ProblemError(
        "bad-input",
        `run ${id} has no failed attempt at a subtask of this plan`,
        { run: id },
      );
    const told = Object.fromEntries(subtasks);
    const counted = plan.plan.subtasks.map((subtask) => {
      const earlierAttempts = told[subtask.id]?.earlier?.length;
      return { ...subtask, ...defined({ earlierAttempts }) };
    });
    return { ...plan, plan: { ...plan.plan, subtasks: counted }, subtasks: told };
  });
}

/** What a person should know about it before it starts. */
export const planNotes = (
  { cwd }: Context,
  { plan, found }: GivenPlan,
  input: StartInput,
  root: string,
): readonly string[] => [
  ...placeNote(cwd, input, root),
  ...setupNote(plan, found, input),
  ...ladderNote(plan),
];

/** A preset's own ladder is limited to the plan's agents. */
function ladderNote({ plan, policy, leftOut = [] }: RunPlan): readonly string[] {
  if (leftOut.length === 0) return [];
  const models = plan.ladder.map(({ agent, model = "" }) => `${agent} ${model}`);
  return [
    `note: the model ladder of ${cleanLine(policy.name, 60)} is ${models.join(", ")}: the plan does not name ${leftOut.join(", ")}`,
  ];
}

/** Agents, set-up and checks work in the root: noted if the user might expect otherwise. */
function placeNote(cwd: string, { goal, inPlace }: StartInput, root: string): readonly string[] {
  const inside = relative(root, folderIn(root, cwd));
  if (goal === undefined || inside === "" || inPlace === true) return [];
  return [
    `note: agents and checks work in the repository's root, not in ${cleanLine(inside, 200)}`,
  ];
}

function setupNote(
  { setup, setupDerived, setupWhenChanged, carry }: RunPlan,
  found: FoundSetup | undefined,
  input: StartInput,
): readonly string[] {
  const from = cleanLine(setupDerived ?? found?.from ?? "", 200);
  if (setupDerived !== undefined) {
    const commands = cleanLine(setup.join("; "), 300);
    return setupWhenChanged === true
      ? [
          `set-up: ${cleanLine(carry.join(", "), 200)} copied, as installed here; ${commands} when ${from} changes`,
        ]
      : [`set-up: ${commands} (from ${from})`];
  }
  const isAsked = input.setup !== undefined || setup.length > 0 || carry.length > 0;
  return isAsked || found?.missing === undefined
    ? []
    : [`note: no set-up: ${from} asks for ${found.missing}, which is not on the search path`];
}

/** What the repository's plan would run, for a user who is asked to trust it. */
export function untrustedText(plan: RunPlan): string {
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
    `The plan of this repository would run:\n${commands.map((line) => `  ${cleanLine(line, 200)}`).join("\n")}\n` +
    "Run it again with --trust if you trust that; the answer is kept for exactly this content."
  );
}

const PLACES_NAMED = 5;

/** Warns once, at the start, about keys of known services in a plan, which would be stored with it. */
export function keyWarning({ agents, subtasks, setup }: RunPlan): readonly string[] {
  const texts: readonly (readonly [place: string, text: string])[] = [
    ...Object.entries(agents).map(
      ([name, { command = "" }]) => [`agents.${name}.command`, command] as const,
    ),
    ...Object.entries(subtasks).flatMap(([id, { prompt, checks }]) => [
      [`subtasks.${id}.prompt`, prompt] as const,
      ...checks.map(({ run }) => [`subtasks.${id}.checks`, run] as const),
    ]),
    ...setup.map((command) => ["workspace.setup", command] as const),
  ];
  const places = [
    ...new Set(texts.filter(([, text]) => holdsProviderKey(text)).map(([place]) => place)),
  ];
  if (places.length === 0) return [];
  const more = places.length > PLACES_NAMED ? ` and ${places.length - PLACES_NAMED} more` : "";
  return [
    `warning: there seems to be a key in ${places.slice(0, PLACES_NAMED).join(", ")}${more}: it is kept with the run's plan, ` +
      "in a file that only you can read. Name an environment variable there instead",
  ];
}
