/**
 * Grounding (E1): looking before acting. A read-only subtask comes first and its answer is a declared input of all
 * others, unless the plan has a read-only subtask of its own. Invariant: where nobody says, it is worth its price:
 * several subtasks that share it, and agents whose answer can be told from what else they print.
 */
import type { ModelEntry } from "./plan.ts";
import type { AgentPlan } from "./run-plan.ts";
import type { SubtaskFile } from "./schema.ts";

export const GROUNDING_ID = "grounding";

/** The preset whose source looks before everything it does. */
const ALWAYS = "tier-ladder";

export function isGroundedByDefault(
  policy: unknown,
  files: readonly SubtaskFile[],
  ladder: readonly ModelEntry[],
  agents: Readonly<Record<string, AgentPlan>>,
  plain: string,
): boolean {
  if (policy === ALWAYS) return true;
  const used = ladder.filter(({ disabled }) => disabled !== true);
  return files.length > 1 && used.every(({ agent }) => isTyped(agents[agent], plain));
}

const isTyped = (agent: AgentPlan | undefined, plain: string): boolean =>
  agent !== undefined && (agent.adapter !== plain || agent.format !== undefined);

export function grounded(
  files: readonly SubtaskFile[],
  goal: string | undefined,
): readonly SubtaskFile[] {
  if (
    files.length === 0 ||
    files.some(({ id, readOnly }) => readOnly === true || id === GROUNDING_ID)
  )
    return files;
  const tasks = goal ?? files.map(({ prompt }) => prompt).join("\n");
  const first: SubtaskFile = {
    id: GROUNDING_ID,
    readOnly: true,
    prompt: [
      "Look before anything is changed. Read the files that the following work is about and report, briefly:",
      "what is there, what is missing, how it is built and checked, and what to be careful with.",
      "Change nothing. Report gaps; do not fill them with guesses.",
      "",
      tasks.slice(0, 20_000),
    ].join("\n"),
  };
  return [
    first,
    ...files.map((file) => ({ ...file, inputs: [GROUNDING_ID, ...(file.inputs ?? [])] })),
  ];
}
