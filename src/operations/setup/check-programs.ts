/**
 * Whether the program of a check exists, determined without running anything. Invariants: only certainty counts: the
 * first command of the check, and nothing that a set-up, an earlier check or the agent may still create.
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, delimiter, join, resolve } from "node:path";
import { cleanLine } from "../../core/foreign-text.ts";
import type { RunPlan } from "../../core/plan/run-plan.ts";
import { shellCommands } from "../../core/shell/commands.ts";
import { programOf, UNKNOWN } from "../../core/shell/variables.ts";
import { nearestName } from "../../core/validate/nearest-name.ts";
import { programOn } from "./found-agents.ts";

export interface CheckSurroundings {
  readonly root: string;
  /** The search path. */
  readonly path: string;
  readonly plan: Pick<RunPlan, "setup" | "carry" | "subtasks">;
}

/** Words that the shell itself executes, or that only a shell can follow. */
const OF_SHELL: ReadonlySet<string> = new Set(
  (
    ". : [ [[ alias break case command continue eval exec exit export false for function getopts hash if kill " +
    "let local printf echo pwd read readonly return select shift source test time times trap true type ulimit " +
    "umask unset until wait while { ( !"
  ).split(" "),
);
/** Commands that do not affect which program comes after them. */
const PASSED_OVER: ReadonlySet<string> = new Set(["cd", "set", "pushd"]);

/** Why the check cannot run; undefined if it might. `index`: its position among the checks of its subtask. */
export function missingProgram(
  command: string,
  index: number,
  surroundings: CheckSurroundings,
): string | undefined {
  const first = firstProgram(command);
  if (first === undefined || isToldOf(first.program, surroundings.plan)) return undefined;
  const { program, folder } = first;
  const shown = cleanLine(program.includes("/") ? join(folder, program) : program, 100);
  if (!program.includes("/")) {
    if (programOn(surroundings.path, program) !== undefined) return undefined;
    if (mayInstall(surroundings.plan.setup)) return undefined;
    const near = nearestProgram(surroundings.path, program);
    return `${shown} is not on your PATH${near === undefined ? "" : ` (did you mean ${near}?)`}`;
  }
  const { setup, carry } = surroundings.plan;
  if (index > 0 || setup.length > 0 || carry.length > 0) return undefined;
  const file = resolve(surroundings.root, folder, program);
  if (!existsSync(file)) return `there is no file ${shown} in this repository`;
  const stats = statSync(file);
  if (stats.isDirectory()) return `${shown} is a folder`;
  return (stats.mode & 0o111) === 0 ? `${shown} is not executable (chmod +x ${shown})` : undefined;
}

function firstProgram(
  command: string,
): { readonly program: string; readonly folder: string } | undefined {
  const moved = (folder: string, target: string): string => join(folder, target);
  for (const { words, folder } of shellCommands(command, { moved })) {
    if (OF_SHELL.has(words[0] ?? "")) return undefined;
    const { assigned, words: rest } = programOf(words);
    const [program = ""] = rest;
    if (PASSED_OVER.has(program)) continue;
    const isUnsure = [program, folder].some((text) => text.includes(UNKNOWN) || /[*?~]/.test(text));
    if (program === "" || isUnsure || assigned.some(([name]) => name === "PATH")) return undefined;
    return OF_SHELL.has(program) ? undefined : { program, folder };
  }
  return undefined;
}

/** The agent may be about to create it: some prompt mentions it. */
function isToldOf(program: string, { subtasks }: CheckSurroundings["plan"]): boolean {
  const name = basename(program).toLowerCase();
  return Object.values(subtasks).some(({ prompt }) => prompt.toLowerCase().includes(name));
}

const NODE_INSTALL = /^(?:cd [^&|;]{1,200} && )?(?:npm|pnpm|yarn|bun)(?! .*(?:-g\b|--global|link))/;

/** Installing a project's Node packages puts nothing on the search path; other installers may. */
const mayInstall = (setup: readonly string[]): boolean =>
  setup.some((command) => !NODE_INSTALL.test(command));

const NAMES_MAX = 500;

/** Among the programs with a name of about the same length. */
function nearestProgram(path: string, name: string): string | undefined {
  const names = path
    .split(delimiter)
    .flatMap(namesIn)
    .filter((one) => Math.abs(one.length - name.length) <= 1 && one[0] === name[0]);
  return nearestName(name, [...new Set(names)].slice(0, NAMES_MAX));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
