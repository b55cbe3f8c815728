/**
 * Reads a plan from YAML text or a goal on the command line, with flags applied on top. Every problem names its line or
 * its flag. Invariant: a returned plan can be started: ids are unique, dependencies exist and have no cycle, every
 * model entry names an existing agent, every tier has a model, every answer schema is usable.
 */
import type { PolicyData } from "../adaptive/policy-data.ts";
import { defined } from "../defined.ts";
import { withLoopSettings, type LoopFlags } from "../policy/loop-settings.ts";
import { withPersonSettings, type PersonSettings } from "../policy/person-settings.ts";
import { policyNamed, unknownName } from "../policy/read.ts";
import { checkYaml, parseYaml } from "../read-yaml.ts";
import type { Problem, YamlReading, YamlSource } from "../read-yaml.ts";
import { agentsOf, branchAgentsOn, ladderOf } from "./model-ladder.ts";
import { budgetOf, minutesToMs } from "./run-plan.ts";
import type { Plan } from "./plan.ts";
import type { PlanAgents, RewritePlan, RunPlan } from "./run-plan.ts";
import { planFileSchema, type PlanFile } from "./schema.ts";
import { graphProblems, outputProblems, tierProblems } from "./subtask-problems.ts";
import { coreSubtask, grounded, isGroundedByDefault, subtaskPlan, subtasksOf } from "./subtasks.ts";

/** The setup that the repository itself suggests, used if neither plan nor command line specifies one. */
export interface DerivedSetup {
  readonly setup: readonly string[];
  readonly carry: readonly string[];
  /** The files it was derived from. */
  readonly from: string;
  /** The carried files replace the setup as long as the files they were made from are unchanged from the base. */
  readonly whenChanged: boolean;
}

/** What the command line can add or override. */
export interface PlanFlags extends LoopFlags {
  readonly goal?: string;
  readonly agent?: string;
  readonly checks?: readonly string[];
  readonly setup?: readonly string[];
  readonly carry?: readonly string[];
  readonly derived?: DerivedSetup;
  /** The name of a policy, or one read from a file. */
  readonly policy?: string | PolicyData;
  /** The same, used if the plan names none either. */
  readonly usualPolicy?: string | PolicyData;
  /** What a question costs, used if the plan does not say. */
  readonly person?: PersonSettings;
  readonly concurrency?: number;
  /** How many agents the machine can run concurrently. */
  readonly machineConcurrency?: number;
  readonly grounding?: boolean;
  /** Agents work in the user's own checkout, hence one at a time and without branches. */
  readonly inPlace?: boolean;
  /** Commands allowed by the user's own settings. */
  readonly allow?: readonly string[];
  /** Full permissions for agents, given by the user. */
  readonly full?: boolean;
}

export function readPlan(text: string, flags: PlanFlags, known: PlanAgents): YamlReading<RunPlan> {
  const source = parseYaml(text.trim() === "" ? "{}" : text);
  if (!source.ok) return source;
  const checked = checkYaml(source.value, planFileSchema(known));
  if (!checked.ok) return checked;
  return completed(source.value, checked.value, flags, known);
}

function completed(
  source: YamlSource,
  file: PlanFile,
  flags: PlanFlags,
  known: PlanAgents,
): YamlReading<RunPlan> {
  const problems: Problem[] = [];
  const say = (path: readonly PropertyKey[], message: string): void => {
    problems.push({ ...source.placeOf(path), path: path.map(String).join("."), message });
  };
  const sayOfFlag = (path: string, message: string): void => {
    problems.push({ line: 0, column: 0, path, message });
  };
  for (const [flag, message] of flagProblems(flags)) sayOfFlag(flag, message);
  const agents = agentsOf(file, flags.agent, known);
  for (const [name, { adapter, command, turns }] of Object.entries(agents)) {
    if (!known.needCommand.includes(adapter)) continue;
    if (command === undefined) say(["agents", name], `the agent ${name} needs a command`);
    if (turns !== undefined)
      say(
        ["agents", name, "turns"],
        `nobody can count the turns of ${name}: it is a plain command`,
      );
  }
  const policy = policyNamed(flags.policy ?? file.policy ?? flags.usualPolicy);
  if (!policy.ok && flags.policy !== undefined) sayOfFlag("--policy", policy.problem);
  else if (!policy.ok) say(["policy", ...policy.path], policy.problem);
  const policyName = policy.ok ? policy.value.name : "";
  const { ladder, leftOut } = ladderOf(file, agents, flags.agent, policyName, known.sourceLadder);
  for (const [index, { agent }] of ladder.entries())
    if (!(agent in agents))
      say(["models", index, "agent"], unknownName("agent", agent, Object.keys(agents)));
  const { rewrite, workspace = {} } = file;
  if (rewrite !== undefined && "agent" in rewrite && !(rewrite.agent in agents))
    say(["rewrite", "agent"], unknownName("agent", rewrite.agent, Object.keys(agents)));
  if (ladder.every(({ disabled }) => disabled === true))
    say(
      ladder.length === 0 ? [] : ["models"],
      `no agent to run: add \`agent: ${known.adapters[0]}\` to the plan, or --agent ${known.adapters[0]}`,
    );
  const files = subtasksOf(file, flags);
  if (files.length === 0) say([], "nothing to do: write a `goal`, or list `subtasks`");
  if (flags.agent === undefined && leftOut.length === 0)
    for (const { path, message } of tierProblems(files, ladder)) say(path, message);
  for (const { path, message } of outputProblems(files)) say(path, message);
  const looksFirst =
    flags.grounding ??
    file.grounding ??
    isGroundedByDefault(policyName, files, ladder, agents, known.plain);
  const withGround = looksFirst ? grounded(files, flags.goal ?? file.goal) : files;
  for (const { path, message } of graphProblems(files, withGround, (at) => source.placeOf(at).line))
    say(path, message);
  if (problems.length > 0 || !policy.ok) return { ok: false, problems };
  const details = Object.fromEntries(
    withGround.map((one) => [one.id, subtaskPlan(file, flags, one)]),
  );
  const { expireMinutes, permissionMinutes } = file.checkpoints ?? {};
  const core: Plan = {
    goal: flags.goal ?? file.goal ?? withGround.map(({ id }) => id).join(", "),
    subtasks: withGround.map((one) => coreSubtask(one, details[one.id]?.checks.length ?? 0)),
    ladder,
    ...branchAgentsOn(ladder, known.branchAgents),
    ...(flags.inPlace === true ? { inPlace: true } : {}),
    ...placesOf(file.concurrency, flags),
    ...defined({
      permissions: file.permissions && defined(file.permissions),
      maxSubtaskRetries: file.max_subtask_retries,
      expireMs: expireMinutes && minutesToMs(expireMinutes, 0),
      permissionWaitMs: permissionMinutes && minutesToMs(permissionMinutes, 0),
    }),
    ...(Object.values(details).some(({ checks }) => checks.length > 0) ? { judged: true } : {}),
    budget: budgetOf(file.budget),
    ...defined({ recoveryBudget: file.recovery_budget && budgetOf(file.recovery_budget) }),
    attemptCap: budgetOf(file.attempt),
    longestAttemptMs: Math.max(...Object.values(details).map(({ totalMs }) => totalMs)),
  };
  return {
    ok: true,
    value: {
      plan: core,
      policy: withoutBranches(
        withPersonSettings(withLoopSettings(policy.value, file.loop ?? {}, flags), [
          flags.person,
          file.person,
        ]),
        flags.inPlace === true,
      ),
      subtasks: details,
      agents,
      ...(leftOut.length > 0 ? { leftOut } : {}),
      permissions: {
        ...{ sudo: "deny", install: "deny", delete: "deny" },
        ...defined(file.permissions ?? {}),
        full: flags.full === true,
        ...defined({ allow: flags.allow }),
      },
      ...defined({ rewrite: file.rewrite as RewritePlan | undefined }),
      ...setupOf(workspace, flags),
      setupInputs: workspace.setupInputs ?? [],
      ...defined({ cache: workspace.cache }),
      finalCheck: workspace.finalCheck ?? "cold",
      protect: workspace.protect ?? [],
      forbidProtected: workspace.forbidProtected ?? false,
    },
  };
}

/** Rejects empty flag values: they are a mistake in the shell, never intended. */
function flagProblems({ goal, agent, checks, setup }: PlanFlags): (readonly [string, string])[] {
  const isEmpty = (text: string | undefined): boolean => text?.trim() === "";
  const anyEmpty = (texts: readonly string[] | undefined): boolean => texts?.some(isEmpty) === true;
  return [
    ...(isEmpty(goal) ? [["--goal", "is empty: say what should be done"] as const] : []),
    ...(isEmpty(agent) ? [["--agent", "is empty: name an agent, or give a command"] as const] : []),
    ...(anyEmpty(checks)
      ? [["--check", "is empty: give a command that tests the work"] as const]
      : []),
    ...(anyEmpty(setup) ? [["--setup", "is empty: give a command, or --no-setup"] as const] : []),
  ];
}

/** One subtask at a time by default; the branches of an exploration may then use the whole machine. */
function placesOf(
  ofFile: number | undefined,
  { inPlace, concurrency = ofFile, machineConcurrency = 1 }: PlanFlags,
): Pick<Plan, "concurrency" | "branchesAtOnce"> {
  if (inPlace === true) return { concurrency: 1 };
  if (concurrency !== undefined || machineConcurrency < 2) return { concurrency: concurrency ?? 1 };
  return { concurrency: 1, branchesAtOnce: machineConcurrency };
}

function setupOf(
  file: NonNullable<PlanFile["workspace"]>,
  flags: PlanFlags,
): Pick<RunPlan, "setup" | "carry" | "setupDerived" | "setupWhenChanged"> {
  const setup = flags.setup ?? file.setup;
  const carry = flags.carry ?? file.carry;
  const { derived } = flags;
  if (setup !== undefined || carry !== undefined || derived === undefined)
    return { setup: setup ?? [], carry: carry ?? [] };
  return {
    setup: derived.setup,
    carry: derived.carry,
    setupDerived: derived.from,
    ...(derived.whenChanged ? { setupWhenChanged: true } : {}),
  };
}

const withoutBranches = (policy: PolicyData, inPlace: boolean): PolicyData =>
  inPlace ? { ...policy, recovery: { ...policy.recovery, branchExploration: false } } : policy;
