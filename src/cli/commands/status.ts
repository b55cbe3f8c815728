/** `unstuck status`: the runs, or one run with its subtasks, attempts, open questions and disk use. Imports journal, engines. */
import { Command } from "commander";
import { count, knownAmount, spending } from "../../core/amounts.ts";
import { MEASURES } from "../../core/budget.ts";
import { vectorItems } from "../../core/persistent-vector.ts";
import { unheldWords } from "../../core/report/budget-words.ts";
import { noAnswerWords } from "../../core/report/recovery-words.ts";
import { noteWords } from "../../core/run/note.ts";
import { phases } from "../../core/run/view.ts";
import { tameLine } from "../../core/foreign-text.ts";
import type { Journal } from "../../journal/journal.ts";
import type { RunRow } from "../../journal/reader.ts";
import { diskUse } from "../../workspace/clean-up.ts";
import { openHome } from "../home.ts";
import { styled, write, writeJson } from "../io.ts";
import { openUserJournal } from "../journal.ts";
import { isWorkedOn, stateWords } from "../lifetime.ts";
import { aboutRun } from "../run-command.ts";
import { recordedState } from "../run-state.ts";

export function command(): Command {
  return new Command("status")
    .summary("the runs, or one run in detail")
    .argument("[run]", "id or a part of it; default: a list of all")
    .option("--json", "as JSON")
    .action(async (asked: string | undefined, flags: { json?: boolean }) =>
      asked === undefined
        ? listRuns(flags.json === true)
        : aboutRun(asked, (about) => showRun(about, flags.json === true)),
    );
}

async function listRuns(json: boolean): Promise<void> {
  const journal = await openUserJournal(openHome());
  try {
    const runs = await journal.runs();
    if (json) return writeJson(runs.map((row) => ({ ...row, alive: isWorkedOn(row) })));
    if (runs.length === 0) return write("no runs yet: start one with unstuck run");
    for (const row of runs) {
      const state = await stateWords(journal, row);
      write(`${row.id}  ${state.padEnd(20)} ${tameLine(row.title, 60)}`);
    }
  } finally {
    await journal.close();
  }
}

async function showRun(
  {
    journal,
    row,
    home,
  }: {
    readonly journal: Journal;
    readonly row: RunRow;
    readonly home: { runDir(run: string): string };
  },
  json: boolean,
): Promise<void> {
  const state = await recordedState(journal, row.id);
  const { bytes } = await diskUse(`${home.runDir(row.id)}/workspace`).catch(() => ({ bytes: 0 }));
  const shown = phases(state);
  const subtasks = vectorItems(state.subtasks).map((own, index) => ({
    id: state.plan.subtasks[index]?.id ?? "",
    phase: shown[index] ?? own.phase,
    attempts: own.attempt,
    lastFailure: own.attempts.findLast(({ success }) => !success)?.kind,
    wakesAt: own.timer === undefined ? undefined : new Date(own.timer.dueAt).toISOString(),
    question: own.checkpoint?.question,
    unanswered: own.unanswered,
    notes: own.notes.map((note) => ({ ...note, words: noteWords(note) })),
    error_count: own.errors,
    is_hiccup: own.isHiccup,
  }));
  if (json)
    return writeJson({
      ...row,
      alive: isWorkedOn(row),
      diskBytes: bytes,
      outcome: state.outcome,
      paused: state.paused,
      spent: Object.fromEntries(MEASURES.map((measure) => [measure, knownAmount(state, measure)])),
      unheld: state.unheld.map((unheld) => ({ ...unheld, words: unheldWords(unheld) })),
      subtasks,
    });
  write(`${styled("bold", row.id)}  ${await stateWords(journal, row)}  ${tameLine(row.title, 60)}`);
  write(`repository ${tameLine(row.repo, 100)}, ${(bytes / 1e6).toFixed(1)} MB on disk`);
  const used = spending(state);
  if (used.length > 0) write(`used ${used.join(" · ")}`);
  for (const unheld of state.unheld) write(unheldWords(unheld));
  if (state.outcome !== undefined) write(tameLine(state.outcome.reason, 300));
  for (const subtask of subtasks) {
    const { id, phase, attempts, lastFailure, wakesAt, question, unanswered, notes } = subtask;
    const failure =
      lastFailure === undefined || phase === "verified" || phase === "answered"
        ? ""
        : `, last ${lastFailure}`;
    write(`  ${phase.padEnd(10)} ${tameLine(id, 40)}  ${count(attempts, "attempt")}${failure}`);
    if (wakesAt !== undefined) write(`             waits until ${wakesAt}`);
    if (unanswered !== undefined) write(`             ${noAnswerWords(id, unanswered)}`);
    for (const { words } of notes) write(`             ${words}`);
    if (question !== undefined) write(`             ? ${question}`);
  }
}
