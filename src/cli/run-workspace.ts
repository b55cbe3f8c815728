/**
 * The working trees of a run, from its pinned plan: environment, setup, what is watched in them. Imports the workspace and the
 * check runner. Part of the composition root.
 */
import { matchesGlob } from "node:path";
import { runCheck } from "../agents/checks/runner.ts";
import { judgingFiles } from "../core/checks/judging-files.ts";
import type { OpenTree } from "../runtime/ports-workspace.ts";
import { gitWorkspace } from "../workspace/port.ts";
import type { Run } from "../workspace/types.ts";
import { crashPoint } from "./crash-point.ts";
import type { Pinned } from "./pinned.ts";

const SETUP_LIMIT_MS = 30 * 60_000;

export function workspaceOf(run: string, opened: Run, pinned: Pinned, now: () => number) {
  const { setup, carry, protect, subtasks } = pinned.plan;
  const checks = Object.values(subtasks).flatMap((subtask) => subtask.checks);
  const judges = judgingFiles(checks.map((check) => check.run));
  return gitWorkspace({
    run: opened,
    carry,
    environment: userEnvironment(),
    now,
    setup: (tree) => runSetup(run, setup, tree),
    setupMark: JSON.stringify(setup),
    control: { onPoint: crashPoint },
    watch: (path) =>
      protect.some((glob) => matchesGlob(path, glob))
        ? "protected"
        : judges(path)
          ? "judge"
          : undefined,
    inPlace: pinned.inPlace === true,
  });
}

/** Set by a test runner that started us: a `node --test` that runs as a check would then pass whatever it finds. */
const LEFT_OUT = "NODE_TEST_CONTEXT";

/** The user's environment, for agents, checks and setup. */
export function userEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[0] !== LEFT_OUT,
    ),
  );
}

/** The plan's setup commands, in a new working tree; the first that fails is why it cannot be used. */
export async function runSetup(
  run: string,
  setup: readonly string[],
  tree: OpenTree,
): Promise<string | undefined> {
  for (const command of setup) {
    const place = { run, subtask: "setup", attemptId: `${run}/setup/1`, slot: 0 };
    const { outcome, stderr, stdout } = await runCheck({
      place,
      command,
      cwd: tree.cwd,
      env: tree.env,
      limitMs: SETUP_LIMIT_MS,
    });
    if (outcome.kind !== "passed")
      return `setup ${command} failed: ${(stderr || stdout).slice(-400)}`;
  }
  return undefined;
}
