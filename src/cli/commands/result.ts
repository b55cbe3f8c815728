/**
 * `unstuck diff`, `apply`, `undo`: looking at a run's result, taking it over, taking that back. Says what the call
 * really changed, where, and how to go back. Names of files and branches are foreign and tamed.
 */
import { Command } from "commander";
import type { InputOf, OutputOf } from "../../operations/operation.ts";
import { applyRun, diffRun, undoRun } from "../../operations/runs/result.ts";
import { count, tame, tameLine } from "../../operations/text.ts";
import { EXIT } from "../exit-codes.ts";
import { perform, tell, valueOf, write, writeJson } from "../io.ts";
import { canAsk, isAgreed } from "../typed-answers.ts";

export function diff(): Command {
  return new Command("diff")
    .summary("what a run changed")
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .option("--attempt <subtask/n>", "what one attempt changed, instead of the result")
    .option("--json", "as JSON")
    .action(
      async (run: string | undefined, { attempt, json }: { attempt?: string; json?: boolean }) => {
        const changed = await perform(diffRun, { run, attempt });
        const { text } = changed;
        if (json === true) writeJson(changed);
        else if (text !== "") write(tame(text, { maxChars: 1_000_000 }).trimEnd());
      },
    );
}

interface ApplyFlags {
  readonly attempt?: string;
  readonly squash?: boolean;
  readonly again?: boolean;
  readonly dryRun?: boolean;
  readonly acceptTests?: boolean;
  readonly json?: boolean;
}

export function apply(): Command {
  return new Command("apply")
    .summary("take a run's result over into this checkout")
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .option("--attempt <subtask/n>", "what one attempt came to, instead of the result")
    .option("--squash", "leave the changes staged, without commits")
    .option("--again", "also what later commits took back")
    .option("--dry-run", "only say what would change")
    .option("--accept-tests", "also a result that passes with its own tests only")
    .option("--json", "as JSON")
    .action(async (run: string | undefined, { json, ...flags }: ApplyFlags) => {
      const applied = await applyByConsent({ run, ...flags });
      if (applied === undefined) process.exitCode = EXIT.needsPerson;
      else if (json === true) writeJson(applied);
      else for (const line of appliedLines(applied)) write(line);
    });
}

type Applied = OutputOf<typeof applyRun>;

/** A result that only its own tests verify is taken over by a person's word (U13); nothing where it is not given. */
async function applyByConsent(asked: InputOf<typeof applyRun>): Promise<Applied | undefined> {
  const result = await applyRun.run({ cwd: process.cwd(), tell }, asked);
  if (result.ok || result.problem.code !== "needs-consent") return valueOf(result);
  const { message, next = "" } = result.problem;
  tell(message);
  if (!canAsk()) return void tell(next);
  const isGiven = await isAgreed("Apply it all the same?");
  return isGiven ? perform(applyRun, { ...asked, acceptTests: true }) : undefined;
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
        { json, ...flags }: { to?: string; attempt?: string; json?: boolean },
      ) => {
        const undone = await perform(undoRun, { run: asked, ...flags });
        const { run, repository, rescue } = undone;
        if (json === true) return writeJson(undone);
        if ("snapshot" in undone)
          return write(
            `the files of ${tameLine(repository, 300)} are at ${tameLine(undone.snapshot, 200)}; ` +
              `what they were is kept: unstuck undo ${run} --to ${rescue}`,
          );
        write(`took the apply to ${placeOf(undone)} back: ${countsOf(undone.stat)}`);
        for (const line of namesOf(undone.files)) write(line);
        write(`the files as they were before that: unstuck undo ${run} --to ${rescue}`);
      },
    );
}

function appliedLines(applied: Applied): readonly string[] {
  const { run, result, stat, rescue, takenBack, dryRun } = applied;
  const place = placeOf(applied);
  const notes = applied.notes.map(
    ({ subtask, words }) => `note: ${tameLine(subtask, 60)} ${words}`,
  );
  if (result === "nothing")
    return [`run ${run} changed no files: there is nothing to apply`, ...notes];
  if (result === "there")
    return [
      applied.committed
        ? `everything of run ${run} is already in ${place}`
        : `everything of run ${run} is already in the checkout of ${place}, not committed`,
    ];
  const done = stat.files.length === 0 ? "the files were there already" : countsOf(stat);
  return [
    `${dryRun ? "would apply" : "applied"} run ${run} to ${place}: ${done}`,
    ...namesOf(stat.files),
    ...(takenBack.length === 0
      ? []
      : [
          `note: later commits took its changes of ${takenBack.length} files back, which stay so ` +
            `(unstuck apply ${run} --again brings them): ${shortList(takenBack)}`,
        ]),
    ...(dryRun
      ? []
      : [
          `take it back with: unstuck undo ${run}`,
          `the files as they were before it: unstuck undo ${run} --to ${rescue}`,
        ]),
    ...notes,
  ];
}

const placeOf = ({ branch, repository }: Pick<Applied, "branch" | "repository">): string =>
  `${tameLine(branch ?? "a detached HEAD", 200)} in ${tameLine(repository, 300)}`;

const countsOf = ({ files, added, removed }: Applied["stat"]): string =>
  `${count(files.length, "file")}, +${added} -${removed}`;

const FILES_NAMED = 50;

const namesOf = (files: readonly string[]): readonly string[] => [
  ...files.slice(0, FILES_NAMED).map((file) => `  ${tame(file, { maxChars: 200 })}`),
  ...(files.length > FILES_NAMED ? [`  and ${files.length - FILES_NAMED} more`] : []),
];

const shortList = (files: readonly string[]): string =>
  files
    .slice(0, 5)
    .map((file) => tameLine(file, 100))
    .join(", ") + (files.length > 5 ? ", …" : "");
