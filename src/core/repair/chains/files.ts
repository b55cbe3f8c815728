/** The recovery chains of file_not_found, permission_denied and disk_full. */
import { again, commandOf, named, namedOr, shellStep, toolStep } from "../chain.ts";
import type { Chain, RepairFacts, StepDraft } from "../chain.ts";
import { sandboxPath, withinSandbox } from "../sandbox-path.ts";
import { operand, sh } from "../shell-script.ts";

function split(path: string): { readonly folder: string; readonly name: string } {
  const cut = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return { folder: cut < 0 ? "." : path.slice(0, cut) || "/", name: path.slice(cut + 1) };
}

/** Escapes a literal name for `find -iname`. */
const literal = (name: string): string => name.replace(/[\\*?[\]]/g, "\\$&");

function verifyPath({ values: { path } }: RepairFacts): readonly StepDraft[] {
  const { folder, name } = split(path ?? "");
  const list = toolStep(
    "read_dir",
    `List ${named(folder)}, where the file should be`,
    { dir: folder },
    "The listing shows whether the file is there under another name",
  );
  if (name === "") return [list];
  const stem = name.replace(/\.[^.]{0,20}$/, "").slice(0, 4);
  const nearby = shellStep(
    `Look for names like ${named(name)}: other case, a typo, another ending`,
    sh`ls -a -- ${operand(folder)} | grep -i -F -- ${stem}`,
    "Names that look alike, or none",
  );
  const elsewhere = shellStep(
    `Search the project for ${named(name)}`,
    sh`find . -name node_modules -prune -o -name .git -prune -o -iname ${literal(name)} -print | head -n 20`,
    `The path where ${named(name)} really is, if it exists`,
  );
  return [list, nearby, elsewhere];
}

/** Types for which an empty file makes sense; source code and lock files have no sensible default. */
const MAY_BE_EMPTY = new Set("json yaml yml toml ini cfg conf txt md csv log".split(" "));
const HAS_AN_AUTHOR =
  /^(?:package(?:-lock)?|tsconfig|composer|pnpm-lock|Cargo|pyproject|Pipfile)\./i;

/**
 * The source document's caution, "only if creation is appropriate": a data file inside the sandbox that has a default.
 */
function createFile({ values: { path }, sandboxRoot }: RepairFacts): readonly StepDraft[] {
  const file = withinSandbox(sandboxRoot, path);
  if (file === undefined) return [];
  const { name } = split(file);
  const type = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  if (!MAY_BE_EMPTY.has(type) || name === type || HAS_AN_AUTHOR.test(name)) return [];
  return [
    toolStep(
      "write_file",
      `Create ${named(file)} with default content, if the task is meant to have this file`,
      { file, content: type === "json" ? "{}\n" : "" },
      `${named(file)} exists`,
    ),
  ];
}

export const fileNotFound: Chain = {
  rows: [
    { name: "verify_path", confidence: 0.9, tools: ["read_dir", "run_bash"], steps: verifyPath },
    {
      name: "create_missing_file",
      confidence: 0.6,
      tools: ["write_file"],
      needs: "a data file inside the project that may begin empty",
      steps: createFile,
    },
  ],
  askConfidence: 0.8,
  questions: (values) => {
    const file = namedOr(values.path, `the file that ${commandOf(values)} needs`);
    return [
      `What is the right path of ${file}?`,
      `Should ${file} exist already, or is it to be created?`,
    ];
  },
};

/** Only for a path outside the sandbox; one inside would be written to itself. */
function writeInSandbox({ values: { path }, sandboxRoot }: RepairFacts): readonly StepDraft[] {
  if (path === undefined || withinSandbox(sandboxRoot, path) !== undefined) return [];
  const file = sandboxPath(sandboxRoot, path);
  if (file === undefined) return [];
  return [
    toolStep(
      "read_dir",
      `Check the sandbox ${named(sandboxRoot)}, where writing is allowed`,
      { dir: sandboxRoot },
      "The sandbox folder can be listed",
    ),
    toolStep(
      "write_file",
      `Write what was meant for ${named(path)} to ${named(file)} instead`,
      { file },
      `${named(file)} is written`,
    ),
  ];
}

/**
 * The source document's caution, "only if clearly safe": the owner's own permission bits of a path inside the sandbox,
 * never sudo.
 */
function ownPermissions(facts: RepairFacts): readonly StepDraft[] {
  const { values, sandboxRoot, exitCode } = facts;
  const file = withinSandbox(sandboxRoot, values.path);
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
    again(facts, `Run ${commandOf(values)} again`, "Permission is no longer denied"),
  ];
}

export const permissionDenied: Chain = {
  rows: [
    {
      name: "try_sandbox_directory",
      confidence: 0.9,
      tools: ["write_file", "read_dir"],
      needs: "a path outside the project",
      steps: writeInSandbox,
    },
    {
      name: "check_permissions",
      confidence: 0.5,
      tools: ["run_bash"],
      needs: "a path inside the project",
      steps: ownPermissions,
    },
  ],
  askConfidence: 0.8,
  questions: (values) => {
    const what = namedOr(values.path, "what was refused");
    return [
      `May the agent have access to ${what}, and will you change its permissions or run ${commandOf(values)} yourself (with sudo if it must be)?`,
      `If not: where else may the result be written instead of ${what}?`,
    ];
  },
};

/** The source document's two folders, but only files that this user owns; free space is shown first. */
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
    toolStep(
      "write_file",
      `Write ${named(file)} again with shortened or compressed content`,
      { file },
      `${named(file)} is written whole`,
    ),
  ];
}

export const diskFull: Chain = {
  rows: [
    { name: "clean_up_temp_files", confidence: 0.6, tools: ["run_bash"], steps: cleanUp },
    {
      name: "write_smaller_file",
      confidence: 0.5,
      tools: ["write_file"],
      needs: "the path of the file",
      steps: smallerFile,
    },
  ],
  askConfidence: 0.9,
  questions: (values) => {
    const where = namedOr(values.path, commandOf(values));
    return [
      `Can you free space on the disk of ${where}, or give it more?`,
      `If not: which files may be deleted, or where else may ${where} write?`,
    ];
  },
};
