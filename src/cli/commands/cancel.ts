/**
 * `unstuck cancel`: ends a run for good, whatever it waits for; what is verified by then is published. Invariant:
 * what was under way is proven dead before the run is over, also where its owner died.
 */
import { Command } from "commander";
import { refuseInsideAttempt } from "../../operations/inside-attempt.ts";
import { EXIT } from "../exit-codes.ts";
import { tell, UsageError, write, writeJson } from "../io.ts";
import { isWorkedOn, until } from "../lifetime.ts";
import { ownRun } from "../own-run.ts";
import { wholePinOf } from "../pinned.ts";
import { aboutRun } from "../run-command.ts";
import type { About } from "../run-command.ts";

const PATIENCE_MS = 60_000;

export function command(): Command {
  return new Command("cancel")
    .summary("end a run for good")
    .description("Ends a run for good, also one that waits. What is verified by then is published.")
    .argument("<run>", "id or a part of it")
    .option("--json", "as JSON")
    .action(async (asked: string, flags: { json?: boolean }) => {
      refuseInsideAttempt("cancel");
      await aboutRun(asked, async (about) => {
        const { row } = about;
        if (row.seq === 0)
          throw new UsageError(`run ${row.id} has not begun: unstuck clean ${row.id} removes it`);
        const ended = row.phase === "ended" || (await cancel(about));
        if (!ended) process.exitCode = EXIT.failed;
        if (flags.json === true) return writeJson({ run: row.id, ended, before: row.phase });
        if (row.phase === "ended")
          return write(`run ${row.id} has ended already: ${row.outcome ?? ""}`);
        write(
          ended
            ? `run ${row.id} is cancelled; what it came to: unstuck diff ${row.id}`
            : `run ${row.id} was told to end, and still works after ${PATIENCE_MS / 1000} s: unstuck attach ${row.id}`,
        );
      });
    });
}

async function cancel({ home, journal, row }: About): Promise<boolean> {
  const { id: run } = row;
  if (isWorkedOn(row)) {
    const reason = "cancelled by the user";
    await journal.post(run, { at: Date.now(), chance: 0, kind: "cancel-requested", reason });
    return until(journal, run, ({ phase }) => phase === "ended", PATIENCE_MS);
  }
  const { phase } = await ownRun({
    ...{ run, journal, runDir: home.runDir(run), isNew: false, first: "cancel" },
    pinned: await wholePinOf(journal, run, home.runDir(run)),
    onAsk: () => undefined,
    onProblem: (problem) =>
      tell(`unstuck: ${problem instanceof Error ? problem.message : String(problem)}`),
    pause: new AbortController().signal,
  });
  return phase === "ended";
}
