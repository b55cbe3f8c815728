/** `unstuck resume`: takes up a run where it stood, after a crash, a stop of the machine, or a pause. */
import { Command } from "commander";
import { tameLine } from "../../core/foreign-text.ts";
import { staleness } from "../../core/run/staleness.ts";
import type { Journal } from "../../journal/journal.ts";
import type { RunRow } from "../../journal/reader.ts";
import { refuseInsideAttempt } from "../../operations/inside-attempt.ts";
import { tell, UsageError, write } from "../io.ts";
import type { Retry } from "../own-run.ts";
import { recordedState } from "../run-state.ts";
import { wholePinOf } from "../pinned.ts";
import type { Pinned } from "../pinned.ts";
import { givenAnswers } from "../answering.ts";
import { isWorkedOn, pausedBy } from "../lifetime.ts";
import { readStart } from "../start-file.ts";
import { startRun } from "../start-run.ts";
import { needsPerson } from "../../core/run/view.ts";
import { startDetached } from "../detach.ts";
import { openHome } from "../../operations/home.ts";
import { openUserJournal } from "../../operations/journal.ts";
import { aboutRun } from "../run-command.ts";
import type { About } from "../run-command.ts";
import { watchRun } from "../watch-run.ts";

export function command(): Command {
  return new Command("resume")
    .summary("go on with a run")
    .description(
      "Goes on with a run where it stood. What was under way is proven dead first and reported as lost.",
    )
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .option("--all", "every run that can go on, each in a process of its own")
    .option("--only-cut-off", "with --all: not what a person stopped; what the service does")
    .option("--retry <subtask>", "let a subtask that ended unverified try on")
    .option("--words <text>", "with --retry: what to tell the agent")
    .option("--json", "events as JSON lines")
    .action(async (asked: string | undefined, flags: Flags) => {
      refuseInsideAttempt("resume", flags.retry === undefined ? { orphans: "allowed" } : {});
      if (flags.all === true) return resumeAll(flags.onlyCutOff === true);
      process.exitCode = await aboutRun(asked, async (about) => {
        const { home, journal, row } = about;
        const retry = await retryOf(journal, row, flags);
        if (row.phase === "ended" && retry === undefined)
          write(`run ${row.id} has ended: ${row.outcome ?? ""}`);
        const begun = row.seq > 0;
        return watchRun({
          ...{ home, run: row.id, journal, isNew: !begun, json: flags.json === true },
          pinned: begun
            ? await wholePinOf(journal, row.id, home.runDir(row.id))
            : await startedAnew(about),
          ...(retry === undefined ? {} : { retry }),
          ...(begun && row.phase !== "ended" ? { first: "resume" } : {}),
        });
      });
    });
}

/** It was killed before its journal began: nothing was done yet, so it starts from the repository as it is now. */
async function startedAnew({ home, journal, row }: About): Promise<Pinned> {
  const start = readStart(home.runDir(row.id));
  if (start === undefined)
    throw new UsageError(
      `run ${row.id} has not begun, and nothing is kept of it: unstuck clean ${row.id} removes it`,
    );
  tell(`run ${row.id} had not begun: it starts now`);
  const claim = await journal.claim(row.id, Date.now());
  try {
    return await startRun({ ...start, home, run: row.id, tell });
  } finally {
    await journal.release(claim);
  }
}

interface Flags {
  readonly all?: boolean;
  readonly onlyCutOff?: boolean;
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

/** One that somebody works on, or that waits for an answer nobody has given, is left alone. */
async function resumeAll(onlyCutOff: boolean): Promise<void> {
  const home = openHome();
  const journal = await openUserJournal(home);
  try {
    const resumed: string[] = [];
    for (const row of await journal.runs()) {
      if (row.phase === "ended" || isWorkedOn(row)) continue;
      const goesOn =
        row.seq === 0
          ? readStart(home.runDir(row.id)) !== undefined
          : await canGoOn(journal, row, onlyCutOff);
      if (goesOn) resumed.push(row.id);
    }
    for (const id of resumed) {
      startDetached(home, id, ["resume", id]);
      write(`resumed ${id}`);
    }
    if (resumed.length === 0) write("no run can go on");
  } finally {
    await journal.close();
  }
}

async function canGoOn(journal: Journal, row: RunRow, onlyCutOff: boolean): Promise<boolean> {
  if (onlyCutOff && (await pausedBy(journal, row.id)) === "user") return false;
  const answers = await givenAnswers(journal, row.id);
  return answers.length > 0 || !needsPerson(await recordedState(journal, row.id));
}
