/**
 * A report of a run or one of its subtasks, for people who did not follow it: as data, Markdown, HTML and JUnit XML.
 */
import { cleanLine } from "../../core/foreign-text.ts";
import type { SubtaskPast } from "../../core/history/run-history.ts";
import { transitiveDependents } from "../../core/plan/graph.ts";
import { reportPage } from "../../core/report/html/report-page.ts";
import { junitReport } from "../../core/report/junit-report.ts";
import { runReport } from "../../core/report/run-report.ts";
import { subtaskReport } from "../../core/report/subtask-report.ts";
import type { ReportedSubtask } from "../../core/report/escalation-report.ts";
import { needsPerson, phases, type Phase } from "../../core/run/view.ts";
import { changedFiles } from "../../workspace/git/read-objects.ts";
import type { Run } from "../../workspace/base/run-folder.ts";
import { defined, operation, ProblemError } from "../operation.ts";
import { gatherPage } from "./report-page.ts";
import { withRun, workspaceOf } from "../runs/open-run.ts";
import { openCheckpoints, recordedRun, type RecordedRun } from "../runs/recorded.ts";

export const reportRun = operation({
  name: "report",
  schemas: async () => (await import("../runs/reading-schemas.ts")).reportRun,
  run: (context, { run: asked, subtask, format }) =>
    withRun(context, asked, async (open) => {
      const { id: run } = open.row;
      const recorded = await recordedRun(open.journal, run);
      const { state, history } = recorded;
      const workspace = await workspaceOf(open).catch(() => undefined);
      const only = subtask === undefined ? undefined : state.graph.indexOf.get(subtask);
      if (subtask !== undefined && only === undefined)
        throw new ProblemError("not-found", `run ${run} has no subtask ${cleanLine(subtask, 60)}`, {
          run,
        });
      const subtasks: ReportedSubtask[] = [];
      for (const [index, phase] of phases(state).entries())
        if (only === undefined || only === index)
          subtasks.push(await reportedSubtask(recorded, index, phase, workspace));
      const { outcome, ledger, limit, estimated, unheld, metrics } = state;
      const told = {
        ...{ run, goal: state.plan.goal, metrics, questions: openCheckpoints(state) },
        durationMs: history.at - (history.startedAt ?? history.at),
      };
      const whole = {
        ...{ ...told, subtasks, ledger, limit, estimated, unheld },
        outcome: outcome?.kind ?? (needsPerson(state) ? "waits for a person" : "under way"),
        reason: outcome?.reason ?? "",
      };
      const markdown = only === undefined ? runReport(whole) : subtasks.map(subtaskReport).join("");
      return {
        ...told,
        ...defined({ outcome }),
        subtasks: subtasks.map(({ past, ...one }) => ({
          ...one,
          attempts: [...past.attempts.values()],
        })),
        markdown,
        ...(format === "html"
          ? { html: reportPage(await gatherPage(open, whole, recorded, workspace)) }
          : {}),
        ...(format === "junit"
          ? { junit: junitReport(whole, history.startedAt ?? history.at) }
          : {}),
      };
    }),
});

/** Without the workspace only the list of files is missing. */
export async function reportedSubtask(
  { state, history }: RecordedRun,
  index: number,
  phase: Phase,
  workspace: Run | undefined,
): Promise<ReportedSubtask> {
  const plan = state.plan.subtasks[index];
  const id = plan?.id ?? "";
  const past = history.subtasks.get(id) ?? { id, attempts: new Map(), events: [], questions: [] };
  return {
    id,
    phase,
    past,
    dependsOn: plan?.dependsOn ?? [],
    blocks: transitiveDependents(state.graph, id).map(
      (other) => state.plan.subtasks[other]?.id ?? "",
    ),
    files: phase === "answered" ? [] : await filesOf(past, workspace),
  };
}

/** Only for subtasks that had trouble: for the others the diff shows it better. */
async function filesOf(past: SubtaskPast, workspace: Run | undefined): Promise<readonly string[]> {
  const tree = lastTree(past);
  if (workspace === undefined || tree === undefined || past.events.length === 0) return [];
  const changed = await changedFiles(workspace, { from: workspace.base, to: tree });
  return changed.ok ? changed.value : [];
}

/** The tree of the last attempt that left one. */
export const lastTree = ({ attempts }: SubtaskPast): string | undefined =>
  [...attempts.values()].findLast(({ treeAfter = "" }) => treeAfter !== "")?.treeAfter;
