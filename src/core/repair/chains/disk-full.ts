/** Recovery chain of disk_full (seeds/2, 10). */
import { commandOf, named, shellStep } from "../chain.ts";
import type { Chain, RepairFacts, StepDraft } from "../chain.ts";
import { sandboxPath, withinSandbox } from "../sandbox-path.ts";
import { operand, sh } from "../shell-script.ts";

/** The source's two folders, but only what this user owns, and what is there is shown first. */
function cleanUp({ sandboxRoot }: RepairFacts): readonly StepDraft[] {
  const remove = (folder: string): StepDraft =>
    shellStep(
      `Delete the temporary files (*.tmp) in ${named(folder)}`,
      sh`find ${operand(folder)} -maxdepth 1 -name ${"*.tmp"} -user "$(id -un)" -exec rm -rf -- {} +`,
      "Less space is used than before",
      "delete",
    );
  return [
    shellStep(
      "See how much space is left",
      sh`df -h -- /tmp ${sandboxRoot}`,
      "Free space of both disks",
    ),
    remove("/tmp"),
    remove(sandboxRoot),
  ];
}

function smallerFile({ values: { path }, sandboxRoot }: RepairFacts): readonly StepDraft[] {
  if (path === undefined) return [];
  const file = withinSandbox(sandboxRoot, path) ?? sandboxPath(sandboxRoot, path);
  if (file === undefined) return [];
  return [
    {
      action: `Write ${named(file)} again with shortened or compressed content`,
      tool: "write_file",
      args: { file },
      expectedOutcome: `${named(file)} is written whole`,
    },
  ];
}

export const diskFull: Chain = {
  rows: [
    {
      name: "clean_up_temp_files",
      priority: 1,
      confidence: 0.6,
      tools: ["run_bash"],
      steps: cleanUp,
    },
    {
      name: "write_smaller_file",
      priority: 2,
      confidence: 0.5,
      tools: ["write_file"],
      steps: smallerFile,
    },
  ],
  ask: { priority: 3, confidence: 0.9 },
  questions: (values) => {
    const where = values.path === undefined ? commandOf(values) : named(values.path);
    return [
      `Can you free space on the disk of ${where}, or give it more?`,
      `If not: which files may be deleted, or where else may ${where} write?`,
    ];
  },
};
