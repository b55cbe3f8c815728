/** `unstuck resume`: takes up a run where it stood, after a crash, a stop of the machine, or a pause. Imports watch-run. */
import { Command } from "commander";
import { EXIT } from "../exit-codes.ts";
import { write } from "../io.ts";
import { pinnedOf } from "../pinned.ts";
import { aboutRun, refuseInsideAttempt } from "../run-command.ts";
import { watchRun } from "../watch-run.ts";

export function command(): Command {
  return new Command("resume")
    .summary("go on with a run")
    .description(
      "Goes on with a run where it stood. What was under way is proven dead first and reported as lost.",
    )
    .argument("[run]", "id or a part of it; default: the latest")
    .option("--json", "events as JSON lines")
    .action(async (asked: string | undefined, flags: { json?: boolean }) => {
      refuseInsideAttempt("resume");
      process.exitCode = await aboutRun(asked, async ({ home, journal, row }) => {
        if (row.phase === "ended") {
          write(`run ${row.id} has ended: ${row.outcome ?? ""}`);
          return row.outcome === "verified" ? EXIT.ok : EXIT.failed;
        }
        const pinned = await pinnedOf(journal, row.id);
        return watchRun({ home, run: row.id, journal, pinned, json: flags.json === true });
      });
    });
}
