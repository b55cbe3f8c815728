/**
 * A repository with a run that has ended, for tests of what comes after: `apply`, `undo`. Imports the runs' fixtures. The run is
 * real, with a scripted agent; what is asked afterwards is asked of the built command.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedAttempt } from "../../../src/testing/scripted-agent.ts";
import { repository, type Repository } from "../run/repository.ts";

export interface FinishedRun {
  readonly here: Repository;
  readonly run: string;
  readonly read: (path: string) => string;
  readonly write: (path: string, text: string) => void;
  readonly status: () => string;
  /** A command that has to succeed; what it said. */
  readonly done: (...args: string[]) => string;
}

export const GOAL = "# Make the value 2. Then say so!";

export function finishedRun(
  files: Readonly<Record<string, string>>,
  attempt: ScriptedAttempt,
  options: {
    readonly flags?: readonly string[];
    readonly before?: (here: Repository) => void;
  } = {},
): FinishedRun {
  const here = repository(files);
  options.before?.(here);
  const agent = here.agent({ goal: [{ print: "done", ...attempt }] });
  const words = ["run", "--goal", GOAL, "--check", "true", "--no-grounding", "--agent", agent];
  const ran = here.unstuck(...words, ...(options.flags ?? []));
  if (ran.code !== 0) throw new Error(ran.out + ran.err);
  const [run = ""] = here.runs();
  const at = (path: string): string => join(here.path, path);
  return {
    here,
    run,
    read: (path) => readFileSync(at(path), "utf8"),
    write: (path, text) => writeFileSync(at(path), text),
    status: () => here.git("status", "--porcelain"),
    done(...args) {
      const { code, out, err } = here.unstuck(...args);
      if (code !== 0) throw new Error(`${args.join(" ")}: exit ${code}: ${out}${err}`);
      return out;
    },
  };
}
