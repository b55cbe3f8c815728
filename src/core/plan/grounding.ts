/**
 * Grounding (E1): every plan begins by looking. A read-only subtask comes first and its answer is a declared input of
 * all others, unless the plan has a read-only subtask of its own or turns this off. Imports plan file types.
 */
import type { SubtaskFile } from "./schema.ts";

export const GROUNDING_ID = "grounding";

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
