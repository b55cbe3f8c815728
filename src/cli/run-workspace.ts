/**
 * The working trees of a run, from its pinned plan: environment, setup, what is watched in them. Part of the
 * composition root.
 */
import { matchesGlob } from "node:path";
import { runCheck } from "../agents/checks/runner.ts";
import type { Redaction } from "../core/redact/redaction.ts";
import type { OpenTree } from "../runtime/ports-workspace.ts";
import { environmentFor } from "../workspace/carry/environment.ts";
import { matcherOf, readyMarks } from "../workspace/trees/setup-mark.ts";
import type { GitTrees, SetUpProblem } from "../workspace/port-context.ts";
import type { Run } from "../workspace/base/run-folder.ts";
import { crashPoint } from "./crash-point.ts";
import { SETUP_INPUTS } from "./found-setup.ts";
import type { Pinned } from "./pinned.ts";

const SETUP_LIMIT_MS = 30 * 60_000;

/** What build tools keep from one build to the next, as far as nobody has to be asked. */
const USUAL_CACHES: readonly string[] = [
  ...["target", ".gradle", ".next/cache", "node_modules/.cache", ".turbo", ".nx/cache"],
  ...[".parcel-cache", ".eslintcache", ".mypy_cache", ".ruff_cache", ".pytest_cache"],
  ...[".zig-cache", ".build", ".dart_tool", "_build", "dist-newstyle"],
];

/** The trees of a run as its plan wants them, for the ports on git. */
export function treesOf(
  run: string,
  opened: Run,
  { plan, inPlace }: Pinned,
  redaction: Redaction,
  { stop, ...surroundings }: Pick<GitTrees, "now" | "untilDead" | "tell"> & { stop: AbortSignal },
): GitTrees {
  const { setup, carry, protect, cache, setupInputs } = plan;
  const control = { onPoint: crashPoint };
  const inputs = setupInputs.length > 0 ? setupInputs : SETUP_INPUTS;
  const readyMark = readyMarks(opened, {
    ...{ setup, carried: JSON.stringify(carry), isInput: matcherOf(inputs) },
  });
  const isStandIn = async (commit: string): Promise<boolean> =>
    plan.setupWhenChanged === true && (await readyMark(commit)) === (await readyMark(opened.base));
  return {
    ...surroundings,
    run: opened,
    concurrency: plan.plan.concurrency,
    carry,
    caches: cache ?? USUAL_CACHES,
    environment: (path) =>
      path === opened.root
        ? userEnvironment()
        : environmentFor(opened.root, path, userEnvironment()).env,
    readyMark,
    setUp: async (tree, commit) =>
      (await isStandIn(commit)) ? undefined : runSetup(run, setup, tree, { redaction, stop }),
    installs: setup.length > 0,
    promptOf: (subtask) => redaction.text(plan.subtasks[subtask]?.prompt ?? ""),
    isProtected: (path) => protect.some((glob) => matchesGlob(path, glob)),
    inPlace: inPlace === true,
    control,
  };
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

/** The plan's set-up commands, in a new working tree; the first that fails is why it cannot be used. */
async function runSetup(
  run: string,
  setup: readonly string[],
  tree: OpenTree,
  how: { readonly redaction: Redaction; readonly stop: AbortSignal },
): Promise<SetUpProblem | undefined> {
  for (const command of setup) {
    const place = { run, subtask: "setup", attemptId: `${run}/setup/1`, slot: 0 };
    const ran = await runCheck({
      place,
      command,
      cwd: tree.cwd,
      env: { ...tree.env, CI: "1" },
      limitMs: SETUP_LIMIT_MS,
      ...how,
    });
    if (ran.outcome.kind !== "passed") return { command, run: ran };
  }
  return undefined;
}
