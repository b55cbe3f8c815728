/** Inspecting a run's result, applying it, and undoing that. Nothing is overwritten without a snapshot. */
import { cleanLine } from "../../core/foreign-text.ts";
import { vectorItems } from "../../core/persistent-collections.ts";
import { needsConsent, noteText } from "../../core/run/note.ts";
import { apply, hasApplied, undoApply } from "../../workspace/result/apply.ts";
import { diffText } from "../../workspace/git/read-objects.ts";
import { goodCommit } from "../../workspace/result/good-commit.ts";
import { signsCommits } from "../../workspace/repository/inspect.ts";
import { restore } from "../../workspace/trees/restore.ts";
import type { Run } from "../../workspace/base/run-folder.ts";
import { checkoutWorktree } from "../../workspace/git/worktree.ts";
import { CRASH_POINTS } from "../crash-point.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { defined, operation, ProblemError } from "../operation.ts";
import { diffRange } from "./diff-range.ts";
import { accepted, withRun, workspaceOf, type OpenRun } from "./open-run.ts";
import { recordedRun } from "./recorded.ts";
import { START_SNAPSHOT } from "./open-workspace.ts";
import { startedWith } from "./started-with.ts";

export const diffRun = operation({
  name: "diff",
  schemas: async () => (await import("./reading-schemas.ts")).diffRun,
  run: (context, { run: asked, ...which }) =>
    withRun(context, asked, async (open) => {
      const run = await workspaceOf(open);
      const range = await diffRange(open, run, which);
      const { text, cut } = accepted(run.id, await diffText(run, range));
      return { run: run.id, repository: run.root, ...range, text, cut };
    }),
});

export const applyRun = operation({
  name: "apply",
  schemas: async () => (await import("./schemas.ts")).applyRun,
  run: (context, input) => {
    refuseInsideAttempt("apply");
    return withRun(context, input.run, async (open) => {
      const run = await workspaceOf(open, "to-change");
      const { attempt, squash = false, again = false, dryRun = false } = input;
      const notes = attempt === undefined ? await notesOf(open) : [];
      if (!dryRun && input.acceptTests !== true) refuseDoubtful(run.id, notes);
      const commit = attempt === undefined ? undefined : await salvaged(run, attempt);
      const plan = {
        ...{ at: Date.now(), squash, again, dryRun },
        ...(commit === undefined ? {} : { attempt: { name: attempt ?? "", commit } }),
      };
      const applied = accepted(run.id, await apply(run, plan, CRASH_POINTS));
      const { outcome: result, stat, headBefore, ...rest } = applied;
      const isNew = result === "applied" && applied.committed && !dryRun;
      const sign = isNew ? await signingCommand(run.root, headBefore) : undefined;
      const changed = { run: run.id, result, ...rest, files: stat.files, stat };
      return { ...changed, dryRun, notes, ...defined({ sign }) };
    });
  },
});

async function notesOf({ journal, row }: OpenRun) {
  const { plan, subtasks } = (await recordedRun(journal, row.id)).state;
  return vectorItems(subtasks).flatMap(({ notes }, index) => {
    const subtask = plan.subtasks[index]?.id ?? "";
    return notes.map((note) => ({ ...note, subtask, words: noteText(note) }));
  });
}

/** A result verified only by its own tests is applied only with a person's consent (U13). */
function refuseDoubtful(run: string, notes: Awaited<ReturnType<typeof notesOf>>): void {
  const doubtful = notes.filter(needsConsent);
  if (doubtful.length === 0) return;
  throw new ProblemError(
    "needs-consent",
    doubtful.map(({ subtask, words }) => `${cleanLine(subtask, 60)} ${words}`).join("\n"),
    { run, next: "not applied: look at unstuck diff, then give --accept-tests" },
  );
}

/** An attempt's work as a commit on the base: what it has beyond the base is applied. */
async function salvaged(run: Run, attempt: string): Promise<string> {
  const plan = {
    subtask: `salvaged/${attempt}`,
    snapshot: `${attempt}/after`,
    parent: run.base,
    message: `${attempt}: as the attempt left it`,
    at: Date.now(),
  };
  return accepted(run.id, await goodCommit(run, plan)).commit;
}

export const undoRun = operation({
  name: "undo",
  schemas: async () => (await import("./schemas.ts")).undoRun,
  run: (context, { run: asked, to, attempt }) => {
    refuseInsideAttempt("undo");
    return withRun(context, asked, async (open) => {
      const run = await workspaceOf(open, "to-change");
      const { inPlace = false } = await startedWith(open.journal, open.row.id);
      const at = Date.now();
      const isRunInPlace = inPlace && !(await hasApplied(run));
      const snapshot = to ?? (isRunInPlace ? START_SNAPSHOT : undefined);
      if (snapshot !== undefined) {
        const plan = { id: `undo-${at}`, at, snapshot };
        const done = await restore(run, checkoutWorktree(run), plan, CRASH_POINTS);
        const { rescue } = accepted(run.id, done);
        return { run: run.id, repository: run.root, rescue: rescue.label, snapshot };
      }
      const plan = { at, ...defined({ attempt }) };
      const { stat, ...rest } = accepted(run.id, await undoApply(run, plan, CRASH_POINTS));
      return { run: run.id, ...rest, files: stat.files, stat };
    });
  },
});

/** The command that signs the commits after `before`; undefined if the user does not sign. */
async function signingCommand(root: string, before: string | null): Promise<string | undefined> {
  const from = before === null ? "--root" : before.slice(0, 12);
  return (await signsCommits(root))
    ? `git rebase --rebase-merges --force-rebase --gpg-sign ${from}`
    : undefined;
}
