/**
 * U14: anything that decides for a person, or changes a run's course, refuses to work inside an attempt of the same
 * home. Invariants: one read of the process table; attempts of other homes do not count; it stops accidents and
 * shortcuts, not a hostile program of the same user (docs/processes.md).
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ancestors } from "../agents/process/attempt-members.ts";
import { seenIn, relationToAttempts } from "../agents/process/process-memory.ts";
import { readUnmarked } from "../agents/process/process-table.ts";
import { attemptMarkOf } from "../agents/process/proc-files.ts";
import { openHome, type Home } from "./home.ts";
import { ProblemError } from "./operation.ts";
import { userConfig, userConfigFile } from "./user-config.ts";

/** In a run's folder: what its owner recorded of the processes below it. */
export const PROCESSES_FILE = "processes.json";

interface GateOptions {
  /** For operations that only continue what was decided before, like a service after a reboot. */
  readonly orphans?: "allowed";
  /** The process that asks, if it is not this one. */
  readonly pid?: number;
}

let isStartedByPerson = false;

/** For long-running operations: once known to be started by a person, the process may lose its terminal. */
export function refuseServingInsideAttempt(what = "serve", options: GateOptions = {}): void {
  refuseInsideAttempt(what, options);
  isStartedByPerson = true;
}

export function refuseInsideAttempt(what: string, options: GateOptions = {}): void {
  const { pid = process.pid } = options;
  const orphans = isStartedByPerson ? "allowed" : options.orphans;
  const home = openHome();
  const rows = readUnmarked();
  const seen = readdirSync(home.runs).flatMap((run) =>
    seenIn(join(home.runDir(run), PROCESSES_FILE)),
  );
  const standing = relationToAttempts(rows, seen, pid);
  if (standing === "below" || isMarked(home, [...ancestors(rows, pid)]))
    throw new ProblemError(
      "not-allowed",
      `${what} refuses to run inside an attempt: an agent may not decide for its person`,
    );
  if (standing === "orphan" && orphans === undefined && userConfig().answers !== "unattended")
    throw new ProblemError(
      "not-allowed",
      `${what} refuses to run without a terminal or a living parent while an attempt is under way; ` +
        `if this is a service or job of your own, write "answers: unattended" to ${userConfigFile()}`,
    );
}

function isMarked(home: Home, pids: readonly number[]): boolean {
  const marks = [process.env["UNSTUCK_ATTEMPT"], ...pids.map(attemptMarkOf)];
  return marks.some((mark = "") => mark !== "" && !isForeign(home, mark));
}

const RUN_ID = /^\d{8}-\d{4}-[0-9a-f]{6}$/;

/** A run id unknown to this home belongs to another home; any other mark counts as ours. */
function isForeign(home: Home, mark: string): boolean {
  const [run = ""] = mark.split("/");
  return RUN_ID.test(run) && !existsSync(home.runDir(run));
}
