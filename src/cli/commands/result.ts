/**
 * `unstuck diff`, `apply`, `undo`: looking at a run's result, taking it over, taking that back.
 * Imports the workspace's operations. Nothing is overwritten without a snapshot.
 */
import { createInterface } from "node:readline/promises";
import { Command } from "commander";
import { tame, tameLine } from "../../core/foreign-text.ts";
import { vectorItems } from "../../core/persistent-vector.ts";
import { needsConsent, noteWords } from "../../core/run/note.ts";
import type { Note } from "../../core/run/note.ts";
import { apply } from "../../workspace/apply.ts";
import { diffText } from "../../workspace/diff.ts";
import { goodCommit } from "../../workspace/good-commit.ts";
import { resultTip } from "../../workspace/merge.ts";
import { restore } from "../../workspace/restore.ts";
import type { Run } from "../../workspace/types.ts";
import { checkoutWorktree } from "../../workspace/view.ts";
import { undoApply } from "../../workspace/undo.ts";
import { readSnapshot } from "../../workspace/snapshot.ts";
import { refuseBelowAttempt } from "../answer-gate.ts";
import { write, writeJson } from "../io.ts";
import { pinnedOf } from "../pinned.ts";
import { START_SNAPSHOT } from "../start-run.ts";
import { EXIT } from "../exit-codes.ts";
import { aboutRun, accepted, workspaceOf } from "../run-command.ts";
import type { About } from "../run-command.ts";
import { recordedState } from "../run-state.ts";

const APPLY_ID = "apply";

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
        if (flags.json === true) writeJson({ run: run.id, ...range, text, cut });
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
    .option("--dry-run", "only say what would change")
    .option("--accept-tests", "also a result that passes with its own tests only")
    .option("--json", "as JSON")
    .action(
      async (
        asked: string | undefined,
        flags: {
          attempt?: string;
          squash?: boolean;
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
          const plan = {
            id: attempt === undefined ? APPLY_ID : `${APPLY_ID}/${attempt}`,
            at: Date.now(),
            ...(attempt === undefined ? {} : { commit: await salvaged(run, attempt) }),
            squash: flags.squash === true,
            dryRun: flags.dryRun === true,
          };
          const { files, stat, head } = accepted(run.id, await apply(run, plan));
          if (flags.json === true)
            return writeJson({ run: run.id, files, stat, head, dryRun: plan.dryRun, notes });
          const verb = plan.dryRun ? "would change" : "changed";
          write(`${verb} ${files.length} files, +${stat.added} -${stat.removed}`);
          for (const file of files.slice(0, 50)) write(`  ${tame(file, { maxChars: 200 })}`);
          for (const { subtask, words } of notes) write(`note: ${tameLine(subtask, 60)} ${words}`);
          if (!plan.dryRun) write(`take it back with: unstuck undo ${run.id}`);
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
  for (const { subtask, words } of doubtful)
    process.stderr.write(`${tameLine(subtask, 60)} ${words}\n`);
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    process.stderr.write("not applied: look at unstuck diff, then give --accept-tests\n");
    return false;
  }
  const reading = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const typed = await reading.question("Apply it all the same? [y/N] ");
    return /^y(?:es)?$/i.test(typed.trim());
  } finally {
    reading.close();
  }
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
          const id = `undo-${at}`;
          const snapshot = flags.to ?? (inPlace ? START_SNAPSHOT : undefined);
          const apply = flags.attempt === undefined ? APPLY_ID : `${APPLY_ID}/${flags.attempt}`;
          const { rescue } = accepted(
            run.id,
            snapshot === undefined
              ? await undoApply(run, { id, at, apply })
              : await restore(run, checkoutWorktree(run), { id, at, snapshot }),
          );
          if (flags.json === true) return writeJson({ run: run.id, rescue: rescue.label });
          const now = snapshot === undefined ? "as it was before the apply" : `at ${snapshot}`;
          write(
            `the checkout is ${tameLine(now, 200)}; what it was is kept: ` +
              `unstuck undo ${run.id} --to ${rescue.label}`,
          );
        });
      },
    );
}
