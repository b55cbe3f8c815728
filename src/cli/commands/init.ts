/**
 * `unstuck init`: a commented `unstuck.yaml` from what is found here: agents, tiers, checks. Imports the findings.
 * Invariants: an existing file is never overwritten without --force; what is written passes the plan reader.
 */
import { homedir } from "node:os";
import { lstatSync, writeFileSync } from "node:fs";
import { Command } from "commander";
import { assert } from "../../core/assert.ts";
import { readPlan } from "../../core/plan/read-plan.ts";
import { findAgents } from "../found-agents.ts";
import type { FoundAgent } from "../found-agents.ts";
import { findCarried, findChecks } from "../found-checks.ts";
import type { FoundCheck } from "../found-checks.ts";
import { UsageError, write } from "../io.ts";

const FILE = "unstuck.yaml";

export function command(): Command {
  return new Command("init")
    .summary("write a plan file to begin with")
    .description(`Writes a commented ${FILE} from what it finds: agents, tiers, checks.`)
    .option("--print", "only print it")
    .option("--force", "overwrite the file that is there")
    .action(async ({ print, force }: { print?: boolean; force?: boolean }) => {
      const agents = await findAgents({ env: process.env, home: homedir() });
      const there = agents.filter(({ path }) => path !== undefined);
      const folder = process.cwd();
      const text = planText({
        agents: there,
        checks: findChecks(folder),
        carried: findCarried(folder),
      });
      assert(readPlan(text).ok, "the plan that init writes can be read");
      if (print === true) return write(text.trimEnd());
      if (force !== true && lstatSync(FILE, { throwIfNoEntry: false }) !== undefined)
        throw new UsageError(`${FILE} is there already: give --force to overwrite it`);
      writeFileSync(FILE, text);
      write(`wrote ${FILE}. Look it over, then: unstuck run`);
    });
}

export interface Found {
  readonly agents: readonly Pick<FoundAgent, "name" | "title" | "version">[];
  readonly checks: readonly FoundCheck[];
  readonly carried: readonly string[];
}

/** Weakest first; a model an agent does not know is worse than its own choice, so only where the name is lasting. */
const LADDERS: Readonly<Record<string, readonly (readonly [string | undefined, number])[]>> = {
  claude: [
    ["haiku", 1],
    ["sonnet", 2],
    ["opus", 3],
  ],
};

export function planText({ agents, checks, carried }: Found): string {
  return [
    "# A plan for Unstuck. Start it with: unstuck run",
    "# Every field with its meaning: plan.schema.json in the package's schemas folder.",
    "",
    "# What the run is for. With `subtasks` below, each has a prompt of its own.",
    "goal: Describe here what should be done",
    "",
    ...ladderLines(agents),
    "",
    ...checkLines(checks),
    "",
    "# Limits of the whole run; a measure that is left out is not limited.",
    "budget:",
    "  usd: 10",
    "  minutes: 240",
    "",
    "# How often a subtask is tried again after the first time.",
    "# max_subtask_retries: 3",
    "",
    ...workspaceLines(carried),
    "",
    "# Several steps with dependencies, instead of one goal:",
    "# subtasks:",
    "#   - id: parser",
    "#     prompt: Write the parser described in docs/grammar.md",
    "#   - id: command",
    "#     prompt: Add the command that uses the parser",
    "#     dependsOn: [parser]",
    "#     tier: 2",
    "",
  ].join("\n");
}

function ladderLines(agents: Found["agents"]): readonly string[] {
  const lines = ["# The model ladder, weakest first: recovery goes up tier by tier."];
  if (agents.length === 0)
    return [
      "# No known agent was found on this machine (see: unstuck doctor).",
      "# An agent is named like its program, or given as a command with {prompt}.",
      "agent: claude",
    ];
  const rows = agents.flatMap(({ name, title, version }) => [
    `  # ${title}${version === undefined ? "" : ` ${version}`}`,
    ...(LADDERS[name] ?? [[undefined, 2] as const]).map(([model, tier]) =>
      model === undefined
        ? `  - { agent: ${name}, tier: ${tier} }`
        : `  - { agent: ${name}, model: ${model}, tier: ${tier} }`,
    ),
  ]);
  return [...lines, "models:", ...rows];
}

function checkLines(checks: readonly FoundCheck[]): readonly string[] {
  const lines = [
    "# Commands that verify the work: exit code 0 is passed. Without any, nothing is verified.",
  ];
  if (checks.length === 0) return [...lines, "# checks:", "#   - make test"];
  const rows = checks.map(({ run, from }) => `  - ${run} # from ${from}`);
  return [...lines, "checks:", ...rows];
}

function workspaceLines(carried: readonly string[]): readonly string[] {
  const lines = ["# Agents work in a clone of their own. `carry` copies untracked paths into it."];
  return carried.length === 0
    ? [...lines, "# workspace:", "#   setup: [npm ci]", "#   carry: [.env]"]
    : [...lines, "workspace:", `  carry: [${carried.join(", ")}]`];
}
