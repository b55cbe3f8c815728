/** `unstuck clean`: removes ended runs wholly, and asks before anything is lost. */
import { Command } from "commander";
import type { OutputOf } from "../../operations/operation.ts";
import { cleanRuns } from "../../operations/runs/clean.ts";
import { count, tameLine } from "../../operations/text.ts";
import { perform, UsageError, write, writeJson } from "../io.ts";
import { canAsk, isAgreed } from "../typed-answers.ts";

interface Flags {
  readonly olderThan: string;
  readonly all?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

type Cleaned = OutputOf<typeof cleanRuns>;

export function command(): Command {
  return new Command("clean")
    .summary("remove ended runs wholly; asks for what is not applied")
    .description(
      "Removes runs of this repository with everything of theirs: folder, transcripts, refs, events, and their branch once it is " +
        "applied. What is in no branch of yours is asked for, or kept where nobody can be asked.",
    )
    .argument("[runs...]", "ids or parts of them, whatever their age; default: all that ended")
    .option("--older-than <days>", "only runs that ended longer ago", "7")
    .option("--all", "runs of all repositories")
    .option("--force", "also what is not applied, without asking")
    .option("--json", "as JSON")
    .action(async (runs: readonly string[], { olderThan, all, force, json }: Flags) => {
      const olderThanDays = Number(olderThan);
      if (!(olderThanDays >= 0))
        throw new UsageError(`--older-than: expected a number of days, got ${olderThan}`);
      const cleaned = await perform(cleanRuns, { runs, olderThanDays, all, force });
      if (json === true) return writeLines(cleaned);
      for (const run of cleaned.runs) tellRun(await afterConsent(run));
      const said = cleaned.runs.length + tellLeft(cleaned.left);
      if (said === 0) write("nothing to clean");
    });
}

function writeLines({ runs, left }: Cleaned): void {
  for (const { elsewhere: _, wouldLose: _2, ...run } of runs) writeJson(run);
  if (left === undefined) return;
  const { kept, ...counts } = left;
  for (const { id, why } of kept) writeJson({ run: id, removed: false, why });
  if (counts.folders + counts.pins + counts.pinsKept > 0) writeJson(counts);
}

type CleanedRun = Cleaned["runs"][number];

/** What only a person's word removes is asked for, where somebody can be asked. */
async function afterConsent(kept: CleanedRun): Promise<CleanedRun> {
  const { run, repository, wouldLose } = kept;
  if (wouldLose === undefined || !canAsk()) return kept;
  const question = `${run} of ${tameLine(repository, 200)}: ${wouldLose}.\nRemove it all the same?`;
  if (!(await isAgreed(question))) return kept;
  const { runs } = await perform(cleanRuns, { runs: [run], olderThanDays: 0, force: true });
  return runs[0] ?? kept;
}

function tellRun({ run, removed, repository, elsewhere, why }: CleanedRun): void {
  const place = elsewhere ? ` (${tameLine(repository, 200)})` : "";
  write(`${run}: ${removed ? "removed" : "kept"}${place}${why === undefined ? "" : `: ${why}`}`);
}

/** How many things there were to say. */
function tellLeft(left: Cleaned["left"]): number {
  if (left === undefined) return 0;
  const { folders, pins, pinsKept, kept } = left;
  for (const { id, why } of kept)
    write(
      `${tameLine(id, 60)}: kept: ${tameLine(why, 300)}; the journal has no such run: unstuck clean --force`,
    );
  if (folders > 0) write(`removed ${count(folders, "folder")} of runs that are gone`);
  if (pins > 0) write(`removed ${count(pins, "pin")} of runs that are gone`);
  if (pinsKept > 0)
    write(
      `kept ${count(pinsKept, "pin")} of commits that nothing else holds: unstuck clean --force`,
    );
  return folders + pins + pinsKept + kept.length;
}
