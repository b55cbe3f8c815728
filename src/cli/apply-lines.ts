/**
 * What `apply` and `undo` say: what this call really changed, where, and how to go back. Names of files and
 * branches are foreign and tamed.
 */
import { tame, tameLine } from "../core/foreign-text.ts";
import type { Applied } from "../workspace/result/apply.ts";
import type { LineStat } from "../workspace/git/diff.ts";
import type { Run } from "../workspace/base/run-folder.ts";
import type { Undone } from "../workspace/result/undo.ts";

const FILES_NAMED = 50;

export function appliedLines(run: string, applied: Applied, dryRun: boolean): readonly string[] {
  const { outcome, stat, rescue, takenBack } = applied;
  const place = placeOf(applied);
  if (outcome === "nothing") return [`run ${run} changed no files: there is nothing to apply`];
  if (outcome === "there")
    return [
      applied.committed
        ? `everything of run ${run} is already in ${place}`
        : `everything of run ${run} is already in the checkout of ${place}, not committed`,
    ];
  const done = stat.files.length === 0 ? "the files were there already" : countsOf(stat);
  return [
    `${dryRun ? "would apply" : "applied"} run ${run} to ${place}: ${done}`,
    ...namesOf(stat),
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
  ];
}

export const undoneLines = (run: string, undone: Undone): readonly string[] => [
  `took the apply to ${placeOf(undone)} back: ${countsOf(undone.stat)}`,
  ...namesOf(undone.stat),
  `the files as they were before that: unstuck undo ${run} --to ${undone.rescue}`,
];

export const restoredLine = (run: Run, snapshot: string, rescue: string): string =>
  `the files of ${tameLine(run.root, 300)} are at ${tameLine(snapshot, 200)}; ` +
  `what they were is kept: unstuck undo ${run.id} --to ${rescue}`;

const placeOf = ({ branch, repository }: Pick<Applied, "branch" | "repository">): string =>
  `${tameLine(branch ?? "a detached HEAD", 200)} in ${tameLine(repository, 300)}`;

const countsOf = ({ files, added, removed }: LineStat): string =>
  `${files.length} ${files.length === 1 ? "file" : "files"}, +${added} -${removed}`;

const namesOf = ({ files }: LineStat): readonly string[] => [
  ...files.slice(0, FILES_NAMED).map((file) => `  ${tame(file, { maxChars: 200 })}`),
  ...(files.length > FILES_NAMED ? [`  and ${files.length - FILES_NAMED} more`] : []),
];

const shortList = (files: readonly string[]): string =>
  files
    .slice(0, 5)
    .map((file) => tameLine(file, 100))
    .join(", ") + (files.length > 5 ? ", …" : "");
