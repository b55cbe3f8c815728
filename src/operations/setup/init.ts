/**
 * A commented plan file from what is found here: agents, tiers, set-up, and the checks that the project's manifests
 * name. Invariants: an existing file is never overwritten unasked; what is written passes the plan reader; a check is
 * made only of our own words and names of scripts that are plain words, and nothing of it is run.
 */
import { lstatSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { fieldsOf } from "../../agents/output/json.ts";
import { AGENTS, PLAN_AGENTS, REGISTRY, knownAgent } from "../../agents/registry.ts";
import { assert } from "../../core/assert.ts";
import { readPlan } from "../../core/plan/read-plan.ts";
import { inspect } from "../../workspace/repository/inspect.ts";
import { defined, operation, ProblemError } from "../operation.ts";
import { PLACEHOLDER_GOAL } from "../runs/before-start.ts";
import { PLAN_FILE } from "../runs/given-plan.ts";
import { findAgents } from "./doctor.ts";
import { inFolder, nodeManager } from "./node-installer.ts";
import { manifestsOf, type Manifests } from "./manifests.ts";
import { foundInBase } from "./repository-setup.ts";
import { findSetup, pathUp } from "./found-setup.ts";
import type { Found } from "./schemas.ts";

export const writePlan = operation({
  name: "init",
  schemas: async () => (await import("./schemas.ts")).writePlan,
  async run({ cwd }, { dryRun = false, force = false }) {
    const found = await foundIn(cwd);
    const text = planText(found);
    assert(readPlan(text, {}, PLAN_AGENTS).ok, "the plan that init writes can be read");
    const plan = { file: PLAN_FILE, text, written: !dryRun, ...found };
    if (dryRun) return plan;
    const file = join(cwd, PLAN_FILE);
    if (!force && lstatSync(file, { throwIfNoEntry: false }) !== undefined)
      throw new ProblemError(
        "bad-input",
        `${PLAN_FILE} is there already: give --force to overwrite it`,
      );
    writeFileSync(file, text);
    return plan;
  },
});

async function foundIn(folder: string): Promise<Found> {
  const { env } = process;
  const agents = await findAgents({ env, home: homedir() });
  const inspected = await inspect(folder);
  const root = inspected.ok ? inspected.value.root : folder;
  const setup = inspected.ok
    ? await foundInBase({ repository: inspected.value, folder, withChanges: true, env })
    : findSetup(root, folder, env);
  const { commands = [], from = "", missing } = setup ?? {};
  return {
    agents: agents
      .filter(({ path }) => path !== undefined)
      .map(({ name, title, version }) => ({ name, title, ...defined({ version }) })),
    checks: findChecksFor(root, folder),
    ...(setup === undefined ? {} : { setup: { commands, from, ...defined({ missing }) } }),
  };
}

export function planText({ agents, checks, setup }: Found): string {
  return [
    "# A plan for Unstuck. Start it with: unstuck run",
    "# Every field with its meaning: plan.schema.json in the package's schemas folder.",
    "",
    "# What the run is for. With `subtasks` below, each has a prompt of its own.",
    `goal: ${PLACEHOLDER_GOAL}`,
    "",
    ...ladderLines(agents),
    "",
    ...checkLines(checks),
    "",
    ...budgetLines(agents),
    "",
    "# How often a subtask is tried again after the first time.",
    "# max_subtask_retries: 3",
    "",
    ...workspaceLines(setup),
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

/** Only what the agents tell can be held: money where each of them names its cost. */
function budgetLines(agents: Found["agents"]): readonly string[] {
  const silent = agents.filter(
    ({ name }) => knownAgent(name)?.features.includes("reports-cost") !== true,
  );
  const names = silent.map(({ name }) => name).join(", ");
  return [
    "# Limits of the whole run; a measure that is left out is not limited.",
    "budget:",
    ...(silent.length === 0
      ? ["  usd: 10"]
      : [
          `  # No money: ${names} ${silent.length === 1 ? "does" : "do"} not name a cost, so a limit in dollars might not hold.`,
          "  attempts: 30",
        ]),
    "  minutes: 240",
  ];
}

function ladderLines(agents: Found["agents"]): readonly string[] {
  const lines = ["# The model ladder, weakest first: recovery goes up tier by tier."];
  if (agents.length === 0)
    return [
      "# No known agent was found on this machine (see: unstuck doctor).",
      "# An agent is named like its program, or given as a command with {prompt}.",
      `agent: ${AGENTS[0]?.name}`,
    ];
  const rows = agents.flatMap(({ name, title, version }) => [
    `  # ${title}${version === undefined ? "" : ` ${version}`}`,
    ...(REGISTRY.find(name)?.models?.map(
      ({ model, tier }) => `  - { agent: ${name}, model: ${model}, tier: ${tier} }`,
    ) ?? [`  - { agent: ${name}, tier: 2 }`]),
  ]);
  return [...lines, "models:", ...rows];
}

function checkLines(checks: Found["checks"]): readonly string[] {
  const lines = [
    "# Commands that verify the work: exit code 0 is passed. Without any, nothing is verified.",
  ];
  if (checks.length === 0) return [...lines, "# checks:", "#   - make test"];
  const rows = checks.map(({ run, from }) => `  - ${yamlText(run)} # from ${commentText(from)}`);
  return [...lines, "checks:", ...rows];
}

function workspaceLines(setup: Found["setup"]): readonly string[] {
  const lines = [
    "# Agents and checks work in trees of their own, in the repository's root. `setup` makes each one ready; `carry`",
    "# copies untracked paths into it.",
  ];
  const carry = "  # carry: [.env]";
  if (setup === undefined || setup.commands.length === 0)
    return [
      ...lines,
      ...(setup?.missing === undefined
        ? []
        : [
            `# ${commentText(setup.from)} asks for ${setup.missing}, which is not on the search path.`,
          ]),
      "# workspace:",
      "#   setup: [npm ci]",
      `# ${carry.replace("# ", "")}`,
    ];
  const rows = setup.commands.map((command) => `    - ${yamlText(command)}`);
  return [...lines, "workspace:", `  setup: # from ${commentText(setup.from)}`, ...rows, carry];
}

const yamlText = (text: string): string =>
  /^[A-Za-z0-9.][\w ./@=&-]*$/.test(text) ? text : JSON.stringify(text);

const commentText = (name: string): string => JSON.stringify(name).slice(1, -1);

type FoundCheck = Found["checks"][number];

const SCRIPTS = ["typecheck", "type-check", "types", "lint", "test", "build"];
const TARGETS = ["check", "lint", "test"];

export function findChecks(folder: string): Found["checks"] {
  const at = manifestsOf(folder);
  const found = [
    ...fromPackageJson(at),
    ...fromPyproject(at),
    ...when(at, "Cargo.toml", ["cargo check", "cargo test"]),
    ...when(at, "go.mod", ["go vet ./...", "go test ./..."]),
  ];
  return found.length > 0 ? found : fromMakefile(at);
}

/** The checks of the nearest project at or above a folder, written to be run in the root. */
function findChecksFor(root: string, folder: string): Found["checks"] {
  for (const place of pathUp(root, folder)) {
    const found = findChecks(place);
    const below = relative(root, place);
    if (found.length > 0)
      return found.map(({ run, from }) => ({ run: inFolder(below, run), from: join(below, from) }));
  }
  return [];
}

function fromPackageJson(at: Manifests): FoundCheck[] {
  const scripts = fieldsOf(at.json("package.json")?.["scripts"]);
  const { manager } = nodeManager(at);
  return SCRIPTS.filter((name) => isReal(scripts[name])).map((name) => ({
    run: name === "test" && manager !== "bun" ? `${manager} test` : `${manager} run ${name}`,
    from: "package.json",
  }));
}

/** npm writes a test script of its own, which only says that there is none. */
const isReal = (script: unknown): boolean =>
  typeof script === "string" && script.trim() !== "" && !script.includes("no test specified");

/** What puts a project's own environment around a command. */
const RUN_IN: readonly (readonly [lock: string, runner: string])[] = [
  ["uv.lock", "uv run "],
  ["poetry.lock", "poetry run "],
  ["pdm.lock", "pdm run "],
  ["Pipfile.lock", "pipenv run "],
];

function fromPyproject(at: Manifests): FoundCheck[] {
  const text = at.text("pyproject.toml");
  const pytest = /^\[tool\.pytest|["']pytest\b/m.test(text) || at.has("pytest.ini");
  const [, runner] = RUN_IN.find(([lock]) => at.has(lock)) ?? ["", ""];
  const rows: readonly (readonly [boolean, string])[] = [
    [/^\[tool\.ruff|["']ruff\b/m.test(text), "ruff check ."],
    [/^\[tool\.mypy|["']mypy\b/m.test(text), "mypy ."],
    [pytest, "python -m pytest -q"],
  ];
  return rows.flatMap(([has, run]) =>
    has ? [{ run: `${runner}${run}`, from: "pyproject.toml" }] : [],
  );
}

function fromMakefile(at: Manifests): FoundCheck[] {
  const text = at.text("Makefile");
  return TARGETS.filter((name) => new RegExp(`^${name}[ \\t]{0,20}:(?!=)`, "m").test(text)).map(
    (name) => ({ run: `make ${name}`, from: "Makefile" }),
  );
}

function when(at: Manifests, file: string, commands: readonly string[]): FoundCheck[] {
  return at.has(file) ? commands.map((run) => ({ run, from: file })) : [];
}
