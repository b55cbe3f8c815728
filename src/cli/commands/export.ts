/** `unstuck export`: a run's attempts as the source's JSON (B8), or its episodes as JSON lines (D6). */
import { Command } from "commander";
import { exportHistory } from "../../core/history/attempt-history.ts";
import { episodeLine } from "../../core/history/episode.ts";
import { exportedSubtask } from "../../core/history/run-export.ts";
import { phases } from "../../core/run/view.ts";
import { write } from "../io.ts";
import { recordedRun } from "../recorded-run.ts";
import { aboutRun } from "../run-command.ts";

export function command(): Command {
  return new Command("export")
    .summary("a run's attempts or episodes as JSON")
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .option("--episodes", "its episodes instead, one JSON line each")
    .action(async (asked: string | undefined, flags: { episodes?: boolean }) => {
      await aboutRun(asked, async ({ journal, row }) => {
        const { state, history } = await recordedRun(journal, row.id);
        if (flags.episodes === true) {
          for (const episode of history.episodes) write(episodeLine(episode).trimEnd());
          return;
        }
        const subtasks = phases(state).flatMap((phase, index) => {
          const past = history.subtasks.get(state.plan.subtasks[index]?.id ?? "");
          return past === undefined ? [] : [exportedSubtask(past, phase)];
        });
        write(JSON.stringify(exportHistory(subtasks), null, 2));
      });
    });
}
