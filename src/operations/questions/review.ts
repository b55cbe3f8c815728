/**
 * Open questions of runs, in short and with everything a person needs to decide. Invariant: an answer in a run's inbox
 * counts as given, even before the run's owner has taken it.
 */
import { MEASURE_NAMES } from "../../core/amounts.ts";
import type { Budget } from "../../core/budget.ts";
import { recoveriesDone, storyText } from "../../core/report/phrases.ts";
import { topUpExample } from "../../core/report/question-words.ts";
import { subtaskReport } from "../../core/report/subtask-report.ts";
import type { Checkpoint } from "../../core/run/checkpoint.ts";
import { OWN_TREE, subtaskAt } from "../../core/run/state.ts";
import type { JournalReader, RunRow } from "../../journal/reader.ts";
import { diffText } from "../../workspace/git/read-objects.ts";
import { slotWorktree } from "../../workspace/git/worktree.ts";
import { defined, operation, type Context } from "../operation.ts";
import { redact } from "../redaction.ts";
import { withHome, workspaceOf, type OpenHome } from "../runs/open-run.ts";
import { findRun, noRunHere, runsByPlace } from "../runs/find-run.ts";
import { recordedRun } from "../runs/recorded.ts";
import { lastTree, reportedSubtask } from "../report/report.ts";
import { openQuestions, questionOutput, type OpenQuestion } from "./inbox.ts";

export { topUpExample };

export const reviewQuestions = operation({
  name: "review",
  schemas: async () => (await import("../runs/reading-schemas.ts")).reviewQuestions,
  run: (context, { run, all }) =>
    withHome(async (open) => {
      const { journal } = open;
      const everywhere = run === undefined && all === true;
      const rows = everywhere ? await journal.runs() : await askedRuns(context, journal, run);
      const questions = [];
      for (const question of await openQuestions(journal, rows)) {
        const { row, checkpoint } = question;
        const known = await surroundings(open, question);
        questions.push({ ...questionOutput(question), checkpoint, seen: row.seq, ...known });
      }
      return questions;
    }),
});

const DIFF_BYTES = 200_000;

const APPROACHES = 5;

async function surroundings(
  { journal, fleet }: Pick<OpenHome, "journal" | "fleet">,
  { row, checkpoint }: OpenQuestion,
) {
  const recorded = await recordedRun(journal, row.id);
  const { state, history } = recorded;
  const index = state.graph.indexOf.get(checkpoint.subtask ?? "");
  const past = history.subtasks.get(checkpoint.subtask ?? "");
  if (index === undefined || past === undefined) {
    const report = `${checkpoint.question}\n${checkpoint.context.error}`;
    return { story: "", tried: [], approaches: [], diff: "", report };
  }
  const workspace = await workspaceOf({ journal, row, ...defined({ fleet }) }).catch(
    () => undefined,
  );
  const tried = [...past.attempts.values()].filter(({ approach }) => approach !== "");
  const known = {
    story: storyText(past.events),
    tried: recoveriesDone(past.events),
    approaches: tried
      .slice(-APPROACHES)
      .map(({ attempt, approach, failure }) => ({ attempt, approach, failure: failure?.kind })),
    report: subtaskReport(await reportedSubtask(recorded, index, "asking", workspace)),
  };
  if (workspace === undefined) return { ...known, diff: "" };
  const to = lastTree(past) ?? workspace.base;
  const diff = await diffText(workspace, { from: workspace.base, to, maxBytes: DIFF_BYTES });
  const slot = subtaskAt(state, index).slots[OWN_TREE];
  return {
    ...known,
    diff: diff.ok ? redact(diff.value.text) : "",
    // The folder is on a worker.
    ...(slot === undefined || fleet !== undefined
      ? {}
      : { folder: slotWorktree(workspace, slot).path }),
  };
}

/** The run that was named, or the runs of this repository. */
export async function askedRuns(
  context: Context,
  journal: JournalReader,
  asked: string | undefined,
): Promise<readonly RunRow[]> {
  if (asked !== undefined) return [await findRun(context, journal, asked)];
  const { here, own, others } = await runsByPlace(context, journal);
  if (here === undefined) throw noRunHere(false, others);
  return own;
}

/** A top-up must raise the exhausted measure, otherwise the same question comes back. */
export function topUpProblem(checkpoint: Checkpoint, by: Budget): string | undefined {
  const { measure } = checkpoint.context;
  return measure === undefined || by[measure] !== undefined
    ? undefined
    : `the ${MEASURE_NAMES[measure]} budget is what is used up: raise it, for example by ${topUpExample(checkpoint)}`;
}
