/** `unstuck clean`: tidies up after ended runs. Imports the workspace's operations. Work is never removed unasked. */
import { Command } from "commander";
import { cleanUp } from "../../workspace/clean-up.ts";
import { refuseBelowAttempt } from "../answer-gate.ts";
import { openHome } from "../home.ts";
import { UsageError, write, writeJson } from "../io.ts";
import { openUserJournal } from "../journal.ts";
import { accepted, workspaceOf } from "../run-command.ts";

const DAY_MS = 24 * 3_600_000;

export function command(): Command {
  return new Command("clean")
    .summary("remove ended runs; never work that is nowhere else")
    .option("--older-than <days>", "only runs that ended longer ago", "7")
    .option("--force", "also runs whose work was never published")
    .option("--json", "as JSON")
    .action(async (flags: { olderThan: string; force?: boolean; json?: boolean }) => {
      refuseBelowAttempt("clean");
      const days = Number(flags.olderThan);
      if (!(days >= 0))
        throw new UsageError(`--older-than: expected a number of days, got ${flags.olderThan}`);
      const journal = await openUserJournal(openHome());
      try {
        const old = (await journal.runs()).filter(
          ({ phase, changed, created }) =>
            phase === "ended" && (changed ?? created) <= Date.now() - days * DAY_MS,
        );
        for (const row of old) {
          const said = await cleanOne({ home: openHome(), journal, row }, flags.force === true);
          if (flags.json === true) writeJson({ run: row.id, ...said });
          else write(`${row.id}: ${said.removed ? "removed" : `kept: ${said.why}`}`);
        }
      } finally {
        await journal.close();
      }
    });
}

async function cleanOne(
  about: Parameters<typeof workspaceOf>[0],
  force: boolean,
): Promise<{ readonly removed: boolean; readonly why: string }> {
  try {
    accepted(about.row.id, await cleanUp(await workspaceOf(about), { force }));
    return { removed: true, why: "" };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { removed: false, why: error.message };
  }
}
