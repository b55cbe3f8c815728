/** What a report tells of a subtask, from its run's records and workspace. */
import type { RunHistory, SubtaskPast } from "../core/history/run-history.ts";
import { transitiveDependents } from "../core/plan/graph.ts";
import type { ReportedSubtask } from "../core/report/subtask-report.ts";
import type { RunState } from "../core/run/state.ts";
import type { Phase } from "../core/run/view.ts";
import { changedFiles } from "../workspace/git/diff.ts";
import type { Run } from "../workspace/base/run-folder.ts";

/** A workspace that is gone costs the list of files, not the report. */
export async function reportedSubtask(
  { state, history }: { readonly state: RunState; readonly history: RunHistory },
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

/** Only of subtasks that had trouble: of the others the diff tells it better. */
async function filesOf(past: SubtaskPast, workspace: Run | undefined): Promise<readonly string[]> {
  const tree = lastTree(past);
  if (workspace === undefined || tree === undefined || past.events.length === 0) return [];
  const changed = await changedFiles(workspace, { from: workspace.base, to: tree });
  return changed.ok ? changed.value.map(({ path }) => path) : [];
}

/** What the last attempt that left a tree left. */
export const lastTree = ({ attempts }: SubtaskPast): string | undefined =>
  [...attempts.values()].findLast(({ treeAfter = "" }) => treeAfter !== "")?.treeAfter;
