/** `unstuck stop`: asks a run to end in order; whoever owns it interrupts what runs and keeps what was done. Imports journal. */
import { Command } from "commander";
import { systemProcesses } from "../../engines/system-processes.ts";
import { write, writeJson } from "../io.ts";
import { aboutRun, refuseInsideAttempt } from "../run-command.ts";

export function command(): Command {
  return new Command("stop")
    .summary("end a run in order")
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .option("--json", "as JSON")
    .action(async (asked: string | undefined, flags: { json?: boolean }) => {
      refuseInsideAttempt("stop");
      await aboutRun(asked, async ({ journal, row }) => {
        const alive = row.owner !== undefined && !systemProcesses().isDead(row.owner);
        const input = {
          at: Date.now(),
          chance: 0,
          kind: "stop-requested",
          reason: "stopped by the user",
        } as const;
        if (row.phase !== "ended") await journal.post(row.id, input);
        if (flags.json === true)
          return writeJson({ run: row.id, phase: row.phase, ownerAlive: alive });
        if (row.phase === "ended")
          return write(`run ${row.id} has ended already: ${row.outcome ?? ""}`);
        write(
          alive
            ? `run ${row.id} is asked to stop`
            : `run ${row.id} is not running; it will stop when it is resumed`,
        );
      });
    });
}
