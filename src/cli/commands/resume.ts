/** `unstuck resume`: takes up a run where it stood, after a crash, a stop of the machine, or a pause. Imports watch-run. */
import { Command } from "commander";
import { tameLine } from "../../core/foreign-text.ts";
import { staleness } from "../../core/run/staleness.ts";
import type { Journal } from "../../journal/journal.ts";
import type { RunRow } from "../../journal/reader.ts";
import { UsageError, write } from "../io.ts";
import type { Retry } from "../own-run.ts";
import { recordedState } from "../run-state.ts";
import { pinnedOf } from "../pinned.ts";
import { systemProcesses } from "../../engines/system-processes.ts";
import { startDetached } from "../detach.ts";
import { openHome } from "../home.ts";
import { openUserJournal } from "../journal.ts";
import { aboutRun, refuseInsideAttempt } from "../run-command.ts";
import { watchRun } from "../watch-run.ts";

export function command(): Command {
  return new Command("resume")
    .summary("go on with a run")
    .description(
      "Goes on with a run where it stood. What was under way is proven dead first and reported as lost.",
    )
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .option("--all", "every run that was cut off, each in a process of its own")
    .option("--retry <subtask>", "let a subtask that ended unverified try on")
    .option("--words <text>", "with --retry: what to tell the agent")
    .option("--json", "events as JSON lines")
    .action(async (asked: string | undefined, flags: Flags) => {
      refuseInsideAttempt("resume");
      if (flags.all === true) return resumeAll();
      process.exitCode = await aboutRun(asked, async ({ home, journal, row }) => {
        const retry = await retryOf(journal, row, flags);
        if (row.phase === "ended" && retry === undefined)
          write(`run ${row.id} has ended: ${row.outcome ?? ""}`);
        const pinned = await pinnedOf(journal, row.id);
        return watchRun({
          home,
          run: row.id,
          journal,
          pinned,
          isNew: false,
          ...(retry === undefined ? {} : { retry }),
          json: flags.json === true,
        });
      });
    });
}

interface Flags {
  readonly all?: boolean;
  readonly retry?: string;
  readonly words?: string;
  readonly json?: boolean;
}

/** What can be tried on: a subtask that ended unverified, in a run that ended so. */
async function retryOf(journal: Journal, row: RunRow, flags: Flags): Promise<Retry | undefined> {
  const { retry: subtask, words = "" } = flags;
  if (subtask === undefined) return undefined;
  const state = await recordedState(journal, row.id);
  const input = { kind: "retry-requested", subtask, words, by: "", at: 0, chance: 0 } as const;
  const why = staleness(state, input);
  if (why === undefined) return { subtask, words };
  throw new UsageError(`run ${row.id}: ${tameLine(subtask, 60)} cannot be tried on: ${why}`);
}

/** A run that waits for a person, or that somebody works on, is left alone. */
async function resumeAll(): Promise<void> {
  const home = openHome();
  const journal = await openUserJournal(home);
  const processes = systemProcesses();
  try {
    const cutOff = (await journal.runs()).filter(
      ({ phase, owner, seq }) =>
        phase !== "ended" && seq > 0 && owner !== undefined && processes.isDead(owner),
    );
    for (const { id } of cutOff) {
      startDetached(home, id, ["resume", id]);
      write(`resumed ${id}`);
    }
    if (cutOff.length === 0) write("no run was cut off");
  } finally {
    await journal.close();
  }
}
