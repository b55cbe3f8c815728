/**
 * `unstuck diff`, `apply`, `undo`, `clean`: inspecting a run's result, applying it, reverting that, and removing runs.
 * Says what it changed, where, and how to go back; asks before anything is lost. Foreign names are sanitized.
 */
import { Command } from "commander";
import type { InputOf, OutputOf } from "../../operations/operation.ts";
import type { cleanRuns } from "../../operations/runs/clean.ts";
import type { applyRun, diffRun, undoRun } from "../../operations/runs/result.ts";
import { count, cleanText, cleanLine } from "../../operations/text.ts";
import { commandOnRun, EXIT, perform, tell, valueOf, write, writeJson, type Flags } from "../io.ts";
import { UsageError } from "../read-input.ts";
import { canAsk, isAgreed } from "../typed-answers.ts";

/** Not loaded for `clean`, which needs only half of the modules. */
const results = () => import("../../operations/runs/result.ts");

export function diff(): Command {
  return commandOnRun("diff")
    .option("--attempt <subtask/n>", "what one attempt changed, instead of the result")
    .option(
      "--against <what>",
      "compare the attempt with: start (default), good (the last good commit), base, or subtask/n",
    )
    .option("--json", "as JSON")
    .action(async (run: string | undefined, { json, ...flags }: Flags<DiffInput>) => {
      const changed = await perform((await results()).diffRun, { ...flags, run });
      const { text } = changed;
      if (json === true) writeJson(changed);
      else if (text !== "") write(cleanText(text, { maxChars: 1_000_000 }).trimEnd());
    });
}

export function apply(): Command {
  return commandOnRun("apply")
    .option("--attempt <subtask/n>", "what one attempt produced, instead of the result")
    .option("--squash", "leave the changes staged, without committing")
    .option("--again", "also changes that later commits reverted")
    .option("--dry-run", "only show what would change")
    .option("--accept-tests", "also a result that passes with its own tests only")
    .option("--json", "as JSON")
    .action(async (run: string | undefined, { json, ...flags }: Flags<ApplyInput>) => {
      const applied = await applyByConsent({ ...flags, run });
      if (applied === undefined) process.exitCode = EXIT.needsPerson;
      else if (json === true) writeJson(applied);
      else for (const line of appliedLines(applied)) write(line);
    });
}

type DiffInput = InputOf<typeof diffRun>;
type ApplyInput = InputOf<typeof applyRun>;
type Applied = OutputOf<typeof applyRun>;

/** A result verified only by its own tests is applied only with a person's consent (U13); undefined without it. */
async function applyByConsent(asked: ApplyInput): Promise<Applied | undefined> {
  const { applyRun } = await results();
  const result = await applyRun.run({ cwd: process.cwd(), tell }, asked);
  if (result.ok || result.problem.code !== "needs-consent") return valueOf(result);
  const { message, next = "" } = result.problem;
  tell(message);
  if (!canAsk()) return void tell(next);
  const isGiven = await isAgreed("Apply it anyway?");
  return isGiven ? perform(applyRun, { ...asked, acceptTests: true }) : undefined;
}

type UndoInput = InputOf<typeof undoRun>;

export function undo(): Command {
  return commandOnRun("undo")
    .option("--to <snapshot>", "a snapshot, such as goal/2/before or goal/2/after")
    .option("--attempt <subtask/n>", "undo an apply of that attempt")
    .option("--json", "as JSON")
    .action(async (asked: string | undefined, { json, ...flags }: Flags<UndoInput>) => {
      const undone = await perform((await results()).undoRun, { ...flags, run: asked });
      const { run, repository, rescue } = undone;
      if (json === true) return writeJson(undone);
      if ("snapshot" in undone)
        return write(
          `the files of ${cleanLine(repository, 300)} are at ${cleanLine(undone.snapshot, 200)}; ` +
            `what they were is kept: unstuck undo ${run} --to ${rescue}`,
        );
      write(`undid the apply on ${placeOf(undone)}: ${countsOf(undone.stat)}`);
      for (const line of namesOf(undone.files)) write(line);
      write(`to get back what was there: unstuck undo ${run} --to ${rescue}`);
    });
}

function appliedLines(applied: Applied): readonly string[] {
  const { run, result, stat, rescue, takenBack, dryRun } = applied;
  const place = placeOf(applied);
  const notes = applied.notes.map(
    ({ subtask, words }) => `note: ${cleanLine(subtask, 60)} ${words}`,
  );
  if (result === "nothing")
    return [`run ${run} changed no files: there is nothing to apply`, ...notes];
  if (result === "there")
    return [
      applied.committed
        ? `${place} already has everything from run ${run}`
        : `the checkout of ${place} already has everything from run ${run}, uncommitted`,
    ];
  const done = stat.files.length === 0 ? "the files were already there" : countsOf(stat);
  return [
    `${dryRun ? "would apply" : "applied"} run ${run} to ${place}: ${done}`,
    ...namesOf(stat.files),
    ...(takenBack.length === 0
      ? []
      : [
          `note: later commits took its changes of ${count(takenBack.length, "file")} back, which stay so ` +
            `(unstuck apply ${run} --again brings them): ${shortList(takenBack)}`,
        ]),
    ...(applied.sign === undefined
      ? []
      : [`note: the new commits are not signed; to sign them: ${applied.sign}`]),
    ...(dryRun
      ? []
      : [
          `to undo it: unstuck undo ${run}`,
          `to restore the files as they were: unstuck undo ${run} --to ${rescue}`,
        ]),
    ...notes,
  ];
}

const placeOf = ({ branch, repository }: Pick<Applied, "branch" | "repository">): string =>
  `${cleanLine(branch ?? "a detached HEAD", 200)} in ${cleanLine(repository, 300)}`;

const countsOf = ({ files, added, removed }: Applied["stat"]): string =>
  `${count(files.length, "file")}, +${added} -${removed}`;

const FILES_NAMED = 50;

const namesOf = (files: readonly string[]): readonly string[] => [
  ...files.slice(0, FILES_NAMED).map((file) => `  ${cleanText(file, { maxChars: 200 })}`),
  ...(files.length > FILES_NAMED ? [`  and ${files.length - FILES_NAMED} more`] : []),
];

const shortList = (files: readonly string[]): string =>
  files
    .slice(0, 5)
    .map((file) => cleanLine(file, 100))
    .join(", ") + (files.length > 5 ? ", …" : "");

type CleanInput = InputOf<typeof cleanRuns>;
type CleanFlags = Flags<Pick<CleanInput, "all" | "force">> & { readonly olderThan: string };
type Cleaned = OutputOf<typeof cleanRuns>;
type CleanedRun = Cleaned["runs"][number];

const cleanUp = async (input: CleanInput): Promise<Cleaned> =>
  perform((await import("../../operations/runs/clean.ts")).cleanRuns, input);

export function clean(): Command {
  return new Command("clean")
    .description(
      "Removes runs of this repository with everything of theirs: folder, transcripts, refs, events, and their branch once it is " +
        "applied. Asks before it removes work that is in no branch of yours; without a terminal, keeps it.",
    )
    .argument("[runs...]", "run ids or parts of them, however old; default: every finished run")
    .option("--older-than <days>", "only runs that ended longer ago than this", "7")
    .option("--all", "runs of all repositories")
    .option("--force", "also remove work that is not applied, without asking")
    .option("--json", "as JSON")
    .action(async (runs: readonly string[], { olderThan, json, ...flags }: CleanFlags) => {
      const olderThanDays = Number(olderThan);
      if (!(olderThanDays >= 0))
        throw new UsageError(`--older-than: expected a number of days, got ${olderThan}`);
      const cleaned = await cleanUp({ ...flags, runs, olderThanDays });
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

/** Asks before removing what needs a person's consent, if a person can be asked. */
async function afterConsent(kept: CleanedRun): Promise<CleanedRun> {
  const { run, repository, wouldLose } = kept;
  if (wouldLose === undefined || !canAsk()) return kept;
  const question = `${run} of ${cleanLine(repository, 200)}: ${wouldLose}.\nRemove it anyway?`;
  if (!(await isAgreed(question))) return kept;
  const { runs } = await cleanUp({ runs: [run], olderThanDays: 0, force: true });
  return runs[0] ?? kept;
}

function tellRun({ run, removed, repository, elsewhere, why }: CleanedRun): void {
  const place = elsewhere ? ` (${cleanLine(repository, 200)})` : "";
  write(`${run}: ${removed ? "removed" : "kept"}${place}${why === undefined ? "" : `: ${why}`}`);
}

/** Returns how many things it reported. */
function tellLeft(left: Cleaned["left"]): number {
  if (left === undefined) return 0;
  const { folders, pins, pinsKept, kept } = left;
  for (const { id, why } of kept)
    write(
      `${cleanLine(id, 60)}: kept: ${cleanLine(why, 300)}; the journal has no such run: unstuck clean --force`,
    );
  if (folders > 0) write(`removed ${count(folders, "folder")} left over from deleted runs`);
  if (pins > 0) write(`removed ${count(pins, "pin")} left over from deleted runs`);
  if (pinsKept > 0)
    write(
      `kept ${count(pinsKept, "pin")} for commits that nothing else refers to: unstuck clean --force`,
    );
  return folders + pins + pinsKept + kept.length;
}
