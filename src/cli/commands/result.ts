/**
 * `unstuck diff`, `apply`, `undo`: looking at a run's result, taking it over, taking that back. Nothing is
 * overwritten without a snapshot.
 */
import { Command } from "commander";
import { tame, tameLine } from "../../core/foreign-text.ts";
import { vectorItems } from "../../core/persistent-vector.ts";
import { needsConsent, noteWords } from "../../core/run/note.ts";
import type { Note } from "../../core/run/note.ts";
import { apply } from "../../workspace/result/apply.ts";
import { diffText } from "../../workspace/git/diff.ts";
import { goodCommit } from "../../workspace/result/good-commit.ts";
import { resultTip } from "../../workspace/git/merge.ts";
import { restore } from "../../workspace/trees/restore.ts";
import type { Run } from "../../workspace/base/run-folder.ts";
import { checkoutWorktree } from "../../workspace/git/worktree.ts";
import { hasApplied, undoApply } from "../../workspace/result/undo.ts";
import { readSnapshot } from "../../workspace/snapshots/snapshot.ts";
import { refuseBelowAttempt } from "../answer-gate.ts";
import { appliedLines, restoredLine, undoneLines } from "../apply-lines.ts";
import { crashPoint } from "../crash-point.ts";
import { tell, write, writeJson } from "../io.ts";
import { pinnedOf } from "../pinned.ts";
import { START_SNAPSHOT } from "../start-run.ts";
import { EXIT } from "../exit-codes.ts";
import { aboutRun, accepted, workspaceOf } from "../run-command.ts";
import type { About } from "../run-command.ts";
import { recordedState } from "../run-state.ts";
import { canAsk, isAgreed } from "../yes-no.ts";

export function diff(): Command {
  return new Command("diff")
    .summary("what a run changed")
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .option("--attempt <subtask/n>", "what one attempt changed, instead of the result")
    .option("--json", "as JSON")
    .action(async (asked: string | undefined, flags: { attempt?: string; json?: boolean }) => {
      await aboutRun(asked, async (about) => {
        const run = await workspaceOf(about);
        const range =
          flags.attempt === undefined
            ? { from: run.base, to: await resultTip(run) }
            : {
                from: accepted(run.id, await readSnapshot(run, `${flags.attempt}/before`)).tree,
                to: accepted(run.id, await readSnapshot(run, `${flags.attempt}/after`)).tree,
              };
        const { text, cut } = accepted(run.id, await diffText(run, range));
        if (flags.json === true)
          writeJson({ run: run.id, repository: run.root, ...range, text, cut });
        else if (text !== "") write(tame(text, { maxChars: 1_000_000 }).trimEnd());
      });
    });
}

export function applyCommand(): Command {
  return new Command("apply")
    .summary("take a run's result over into this checkout")
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .option("--attempt <subtask/n>", "what one attempt came to, instead of the result")
    .option("--squash", "leave the changes staged, without commits")
    .option("--again", "also what later commits took back")
    .option("--dry-run", "only say what would change")
    .option("--accept-tests", "also a result that passes with its own tests only")
    .option("--json", "as JSON")
    .action(
      async (
        asked: string | undefined,
        flags: {
          attempt?: string;
          squash?: boolean;
          again?: boolean;
          dryRun?: boolean;
          acceptTests?: boolean;
          json?: boolean;
        },
      ) => {
        refuseBelowAttempt("apply");
        await aboutRun(asked, async (about) => {
          const run = await workspaceOf(about);
          const { attempt } = flags;
          const notes = attempt === undefined ? await notesOf(about) : [];
          const isAsked = flags.dryRun !== true && flags.acceptTests !== true;
          if (isAsked && !(await isAccepted(notes))) {
            process.exitCode = EXIT.needsPerson;
            return;
          }
          const { squash = false, again = false, dryRun = false } = flags;
          const commit = attempt === undefined ? undefined : await salvaged(run, attempt);
          const plan = {
            ...{ at: Date.now(), squash, again, dryRun },
            ...(commit === undefined ? {} : { attempt: { name: attempt ?? "", commit } }),
          };
          const applied = accepted(run.id, await apply(run, plan, { onPoint: crashPoint }));
          const { stat, ...rest } = applied;
          if (flags.json === true)
            return writeJson({ run: run.id, ...rest, files: stat.files, stat, dryRun, notes });
          for (const line of appliedLines(run.id, applied, dryRun)) write(line);
          if (applied.outcome !== "there")
            for (const { subtask, words } of notes)
              write(`note: ${tameLine(subtask, 60)} ${words}`);
        });
      },
    );
}

type SaidNote = Note & { readonly subtask: string; readonly words: string };

async function notesOf({ journal, row }: About): Promise<readonly SaidNote[]> {
  const { plan, subtasks } = await recordedState(journal, row.id);
  return vectorItems(subtasks).flatMap(({ notes }, index) =>
    notes.map((note) => ({
      ...note,
      subtask: plan.subtasks[index]?.id ?? "",
      words: noteWords(note),
    })),
  );
}

/** A result that only its own tests verify is taken over by a person's word, not by default (U13). */
async function isAccepted(notes: readonly SaidNote[]): Promise<boolean> {
  const doubtful = notes.filter(needsConsent);
  if (doubtful.length === 0) return true;
  for (const { subtask, words } of doubtful) tell(`${tameLine(subtask, 60)} ${words}`);
  if (canAsk()) return isAgreed("Apply it all the same?");
  tell("not applied: look at unstuck diff, then give --accept-tests");
  return false;
}

/** What an attempt left, as a commit on the base: what it has beyond the base is what is taken over. */
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

export function undo(): Command {
  return new Command("undo")
    .summary("take an apply, or a run in place, back; or bring any snapshot into this checkout")
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .option("--to <snapshot>", "a snapshot, such as goal/2/before or goal/2/after")
    .option("--attempt <subtask/n>", "take back an apply of that attempt")
    .option("--json", "as JSON")
    .action(
      async (
        asked: string | undefined,
        flags: { to?: string; attempt?: string; json?: boolean },
      ) => {
        refuseBelowAttempt("undo");
        await aboutRun(asked, async (about) => {
          const run = await workspaceOf(about);
          const { inPlace = false } = await pinnedOf(about.journal, about.row.id);
          const at = Date.now();
          const { attempt } = flags;
          const control = { onPoint: crashPoint };
          const starts = inPlace && !(await hasApplied(run));
          const snapshot = flags.to ?? (starts ? START_SNAPSHOT : undefined);
          if (snapshot !== undefined) {
            const plan = { id: `undo-${at}`, at, snapshot };
            const worktree = checkoutWorktree(run);
            const restored = accepted(run.id, await restore(run, worktree, plan, control));
            const rescue = restored.rescue.label;
            if (flags.json === true) writeJson({ run: run.id, repository: run.root, rescue });
            else write(restoredLine(run, snapshot, rescue));
            return;
          }
          const plan = { at, ...(attempt === undefined ? {} : { attempt }) };
          const undone = accepted(run.id, await undoApply(run, plan, control));
          const { stat, ...rest } = undone;
          if (flags.json === true) writeJson({ run: run.id, ...rest, files: stat.files, stat });
          else for (const line of undoneLines(run.id, undone)) write(line);
        });
      },
    );
}
