/**
 * Starts a new run: opens its workspace, keeps what it carries, and says what is pinned. Nothing of an agent, and
 * no check, runs here.
 */
import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { tameLine } from "../core/foreign-text.ts";
import { IDENTITY } from "../workspace/git/git.ts";
import { keepCarried, type Carried } from "../workspace/carry/carried.ts";
import { snapshot } from "../workspace/snapshots/snapshot.ts";
import { checkoutWorktree } from "../workspace/git/worktree.ts";
import { mayStart, openRun, type OpenPlan } from "../workspace/repository/open-run.ts";
import type { Inspection } from "../workspace/repository/inspect.ts";
import { crashPoint } from "./crash-point.ts";
import { keepStart } from "./start-file.ts";
import type { StartOptions } from "./start-file.ts";
import type { Pinned } from "./pinned.ts";
import { refused } from "./refused.ts";
import { workspaceFolder } from "./removal.ts";
import { accepted, refusalText } from "./run-command.ts";

const NOBODY = `${IDENTITY.name} <${IDENTITY.email}>`;

/** The checkout as it was before a run in place touched it. */
export const START_SNAPSHOT = "start";

/** Throws what is in the way of a start, before anything is made or written down. */
export async function refuseStart(options: StartOptions, found: Inspection): Promise<void> {
  const plan = openPlan(options);
  const runDir = join(realpathSync(options.home.root), relative(options.home.root, plan.runDir));
  const may = await mayStart(found, { ...plan, runDir });
  if (!may.ok) throw refused(may.refusal.kind, `cannot run here: ${refusalText(may.refusal)}`);
}

const openPlan = ({ home, run, repository, withChanges, inPlace }: StartOptions): OpenPlan => ({
  ...{ id: run, repository, runDir: workspaceFolder(home, run), inPlace, at: Date.now() },
  base: withChanges || inPlace ? "with-changes" : "head",
});

export async function startRun(options: StartOptions): Promise<Pinned> {
  const { run, plan, inPlace, tell } = options;
  keepStart(options);
  const opening = openPlan(options);
  const opened = accepted(run, await openRun(opening, { onPoint: crashPoint }));
  if (opened.identity === undefined && !inPlace)
    tell(`note: git knows no user.name and user.email here: commits will be by ${NOBODY}`);
  if (plan.carry.length > 0) {
    const kept = accepted(run, await keepCarried(opened, plan.carry, { onPoint: crashPoint }));
    for (const words of carriedWords(kept)) tell(words);
  }
  if (inPlace)
    accepted(
      run,
      await snapshot(opened, checkoutWorktree(opened), {
        label: START_SNAPSHOT,
        at: Date.now(),
        start: true,
      }),
    );
  return { plan, workspace: opening.runDir, ...(inPlace ? { inPlace } : {}) };
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
