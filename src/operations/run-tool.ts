/**
 * Runs a tool of the user's own, gh or git, as they would in this folder: with their environment, credentials and
 * hooks, without a shell. Invariants: time and output are limited; no standard input; an exit code is returned, never
 * thrown.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { cleanLine } from "../core/foreign-text.ts";
import { userEnvironment } from "./composition.ts";
import { defined } from "./operation.ts";

export interface ToolRun {
  /** Undefined if it was killed at the time limit. */
  readonly code?: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface ToolOptions {
  readonly cwd: string;
  readonly limitMs?: number;
  readonly signal?: AbortSignal | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

const LIMIT_MS = 120_000;
const OUTPUT_MAX_BYTES = 32 * 1024 * 1024;

/** What `execFile` rejects with: the exit code, or the system's error code. */
interface Failed {
  readonly code?: number | string | null;
  readonly stdout?: string;
  readonly stderr?: string;
}

/** Undefined if there is no such program. */
export async function runTool(
  program: string,
  args: readonly string[],
  { cwd, limitMs = LIMIT_MS, signal, env }: ToolOptions,
): Promise<ToolRun | undefined> {
  try {
    const running = promisify(execFile)(program, [...args], {
      ...{ cwd, timeout: limitMs, maxBuffer: OUTPUT_MAX_BYTES, ...defined({ signal }) },
      env: { ...userEnvironment(), ...env },
    });
    running.child.stdin?.end();
    return { code: 0, ...(await running) };
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as Failed;
    if (code === "ENOENT") return undefined;
    return { stdout, stderr, ...(typeof code === "number" ? { code } : {}) };
  }
}

/** gh without prompts and colours. */
export const runGh = (
  args: readonly string[],
  options: ToolOptions,
): Promise<ToolRun | undefined> =>
  runTool("gh", args, {
    ...options,
    env: { GH_PROMPT_DISABLED: "1", NO_COLOR: "1", GH_NO_UPDATE_NOTIFIER: "1", ...options.env },
  });

/** A tool's error message in one line: the last line that is not empty. */
export const toolWords = ({ stdout, stderr, code }: ToolRun): string => {
  const said = `${stdout}\n${stderr}`.trim().split("\n").at(-1) ?? "";
  return cleanLine(said, 300) || (code === undefined ? "it took too long" : `exit code ${code}`);
};
