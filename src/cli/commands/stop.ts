/**
 * `unstuck stop`: pauses a run; whoever works on it interrupts what runs and keeps what was done. What a person
 * stopped is taken up by a person only.
 */
import { Command } from "commander";
import { refuseInsideAttempt } from "../../operations/inside-attempt.ts";
import { EXIT } from "../exit-codes.ts";
import { write, writeJson } from "../io.ts";
import { isWorkedOn, lastPause, until } from "../lifetime.ts";
import { aboutRun } from "../run-command.ts";

const PATIENCE_MS = 40_000;

export function command(): Command {
  return new Command("stop")
    .summary("pause a run")
    .description("Pauses a run. Nothing is lost or used up: unstuck resume goes on with it.")
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .option("--json", "as JSON")
    .action(async (asked: string | undefined, flags: { json?: boolean }) => {
      refuseInsideAttempt("stop");
      await aboutRun(asked, async ({ journal, row }) => {
        const { id: run, phase } = row;
        const ownerAlive = isWorkedOn(row);
        const isOpen = phase !== "ended" && row.seq > 0;
        if (isOpen)
          await journal.post(run, {
            ...{ at: Date.now(), chance: 0, kind: "pause-requested" },
            ...{ by: "user", reason: "stopped by the user" },
            pause: (await lastPause(journal, run)) + 1,
          });
        const paused =
          isOpen &&
          (!ownerAlive || (await until(journal, run, (now) => !isWorkedOn(now), PATIENCE_MS)));
        if (isOpen && !paused) process.exitCode = EXIT.failed;
        if (flags.json === true) return writeJson({ run, phase, ownerAlive, paused });
        if (phase === "ended") return write(`run ${run} has ended already: ${row.outcome ?? ""}`);
        if (!isOpen) return write(`run ${run} has not begun: unstuck clean ${run} removes it`);
        write(
          paused
            ? `run ${run} is paused; go on with: unstuck resume ${run}`
            : `run ${run} was told to pause, and still works after ${PATIENCE_MS / 1000} s: unstuck attach ${run}`,
        );
      });
    });
}
