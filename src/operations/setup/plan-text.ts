/** The commented plan file that `init` writes. Invariant: whatever was found, the plan reader accepts it. */
import { PLACEHOLDER_GOAL } from "../runs/before-start.ts";
import { AGENTS, REGISTRY, knownAgent } from "../../agents/registry.ts";
import type { Found, TriedCheck } from "./schemas.ts";

export function planText(
  { agents, checks, leftOut, setup }: Found,
  tried: readonly TriedCheck[] = [],
): string {
  return [
    "# A plan for Unstuck. Start it with: unstuck run",
    "# plan.schema.json in the package's schemas folder describes every field.",
    "",
    "# What should be done. With `subtasks` below, each has its own prompt instead.",
    `goal: ${PLACEHOLDER_GOAL}`,
    "",
    ...ladderLines(agents),
    "",
    ...checkLines(checks, leftOut, tried),
    "",
    ...budgetLines(agents),
    "",
    "# How often a subtask is tried again after the first time.",
    "# max_subtask_retries: 3",
    "",
    "# Recovery works out the likely cause of a failure; standard is a fixed order of steps instead.",
    "# policy: standard",
    "",
    ...workspaceLines(setup),
    "",
    "# Several steps that depend on each other, instead of one goal:",
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

/** Only reported usage can be limited: money only if every agent reports its cost. */
function budgetLines(agents: Found["agents"]): readonly string[] {
  const silent = agents.filter(
    ({ name }) => knownAgent(name)?.features.includes("reports-cost") !== true,
  );
  const names = silent.map(({ name }) => name).join(", ");
  return [
    "# Limits for the whole run. What is not named here is not limited.",
    "budget:",
    ...(silent.length === 0
      ? ["  usd: 10"]
      : [
          `  # No money: ${names} ${silent.length === 1 ? "does" : "do"} not report a cost, so a limit in dollars might not hold.`,
          "  attempts: 30",
        ]),
    "  minutes: 240",
  ];
}

function ladderLines(agents: Found["agents"]): readonly string[] {
  const lines = ["# Models, weakest first: a subtask that fails moves up, tier by tier."];
  if (agents.length === 0)
    return [
      "# No known agent is installed on this machine (see: unstuck doctor).",
      "# Name an agent by its program, or give a command with {prompt} in it.",
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

function checkLines(
  checks: Found["checks"],
  leftOut: Found["leftOut"],
  tried: readonly TriedCheck[],
): readonly string[] {
  const stateOf = (run: string): TriedCheck | undefined => tried.find((one) => one.run === run);
  const isUsable = ({ run }: { readonly run: string }): boolean =>
    !["hangs", "cannot-run"].includes(stateOf(run)?.state ?? "");
  const usable = checks.filter(isUsable);
  const lines = [
    "# Commands that verify the work: exit code 0 means passed. Without any, nothing is verified.",
    ...(tried.some(({ state }) => state === "red")
      ? [
          "# One that is red today must pass in the end; { run: ..., expect: no-worse } asks for less.",
        ]
      : []),
    ...leftOut.map(
      ({ what, from, why }) =>
        `# Left out: ${commentText(what)} (${commentText(from)}): ${commentText(why)}.`,
    ),
    ...tried
      .filter((one) => !isUsable(one))
      .map(({ run, why = "" }) => `# Left out: ${commentText(run)}: ${commentText(why)}.`),
  ];
  if (usable.length === 0) return [...lines, "# checks:", "#   - make test"];
  const rows = usable.map(({ run, from, note }) => {
    const more = note === undefined ? "" : ` (${commentText(note)})`;
    const red = stateOf(run)?.state === "red" ? "; red today" : "";
    return `  - ${yamlText(run)} # from ${commentText(from)}${more}${red}`;
  });
  return [...lines, "checks:", ...rows];
}

function workspaceLines(setup: Found["setup"]): readonly string[] {
  const lines = [
    "# Agents and checks work in their own copies of the repository, in its root. `setup` makes each one ready; `carry`",
    "# copies untracked paths into it.",
  ];
  const carry = "  # carry: [.env]";
  if (setup === undefined || setup.commands.length === 0)
    return [
      ...lines,
      ...(setup?.missing === undefined
        ? []
        : [`# ${commentText(setup.from)} needs ${setup.missing}, which is not installed here.`]),
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
