/**
 * Reads a plan: YAML text, or a goal on the command line, with flags laid over it. Every problem names its line.
 * Invariant: what comes out can be started: ids are unique, dependencies exist and have no cycle, every model
 * entry names an agent that is there.
 */
import { checkYaml, parseYaml } from "../read-yaml.ts";
import type { Problem, Reading, YamlSource } from "../read-yaml.ts";
import { ladderFrom } from "../policy/read.ts";
import type { LadderPolicy } from "../policy/ladder-policy.ts";
import type { LoopFlags } from "../policy/loop-settings.ts";
import { withLoopSettings } from "../policy/loop-settings.ts";
import { nearestName } from "../validate/nearest-name.ts";
import { agentsOf, OWN_AGENT } from "./agents.ts";
import type {
  AgentPlan,
  CheckPlan,
  PlanAgents,
  RewritePlan,
  RunPlan,
  SubtaskPlan,
} from "./run-plan.ts";
import { planGraph } from "./graph.ts";
import type { GraphProblem } from "./graph.ts";
import { GROUNDING_ID, grounded, isGroundedByDefault } from "./grounding.ts";
import type { ModelEntry, Plan, Subtask } from "./plan.ts";
import { budgetOf, minutesToMs, PLAN_DEFAULTS } from "./run-plan.ts";
import { planFileSchema } from "./schema.ts";
import type { CheckFile, PlanFile, SubtaskFile } from "./schema.ts";

/** What the repository itself asks for, where the plan and the command line say nothing. */
export interface DerivedSetup {
  readonly setup: readonly string[];
  readonly carry: readonly string[];
  /** The files that ask for it. */
  readonly from: string;
  /** What is carried stands for the set-up as long as what it was made from is as in the base. */
  readonly whenChanged: boolean;
}

/** What the command line may add or override. */
export interface PlanFlags extends LoopFlags {
  readonly goal?: string;
  readonly agent?: string;
  readonly checks?: readonly string[];
  readonly setup?: readonly string[];
  readonly carry?: readonly string[];
  readonly derived?: DerivedSetup;
  readonly policy?: string;
  readonly concurrency?: number;
  readonly grounding?: boolean;
  /** Agents work in the user's own checkout, so one at a time and without branches. */
  readonly inPlace?: boolean;
  /** Full permissions for agents: the user's own word. */
  readonly full?: boolean;
}

export function readPlan(text: string, flags: PlanFlags, known: PlanAgents): Reading<RunPlan> {
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
): Reading<RunPlan> {
  const problems: Problem[] = [];
  const say = (path: readonly PropertyKey[], message: string): void => {
    problems.push({ ...source.placeOf(path), path: path.map(String).join("."), message });
  };
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
  const ladder = ladderOf(file, agents, flags, known.sourceLadder);
  for (const [index, { agent }] of ladder.entries())
    if (!(agent in agents))
      say(["models", index, "agent"], unknownName("agent", agent, Object.keys(agents)));
  const { rewrite } = file;
  if (rewrite !== undefined && "agent" in rewrite && !(rewrite.agent in agents))
    say(["rewrite", "agent"], unknownName("agent", rewrite.agent, Object.keys(agents)));
  if (ladder.every(({ disabled }) => disabled === true))
    say(["models"], "no agent to run: name one with `agent`, `agents` or --agent");
  const policy = ladderFrom(flags.policy ?? file.policy);
  if (!policy.ok) say(["policy"], policy.problem);
  const files = subtasksOf(file, flags);
  if (files.length === 0) say([], "nothing to do: give a goal or list subtasks");
  const looksFirst =
    flags.grounding ??
    file.grounding ??
    isGroundedByDefault(flags.policy ?? file.policy, files, ladder, agents, known.plain);
  const withGround = looksFirst ? grounded(files, flags.goal ?? file.goal) : files;
  for (const problem of graphProblems(withGround)) {
    const index = Math.max(
      0,
      files.findIndex(({ id }) => id === problem.of),
    );
    say(["subtasks", index, problem.field], problem.message);
  }
  if (problems.length > 0 || !policy.ok) return { ok: false, problems };
  const details = Object.fromEntries(
    withGround.map((one) => [one.id, subtaskPlan(file, flags, one)]),
  );
  const core: Plan = {
    goal: flags.goal ?? file.goal ?? withGround.map(({ id }) => id).join(", "),
    subtasks: withGround.map((one) => coreSubtask(one, details[one.id]?.checks.length ?? 0)),
    ladder,
    ...branchAgentsOn(ladder, known.branchAgents),
    ...(flags.inPlace === true ? { inPlace: true } : {}),
    concurrency: flags.inPlace === true ? 1 : (flags.concurrency ?? file.concurrency ?? 1),
    ...(file.max_subtask_retries === undefined
      ? {}
      : { maxSubtaskRetries: file.max_subtask_retries }),
    ...(file.checkpoints?.expireMinutes === undefined
      ? {}
      : { expireMs: minutesToMs(file.checkpoints.expireMinutes, 0) }),
    ...(Object.values(details).some(({ checks }) => checks.length > 0) ? { judged: true } : {}),
    budget: budgetOf(file.budget),
    ...(file.recovery_budget === undefined
      ? {}
      : { recoveryBudget: budgetOf(file.recovery_budget) }),
    attemptCap: budgetOf(file.attempt),
    longestAttemptMs: Math.max(...Object.values(details).map(({ totalMs }) => totalMs)),
  };
  return {
    ok: true,
    value: {
      plan: core,
      policy: withoutBranches(
        withLoopSettings(policy.value, file.loop ?? {}, flags),
        flags.inPlace === true,
      ),
      subtasks: details,
      agents,
      permissions: {
        ...{ sudo: "deny", install: "deny", delete: "deny" },
        ...defined(file.permissions),
        full: flags.full === true,
      },
      ...(file.rewrite === undefined ? {} : { rewrite: file.rewrite as RewritePlan }),
      ...setupOf(file.workspace, flags),
      setupInputs: file.workspace?.setupInputs ?? [],
      ...(file.workspace?.cache === undefined ? {} : { cache: file.workspace.cache }),
      finalCheck: file.workspace?.finalCheck ?? "cold",
      protect: file.workspace?.protect ?? [],
      forbidProtected: file.workspace?.forbidProtected ?? false,
    },
  };
}

function setupOf(
  file: PlanFile["workspace"],
  flags: PlanFlags,
): Pick<RunPlan, "setup" | "carry" | "setupDerived" | "setupWhenChanged"> {
  const setup = flags.setup ?? file?.setup;
  const carry = flags.carry ?? file?.carry;
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

const withoutBranches = (policy: LadderPolicy, inPlace: boolean): LadderPolicy =>
  inPlace ? { ...policy, recovery: { ...policy.recovery, branchExploration: false } } : policy;

/**
 * What the command line names stands alone; then the plan's ladder; for the preset that brings one, its source's, as far as its
 * agents are there; then the plan's agents, each a rung.
 */
function ladderOf(
  file: PlanFile,
  agents: Readonly<Record<string, AgentPlan>>,
  flags: PlanFlags,
  sourceLadder: readonly ModelEntry[],
): readonly ModelEntry[] {
  const off = (name: string): boolean => file.agents?.[name]?.disabled === true;
  const own = flags.agent ?? (file.models === undefined ? file.agent : undefined);
  if (own !== undefined) return [{ agent: own in agents ? own : OWN_AGENT, tier: 1 }];
  if (file.models !== undefined)
    return file.models.map(({ agent, model, tier, disabled }) => ({
      agent,
      ...(model === undefined ? {} : { model }),
      tier: tier ?? 1,
      ...(disabled === true || off(agent) ? { disabled: true } : {}),
    }));
  const ofSource = sourceLadder.filter(({ agent }) => agent in agents && !off(agent));
  if ((flags.policy ?? file.policy) === "stuck-recovery" && ofSource.length > 0) return ofSource;
  return Object.keys(file.agents ?? {}).map((agent) => ({
    agent,
    tier: 1,
    ...(off(agent) ? { disabled: true } : {}),
  }));
}

/** Only those the ladder has. */
function branchAgentsOn(
  ladder: readonly ModelEntry[],
  branchAgents: Readonly<Record<string, string>>,
): Pick<Plan, "branchAgents"> {
  const there = Object.entries(branchAgents).filter(([, name]) =>
    ladder.some(({ agent }) => agent === name),
  );
  return there.length === 0 ? {} : { branchAgents: Object.fromEntries(there) };
}

function subtasksOf(file: PlanFile, flags: PlanFlags): readonly SubtaskFile[] {
  if (file.subtasks !== undefined && flags.goal === undefined) return file.subtasks;
  const goal = flags.goal ?? file.goal;
  return goal === undefined ? [] : [{ id: "goal", prompt: goal }];
}

function coreSubtask(file: SubtaskFile, checks: number): Subtask {
  const { id, prompt, dependsOn, tier, readOnly, critical, output, limits } = file;
  return {
    id,
    prompt,
    dependsOn: [...new Set([...(dependsOn ?? []), ...(file.inputs ?? [])])],
    checks,
    ...(tier === undefined ? {} : { tier }),
    ...(readOnly === true ? { readOnly: true } : {}),
    ...(critical === true ? { critical: true } : {}),
    ...(output === undefined ? {} : { structuredOutput: true }),
    limits: {
      ...(limits?.max_retries === undefined ? {} : { maxRetries: limits.max_retries }),
      ...(limits?.budget === undefined ? {} : { budget: budgetOf(limits.budget) }),
    },
  };
}

function subtaskPlan(file: PlanFile, flags: PlanFlags, of: SubtaskFile): SubtaskPlan {
  const checks = of.readOnly === true ? [] : (of.checks ?? flags.checks ?? file.checks ?? []);
  return {
    prompt: of.prompt,
    checks: checks.map(checkPlan),
    tests: of.tests ?? file.tests ?? "judge",
    inputs: of.inputs ?? [],
    ...(of.output === undefined ? {} : { output: of.output }),
    totalMs: minutesToMs(of.limits?.minutes ?? file.attempt?.minutes, PLAN_DEFAULTS.attemptMs),
    idleMs: minutesToMs(of.limits?.idleMinutes ?? file.attempt?.idleMinutes, PLAN_DEFAULTS.idleMs),
  };
}

function checkPlan(check: CheckFile): CheckPlan {
  const { run, name, minutes, expect } = typeof check === "string" ? { run: check } : check;
  return {
    run,
    name: name ?? run,
    timeoutMs: minutesToMs(minutes, PLAN_DEFAULTS.checkMs),
    ...(expect === "no-worse" ? { noWorse: true } : {}),
  };
}

interface PlaceOfProblem {
  readonly of: string;
  readonly field: string;
  readonly message: string;
}

function graphProblems(files: readonly SubtaskFile[]): PlaceOfProblem[] {
  const ids = files.map(({ id }) => id);
  const nodes = files.map(({ id, dependsOn, inputs }) => ({
    id,
    dependsOn: [...(dependsOn ?? []), ...(inputs ?? [])],
  }));
  const reading = planGraph(nodes);
  const found = reading.ok ? [] : reading.problems.map((problem) => described(problem, ids));
  const reserved = ids.filter((id, index) => id === GROUNDING_ID && index > 0);
  return [
    ...found,
    ...reserved.map((of) => ({
      of,
      field: "id",
      message: `${of} is the name of the grounding subtask`,
    })),
  ];
}

function described(problem: GraphProblem, ids: readonly string[]): PlaceOfProblem {
  if (problem.kind === "duplicate")
    return { of: problem.id, field: "id", message: `the subtask id ${problem.id} is used twice` };
  if (problem.kind === "unknown-dependency")
    return {
      of: problem.id,
      field: "dependsOn",
      message: unknownName("subtask", problem.dependsOn, ids),
    };
  const [first = ""] = problem.ids;
  return {
    of: first,
    field: "dependsOn",
    message: `a cycle: ${[...problem.ids, first].join(" -> ")}`,
  };
}

function unknownName(what: string, name: string, names: readonly string[]): string {
  const near = nearestName(name, names);
  return `there is no ${what} ${JSON.stringify(name)}${near === undefined ? "" : `: did you mean ${near}?`}`;
}

const defined = <T extends object>(value: T | undefined): { [K in keyof T]: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(value ?? {}).filter(([, found]) => found !== undefined)) as {
    [K in keyof T]: NonNullable<T[K]>;
  };
