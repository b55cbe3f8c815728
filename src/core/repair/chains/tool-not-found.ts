/** Recovery chain of tool_not_found (seeds/2, 2). */
import { nearestName } from "../../validate/nearest-name.ts";
import { guidance, named, shellStep } from "../chain.ts";
import type { Chain, RepairFacts, StepDraft } from "../chain.ts";
import { withinSandbox } from "../sandbox-path.ts";
import { operand, sh } from "../shell-script.ts";

const asked = (toolName: string | undefined): string =>
  toolName === undefined ? "the missing tool" : named(toolName);

const fileOf = ({ values, sandboxRoot }: RepairFacts): string | undefined =>
  values.path === undefined ? undefined : withinSandbox(sandboxRoot, values.path);

function similarTool(facts: RepairFacts): readonly StepDraft[] {
  const { toolName } = facts.values;
  const nearest = toolName === undefined ? undefined : nearestName(toolName, facts.toolNames);
  if (nearest !== undefined)
    return [
      guidance(
        `Repeat the call with the available tool ${named(nearest)} in place of ${asked(toolName)}`,
        `${named(nearest)} returns a result`,
        { tool: nearest },
      ),
    ];
  const file = fileOf(facts);
  const action = `Read what is needed with read_file instead of calling ${asked(toolName)}`;
  const expectedOutcome = "The content of the file";
  return [
    {
      action: `List the folder with read_dir instead of calling ${asked(toolName)}`,
      tool: "read_dir",
      args: { dir: facts.sandboxRoot },
      expectedOutcome: "The listing shows which files there are",
    },
    file === undefined
      ? guidance(action, expectedOutcome)
      : { action, tool: "read_file", args: { file }, expectedOutcome },
  ];
}

function basicCommands(facts: RepairFacts): readonly StepDraft[] {
  const file = fileOf(facts);
  const list = shellStep(
    `Do what ${asked(facts.values.toolName)} was meant for with shell commands: list the files first`,
    sh`cd -- ${facts.sandboxRoot} && find . -maxdepth 2 -not -path ${"./.git/*"} | head -n 200`,
    "A list of files and folders",
  );
  const read = (path: string): StepDraft =>
    shellStep(
      `Read ${named(path)}`,
      sh`head -c 20000 -- ${operand(path)}`,
      "The beginning of the file",
    );
  return file === undefined ? [list] : [list, read(file)];
}

export const toolNotFound: Chain = {
  rows: [
    {
      name: "use_available_alternative",
      priority: 1,
      confidence: 0.8,
      tools: ["read_dir", "read_file", "run_bash"],
      steps: similarTool,
    },
    {
      name: "decompose_into_basic_tools",
      priority: 2,
      confidence: 0.7,
      tools: ["run_bash"],
      steps: basicCommands,
    },
  ],
  ask: { priority: 3, confidence: 0.6 },
  questions: ({ toolName }) => [
    `Can you add ${asked(toolName)} to the tools this agent may use?`,
    `If not: which of the available tools should do the work of ${asked(toolName)}?`,
  ],
};
