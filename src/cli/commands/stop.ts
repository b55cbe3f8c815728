/** `unstuck stop` and `unstuck cancel`: pausing a run, and ending it for good. */
import { Command } from "commander";
import { CANCEL_WAIT_MS, cancelRun, PAUSE_WAIT_MS, stopRun } from "../../operations/runs/resume.ts";
import { EXIT } from "../exit-codes.ts";
import { perform, write, writeJson } from "../io.ts";

export function stop(): Command {
  return new Command("stop")
    .summary("pause a run")
    .description("Pauses a run. Nothing is lost or used up: unstuck resume goes on with it.")
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .option("--json", "as JSON")
    .action(async (asked: string | undefined, flags: { json?: boolean }) => {
      const stopped = await perform(stopRun, { run: asked });
      const { run, phase, begun, paused, outcome } = stopped;
      const isOpen = phase !== "ended" && begun;
      if (isOpen && !paused) process.exitCode = EXIT.failed;
      if (flags.json === true) return writeJson(stopped);
      if (phase === "ended") return write(`run ${run} has ended already: ${outcome?.kind ?? ""}`);
      if (!isOpen) return write(`run ${run} has not begun: unstuck clean ${run} removes it`);
      write(
        paused
          ? `run ${run} is paused; go on with: unstuck resume ${run}`
          : `run ${run} was told to pause, and still works after ${PAUSE_WAIT_MS / 1000} s: unstuck attach ${run}`,
      );
    });
}

export function cancel(): Command {
  return new Command("cancel")
    .summary("end a run for good")
    .description("Ends a run for good, also one that waits. What is verified by then is published.")
    .argument("<run>", "id or a part of it")
    .option("--json", "as JSON")
    .action(async (asked: string, flags: { json?: boolean }) => {
      const cancelled = await perform(cancelRun, { run: asked });
      const { run, ended, before, outcome } = cancelled;
      if (!ended) process.exitCode = EXIT.failed;
      if (flags.json === true) return writeJson(cancelled);
      if (before === "ended") return write(`run ${run} has ended already: ${outcome?.kind ?? ""}`);
      write(
        ended
          ? `run ${run} is cancelled; what it came to: unstuck diff ${run}`
          : `run ${run} was told to end, and still works after ${CANCEL_WAIT_MS / 1000} s: unstuck attach ${run}`,
      );
    });
}
