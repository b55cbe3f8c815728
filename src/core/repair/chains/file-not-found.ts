/** Recovery chain of file_not_found (seeds/2, 5). */
import { commandOf, named, shellStep } from "../chain.ts";
import type { Chain, RepairFacts, StepDraft } from "../chain.ts";
import { withinSandbox } from "../sandbox-path.ts";
import { operand, sh } from "../shell-script.ts";

function split(path: string): { readonly folder: string; readonly name: string } {
  const cut = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return { folder: cut < 0 ? "." : path.slice(0, cut) || "/", name: path.slice(cut + 1) };
}

/** A literal name for `find -iname`. */
const literal = (name: string): string => name.replace(/[\\*?[\]]/g, "\\$&");

function verifyPath({ values: { path } }: RepairFacts): readonly StepDraft[] {
  const { folder, name } = split(path ?? "");
  const list: StepDraft = {
    action: `List ${named(folder)}, where the file should be`,
    tool: "read_dir",
    args: { dir: folder },
    expectedOutcome: "The listing shows whether the file is there under another name",
  };
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

/** What an empty file of this type holds. Source code and lock files have no sensible default. */
const DEFAULT_CONTENT: Readonly<Record<string, string>> = {
  json: "{}\n",
  yaml: "",
  yml: "",
  toml: "",
  ini: "",
  cfg: "",
  conf: "",
  txt: "",
  md: "",
  csv: "",
  log: "",
};
const HAS_AN_AUTHOR =
  /^(?:package(?:-lock)?|tsconfig|composer|pnpm-lock|Cargo|pyproject|Pipfile)\./i;

/**
 * Caution of the source, "only if creation is appropriate": a data file inside the sandbox that has
 * a default.
 */
function createFile({ values: { path }, sandboxRoot }: RepairFacts): readonly StepDraft[] {
  const file = path === undefined ? undefined : withinSandbox(sandboxRoot, path);
  if (file === undefined) return [];
  const { name } = split(file);
  const type = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  if (!Object.hasOwn(DEFAULT_CONTENT, type) || name === type || HAS_AN_AUTHOR.test(name)) return [];
  return [
    {
      action: `Create ${named(file)} with default content, if the task is meant to have this file`,
      tool: "write_file",
      args: { file, content: DEFAULT_CONTENT[type] ?? "" },
      expectedOutcome: `${named(file)} exists`,
    },
  ];
}

export const fileNotFound: Chain = {
  rows: [
    {
      name: "verify_path",
      priority: 1,
      confidence: 0.9,
      tools: ["read_dir", "run_bash"],
      steps: verifyPath,
    },
    {
      name: "create_missing_file",
      priority: 2,
      confidence: 0.6,
      tools: ["write_file"],
      steps: createFile,
    },
  ],
  ask: { priority: 3, confidence: 0.8 },
  questions: (values) => {
    const file =
      values.path === undefined ? `the file that ${commandOf(values)} needs` : named(values.path);
    return [
      `What is the right path of ${file}?`,
      `Should ${file} exist already, or is it to be created?`,
    ];
  },
};
