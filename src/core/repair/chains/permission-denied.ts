/** Recovery chain of permission_denied (seeds/2, 3). */
import { again, commandOf, named, shellStep } from "../chain.ts";
import type { Chain, RepairFacts, StepDraft } from "../chain.ts";
import { sandboxPath, withinSandbox } from "../sandbox-path.ts";
import { sh } from "../shell-script.ts";

/** Only for a path outside: one that lies inside the sandbox already would be written to itself. */
function writeInSandbox({ values: { path }, sandboxRoot }: RepairFacts): readonly StepDraft[] {
  if (path === undefined || withinSandbox(sandboxRoot, path) !== undefined) return [];
  const file = sandboxPath(sandboxRoot, path);
  if (file === undefined) return [];
  return [
    {
      action: `Check the sandbox ${named(sandboxRoot)}, where writing is allowed`,
      tool: "read_dir",
      args: { dir: sandboxRoot },
      expectedOutcome: "The sandbox folder can be listed",
    },
    {
      action: `Write what was meant for ${named(path)} to ${named(file)} instead`,
      tool: "write_file",
      args: { file },
      expectedOutcome: `${named(file)} is written`,
    },
  ];
}

/**
 * Caution of the source, "only if clearly safe": the owner's own bits of a path inside the sandbox,
 * never sudo.
 */
function ownPermissions(facts: RepairFacts): readonly StepDraft[] {
  const { values, sandboxRoot, exitCode } = facts;
  const file = values.path === undefined ? undefined : withinSandbox(sandboxRoot, values.path);
  if (file === undefined) return [];
  const mode = exitCode === 126 ? "u+x" : "u+rwX";
  return [
    shellStep(
      `Look at the permissions of ${named(file)}`,
      sh`ls -ld -- ${file}`,
      "Owner and mode are shown",
    ),
    shellStep(
      `Give the owner of ${named(file)} the right that is missing`,
      sh`chmod ${mode} -- ${file}`,
      `The mode of ${named(file)} has changed`,
      "sudo",
    ),
    again(facts, {
      action: `Run ${commandOf(values)} again`,
      expectedOutcome: "Permission is no longer denied",
    }),
  ];
}

export const permissionDenied: Chain = {
  rows: [
    {
      name: "try_sandbox_directory",
      priority: 1,
      confidence: 0.9,
      tools: ["write_file", "read_dir"],
      steps: writeInSandbox,
    },
    {
      name: "check_permissions",
      priority: 2,
      confidence: 0.5,
      tools: ["run_bash"],
      steps: ownPermissions,
    },
  ],
  ask: { priority: 3, confidence: 0.8 },
  questions: (values) => {
    const what = values.path === undefined ? "what was refused" : named(values.path);
    return [
      `May the agent have access to ${what}, and will you change its permissions or run ${commandOf(values)} yourself (with sudo if it must be)?`,
      `If not: where else may the result be written instead of ${what}?`,
    ];
  },
};
