/** Opens the workspace of a new run: the base, a snapshot of the user's checkout, and the carried files. */
import { cleanLine } from "../../core/foreign-text.ts";
import { keepCarried } from "../../workspace/carry/carried.ts";
import type { Carried } from "../../workspace/carry/place-carried.ts";
import { IDENTITY } from "../../workspace/git/git.ts";
import type { Inspection } from "../../workspace/repository/inspect.ts";
import { openRun, type OpenPlan } from "../../workspace/repository/open-run.ts";
import { snapshot } from "../../workspace/snapshots/snapshot.ts";
import { checkoutWorktree } from "../../workspace/git/worktree.ts";
import { CRASH_POINTS } from "../crash-point.ts";
import type { Home } from "../home.ts";
import { accepted, workspaceFolder } from "./open-run.ts";
import { keepAskedStart, type AskedStart, type StartedWith } from "./started-with.ts";

const NOBODY = `${IDENTITY.name} <${IDENTITY.email}>`;

/** The checkout as it was before an in-place run changed it. */
export const START_SNAPSHOT = "start";

export const openPlan = (home: Home, run: string, asked: AskedStart): OpenPlan => ({
  ...{ id: run, repository: asked.repository, inPlace: asked.inPlace, at: Date.now() },
  runDir: workspaceFolder(home, run),
  base: asked.withChanges || asked.inPlace ? "with-changes" : "head",
});

/**
 * Opens a run's workspace and stores what it carries. No agent and no check runs here. `found`: the repository as just
 * inspected, with nothing in the way.
 */
export async function openWorkspace(
  home: Home,
  run: string,
  asked: AskedStart,
  tell: (words: string) => void,
  found?: Inspection,
): Promise<StartedWith> {
  const { plan, inPlace } = asked;
  keepAskedStart(home.runDir(run), asked);
  const opening = openPlan(home, run, asked);
  const opened = accepted(
    run,
    await openRun(found === undefined ? opening : { ...opening, found }, CRASH_POINTS),
  );
  if (opened.identity === undefined && !inPlace)
    tell(`note: git has no user.name and user.email here, so commits will be by ${NOBODY}`);
  if (plan.carry.length > 0) {
    const kept = accepted(run, await keepCarried(opened, plan.carry, CRASH_POINTS));
    for (const words of carriedNotes(kept)) tell(words);
  }
  if (inPlace) {
    const plan = { label: START_SNAPSHOT, at: Date.now(), start: true };
    accepted(run, await snapshot(opened, checkoutWorktree(opened), plan));
  }
  return { plan, workspace: opening.runDir, ...(inPlace ? { inPlace } : {}) };
}

function carriedNotes({ left, repointed }: Carried): readonly string[] {
  const names = (some: readonly string[]): string =>
    cleanLine(some.slice(0, 5).join(", ") + (some.length > 5 ? ", …" : ""), 400);
  return [
    ...(left.length === 0
      ? []
      : [`not carried over (missing, tracked or unreadable): ${names(left)}`]),
    ...(repointed.length === 0
      ? []
      : [
          `carried files that mention this checkout now point to the working tree: ${names(repointed)}`,
        ]),
  ];
}
