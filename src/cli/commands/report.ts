/** `unstuck report`: a run or one of its subtasks as Markdown, for people who were not there. */
import { Command } from "commander";
import { tameLine } from "../../core/foreign-text.ts";
import type { RunHistory } from "../../core/history/run-history.ts";
import { vectorItems } from "../../core/persistent-vector.ts";
import { runReport } from "../../core/report/run-report.ts";
import type { ReportedRun } from "../../core/report/run-report.ts";
import { subtaskReport } from "../../core/report/subtask-report.ts";
import type { ReportedSubtask } from "../../core/report/subtask-report.ts";
import type { RunState } from "../../core/run/state.ts";
import { needsPerson, phases } from "../../core/run/view.ts";
import type { Run } from "../../workspace/base/run-folder.ts";
import { UsageError, write } from "../io.ts";
import { recordedRun } from "../recorded-run.ts";
import { reportedSubtask } from "../reported-subtask.ts";
import { aboutRun, workspaceOf } from "../run-command.ts";

export function command(): Command {
  return new Command("report")
    .summary("a run or a subtask as Markdown")
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .option("--subtask <id>", "only this subtask")
    .action(async (asked: string | undefined, flags: { subtask?: string }) => {
      await aboutRun(asked, async (about) => {
        const { state, history } = await recordedRun(about.journal, about.row.id);
        const workspace = await workspaceOf(about).catch(() => undefined);
        if (flags.subtask === undefined)
          return write(runReport(await reportedRun(about.row.id, state, history, workspace)));
        const index = state.graph.indexOf.get(flags.subtask);
        if (index === undefined)
          throw new UsageError(`run ${about.row.id} has no subtask ${tameLine(flags.subtask, 60)}`);
        const shown = phases(state)[index] ?? "pending";
        write(subtaskReport(await reportedSubtask({ state, history }, index, shown, workspace)));
      });
    });
}

async function reportedRun(
  run: string,
  state: RunState,
  history: RunHistory,
  workspace: Run | undefined,
): Promise<ReportedRun> {
  const subtasks: ReportedSubtask[] = [];
  for (const [index, phase] of phases(state).entries())
    subtasks.push(await reportedSubtask({ state, history }, index, phase, workspace));
  const own = vectorItems(state.subtasks).flatMap(({ checkpoint }) => checkpoint ?? []);
  return {
    run,
    goal: state.plan.goal,
    outcome: state.outcome?.kind ?? (needsPerson(state) ? "waits for a person" : "under way"),
    reason: state.outcome?.reason ?? "",
    durationMs: history.at - (history.startedAt ?? history.at),
    subtasks,
    ledger: state.ledger,
    limit: state.limit,
    estimated: state.estimated,
    unheld: state.unheld,
    metrics: state.metrics,
    questions: state.checkpoint === undefined ? own : [state.checkpoint, ...own],
  };
}
