/**
 * Starts a new run: opens its workspace, keeps what it carries, and says what is pinned. Imports workspace and home. Nothing of an
 * agent, and no check, runs here.
 */
import type { RunPlan } from "../core/plan/run-plan.ts";
import { tameLine } from "../core/foreign-text.ts";
import { IDENTITY } from "../workspace/git.ts";
import { keepCarried, type Carried } from "../workspace/carried.ts";
import { snapshot } from "../workspace/snapshot.ts";
import { checkoutWorktree } from "../workspace/view.ts";
import { openRun } from "../workspace/run.ts";
import type { Result } from "../workspace/types.ts";
import { crashPoint } from "./crash-point.ts";
import type { Home } from "./home.ts";
import { UsageError } from "./io.ts";
import type { Pinned } from "./pinned.ts";

export interface StartOptions {
  readonly home: Home;
  readonly run: string;
  readonly repository: string;
  readonly plan: RunPlan;
  readonly withChanges: boolean;
  readonly inPlace: boolean;
  readonly tell: (words: string) => void;
}

const NOBODY = `${IDENTITY.name} <${IDENTITY.email}>`;

/** The checkout as it was before a run in place touched it. */
export const START_SNAPSHOT = "start";

export async function startRun(options: StartOptions): Promise<Pinned> {
  const { home, run, repository, plan, withChanges, inPlace, tell } = options;
  const workspace = `${home.runDir(run)}/workspace`;
  const base = withChanges || inPlace ? "with-changes" : "head";
  const opened = valueOf(
    run,
    await openRun(
      { id: run, repository, runDir: workspace, base, inPlace, at: Date.now() },
      { onPoint: crashPoint },
    ),
  );
  if (opened.identity === undefined && !inPlace)
    tell(`note: git knows no user.name and user.email here: commits will be by ${NOBODY}`);
  if (plan.carry.length > 0) {
    const kept = valueOf(run, await keepCarried(opened, plan.carry, { onPoint: crashPoint }));
    for (const words of carriedWords(kept)) tell(words);
  }
  if (inPlace)
    valueOf(
      run,
      await snapshot(opened, checkoutWorktree(opened), {
        label: START_SNAPSHOT,
        at: Date.now(),
        start: true,
      }),
    );
  return { plan, workspace, ...(inPlace ? { inPlace } : {}) };
}

/** What of it a person should know. */
function carriedWords({ left, repointed }: Carried): readonly string[] {
  const names = (some: readonly string[]): string =>
    tameLine(some.slice(0, 5).join(", ") + (some.length > 5 ? ", …" : ""), 400);
  return [
    ...(left.length === 0
      ? []
      : [`not carried (not there, tracked or unreadable): ${names(left)}`]),
    ...(repointed.length === 0
      ? []
      : [`carried files that name this checkout name the working tree there: ${names(repointed)}`]),
  ];
}

function valueOf<T>(run: string, result: Result<T>): T {
  if (result.ok) return result.value;
  const files =
    result.refusal.files === undefined ? "" : ` (${result.refusal.files.slice(0, 10).join(", ")})`;
  throw new UsageError(`run ${run}: ${result.refusal.detail}${files}`);
}
