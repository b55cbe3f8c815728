/**
 * Problems that would stop a run, found before anything is started: agents that cannot be started or were never logged
 * in, checks whose program is missing, a goal that is still the placeholder, nothing to start from, no disk space.
 * Invariants: only files, the search path and the environment are read; it runs nothing, writes nothing and uses no
 * network; only a certain failure is a problem.
 */
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { relative, resolve } from "node:path";
import { parseTemplate } from "../../agents/command/template.ts";
import { KNOWN_AGENTS, knownAgent, type KnownAgent } from "../../agents/registry.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import type { AgentPlan, RunPlan } from "../../core/plan/run-plan.ts";
import { nearestName } from "../../core/validate/nearest-name.ts";
import { freeAt, FREE_MIN, megabytes } from "../disk-room.ts";
import { homeFolder } from "../home.ts";
import { ProblemError } from "../operation.ts";
import { isNeverLoggedIn, programOn } from "../setup/found-agents.ts";
import { missingProgram } from "../setup/check-programs.ts";
import type { PlanPlaces } from "./plan-places.ts";

/** The placeholder goal that `unstuck init` writes. */
export const PLACEHOLDER_GOAL = "Describe here what should be done";

export interface StartProblem {
  /** `unstuck.yaml:4:9`, or a flag; absent if it is about the machine or the repository. */
  readonly place?: string;
  readonly message: string;
  /** What to do or write instead. */
  readonly next: string;
}

export interface BeforeStart {
  readonly plan: RunPlan;
  readonly places: PlanPlaces;
  readonly repository: {
    readonly root: string;
    readonly head: { readonly commit: string | null };
    readonly dirty: { readonly untracked: readonly string[] };
  };
  /** The run starts from the files of the checkout, so it needs no commit. */
  readonly fromCheckout: boolean;
  readonly machine?: Machine;
}

interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder, which contains logins. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** Free bytes where Unstuck stores its runs. */
  readonly free: () => number;
}

const thisMachine = (): Machine => ({
  ...{ env: process.env, home: homedir(), platform: process.platform },
  free: () => freeAt(homeFolder()),
});

/** All problems, the most important first; if there are none, the run can be started. */
export function problemsBeforeStart(asked: BeforeStart): readonly StartProblem[] {
  const { machine = thisMachine() } = asked;
  return [
    ...repositoryProblems(asked),
    ...goalProblems(asked),
    ...agentProblems(asked, machine),
    ...checkProblems(asked, machine),
    ...diskProblems(machine),
  ];
}

const SHOWN_MAX = 5;

/** Throws them as one problem, each with its place and what to do. */
export function refuseProblems(problems: readonly StartProblem[]): void {
  if (problems.length === 0) return;
  const lines = problems.slice(0, SHOWN_MAX).map(({ place, message, next }) => {
    const where = place === undefined ? "" : `${place}: `;
    return `${where}${cleanLine(message, 400)}\n  ${cleanLine(next, 400)}`;
  });
  const more = problems.length - SHOWN_MAX;
  throw new ProblemError(
    "bad-input",
    [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("\n"),
  );
}

function repositoryProblems({ repository, fromCheckout }: BeforeStart): readonly StartProblem[] {
  if (repository.head.commit !== null || fromCheckout) return [];
  return [
    {
      message: "this repository has no commit yet, and a run starts from one",
      next: "Make one first: git add -A && git commit -m start",
    },
  ];
}

function goalProblems({ plan, places }: BeforeStart): readonly StartProblem[] {
  const isPlaceholder = Object.values(plan.subtasks).some(
    ({ prompt }) => prompt.trim() === PLACEHOLDER_GOAL,
  );
  if (!isPlaceholder) return [];
  return [
    {
      place: places.goal(),
      message: "this is still the placeholder that unstuck init wrote",
      next: "Write what should be done, for example: goal: Make the failing tests pass",
    },
  ];
}

function agentProblems(asked: BeforeStart, machine: Machine): readonly StartProblem[] {
  const { plan, places } = asked;
  const { rewrite } = plan;
  const names = new Set([
    ...plan.plan.ladder.flatMap(({ agent, disabled }) => (disabled === true ? [] : [agent])),
    ...(rewrite !== undefined && "agent" in rewrite ? [rewrite.agent] : []),
  ]);
  return [...names].flatMap((name) => {
    const agent = plan.agents[name];
    const problem = agent && agentProblem(agent, asked, machine);
    return problem === undefined ? [] : [{ place: places.agent(name), ...problem }];
  });
}

type Found = Pick<StartProblem, "message" | "next">;

function agentProblem(
  { adapter, command }: AgentPlan,
  asked: BeforeStart,
  machine: Machine,
): Found | undefined {
  const known = knownAgent(adapter);
  const words = command ?? known?.binary ?? "";
  const parsed = parseTemplate(words);
  if (!parsed.ok) return { message: parsed.why, next: shellForm(words, parsed.why) };
  const [program = ""] = parsed.words;
  const missing = program.includes("{") ? undefined : missingAgent(program, asked, machine);
  if (missing !== undefined || known === undefined || command !== undefined) return missing;
  return isNeverLoggedIn(known, machine)
    ? {
        message: `${known.title} is not logged in`,
        next: `Log in: ${known.login} (or set ${known.keyVariables[0] ?? "its key"})`,
      }
    : undefined;
}

/** The same command for a shell, if it can be quoted safely. */
function shellForm(command: string, why: string): string {
  if (why.includes("closed")) return "Close it, or leave it out";
  if (!why.includes("shell"))
    return "Write a program and its arguments, such as: my-agent {prompt}";
  const used = [...new Set(command.match(/\{(?:prompt|promptFile|model|thinking)\}/g))];
  const [one = "{prompt}"] = used;
  const isPlain = used.length <= 1 && !/['"\\]/.test(command);
  const script = isPlain ? command.replaceAll(one, '"$1"') : '... "$1"';
  return `Write it as: sh -c '${script}' sh ${one}`;
}

function missingAgent(program: string, asked: BeforeStart, { env }: Machine): Found | undefined {
  const shown = cleanLine(program, 100);
  if (program.includes("/")) return unusableFile(program, asked);
  const path = env["PATH"] ?? "";
  if (programOn(path, program) !== undefined) return undefined;
  const known = KNOWN_AGENTS.find(({ binary, name }) => binary === program || name === program);
  const message = `the agent program ${shown} is not on your PATH`;
  if (known !== undefined) return { message, next: `Install ${known.title}: ${known.install}` };
  const installed = KNOWN_AGENTS.filter(({ binary }) => programOn(path, binary) !== undefined);
  const near = nearestName(
    program,
    KNOWN_AGENTS.map(({ name }) => name),
  );
  const meant = KNOWN_AGENTS.find(({ name }) => name === near);
  return { message, next: agentToUse(meant, installed) };
}

function agentToUse(meant: KnownAgent | undefined, installed: readonly KnownAgent[]): string {
  if (meant !== undefined && installed.includes(meant)) return `Did you mean ${meant.name}?`;
  if (meant !== undefined) return `Did you mean ${meant.name}? Install it: ${meant.install}`;
  const names = installed.map(({ name }) => name).join(", ");
  const first = KNOWN_AGENTS[0];
  return names === ""
    ? `No known agent is installed here; for example: ${first?.install ?? ""}`
    : `Installed here: ${names}`;
}

function unusableFile(program: string, asked: BeforeStart): Found | undefined {
  const { root } = asked.repository;
  const file = resolve(root, program);
  const shown = cleanLine(program, 100);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined)
    return {
      message: `there is no program ${shown}`,
      next: "Fix the path, or name another agent",
    };
  if (stats.isDirectory())
    return { message: `${shown} is a folder`, next: "Give the path of the program in it" };
  const { fromCheckout, plan, repository } = asked;
  const inside = relative(root, file);
  if (!fromCheckout && repository.dirty.untracked.includes(inside) && !plan.carry.includes(inside))
    return {
      message: `${shown} is not committed, and agents work on a copy of the last commit`,
      next: `Commit it, or take it along with --carry ${cleanLine(inside, 100)}`,
    };
  if ((stats.mode & 0o111) !== 0) return undefined;
  return { message: `${shown} is not executable`, next: `Make it so: chmod +x ${shown}` };
}

function checkProblems(
  { plan, places, repository: { root } }: BeforeStart,
  { env }: Machine,
): readonly StartProblem[] {
  const surroundings = { root, path: env["PATH"] ?? "", plan };
  const found = Object.entries(plan.subtasks).flatMap(([subtask, { checks }]) =>
    checks.flatMap(({ run }, index): StartProblem[] => {
      const why = missingProgram(run, index, surroundings);
      if (why === undefined) return [];
      const message = `the check "${cleanLine(run, 120)}" cannot run: ${why}`;
      const next = "Fix the command, or add the one that installs it: workspace.setup, or --setup";
      return [{ place: places.check(subtask, index), message, next }];
    }),
  );
  // A check of the plan is repeated in every subtask.
  return [...new Map(found.map((problem) => [problem.place + problem.message, problem])).values()];
}

function diskProblems({ free }: Machine): readonly StartProblem[] {
  const bytes = free();
  if (bytes >= FREE_MIN) return [];
  return [
    {
      message: `the disk is full: ${megabytes(bytes)} are free at ${cleanLine(homeFolder(), 300)}, a run needs ${megabytes(FREE_MIN)}`,
      next: "Free some space (unstuck clean removes old runs), or set UNSTUCK_HOME to a folder on another disk",
    },
  ];
}
