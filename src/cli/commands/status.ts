/**
 * `unstuck status`: the runs of this repository or of all, or one run with its subtasks, attempts, open questions
 * and disk use.
 */
import { existsSync } from "node:fs";
import { Command } from "commander";
import { count, knownAmount, spending } from "../../core/amounts.ts";
import { MEASURES } from "../../core/budget.ts";
import { vectorItems } from "../../core/persistent-vector.ts";
import { unheldWords } from "../../core/report/budget-words.ts";
import { noAnswerWords } from "../../core/report/recovery-words.ts";
import { noteWords } from "../../core/run/note.ts";
import { phases } from "../../core/run/view.ts";
import { tameLine } from "../../core/foreign-text.ts";
import type { RunRow } from "../../journal/reader.ts";
import { diskUse } from "../../workspace/result/clean-up.ts";
import { loadRun } from "../../workspace/repository/open-run.ts";
import { elsewhereWords } from "../find-run.ts";
import { openHome } from "../home.ts";
import type { Home } from "../home.ts";
import { styled, write, writeJson } from "../io.ts";
import { openUserJournal } from "../journal.ts";
import { isWorkedOn, stateWords } from "../lifetime.ts";
import { workspaceFolder } from "../removal.ts";
import { aboutRun } from "../run-command.ts";
import type { About } from "../run-command.ts";
import { recordedState } from "../run-state.ts";
import { runsByPlace } from "../this-repository.ts";

export function command(): Command {
  return new Command("status")
    .summary("the runs, or one run in detail")
    .argument("[run]", "id or a part of it; default: a list of this repository's")
    .option("--all", "list the runs of all repositories")
    .option("--json", "as JSON")
    .action(async (asked: string | undefined, flags: { all?: boolean; json?: boolean }) =>
      asked === undefined
        ? listRuns(flags.all === true, flags.json === true)
        : aboutRun(asked, (about) => showRun(about, flags.json === true)),
    );
}

async function listRuns(all: boolean, json: boolean): Promise<void> {
  const home = openHome();
  const journal = await openUserJournal(home);
  try {
    const { here, own, others } = await runsByPlace(journal);
    const isAll = all || here === undefined;
    const rows = isAll ? await journal.runs() : own;
    const runs = await Promise.all(rows.map((row) => placed(home, row)));
    if (json)
      return writeJson(runs.map(({ isGone: folderIsGone, ...run }) => ({ ...run, folderIsGone })));
    const elsewhere = isAll ? "" : elsewhereWords(others);
    if (runs.length === 0)
      write(
        `no runs${elsewhere === "" ? "" : " in this repository"} yet: start one with unstuck run`,
      );
    for (const run of runs) write(listed(run, await stateWords(journal, run), isAll));
    if (elsewhere !== "") write(`${elsewhere}: unstuck status --all`);
  } finally {
    await journal.close();
  }
}

type Placed = Omit<RunRow, "repo"> & {
  readonly repository: string;
  /** The branch it was started on. */
  readonly branch?: string;
  readonly alive: boolean;
  readonly isGone: boolean;
};

async function placed(home: Home, { repo, ...row }: RunRow): Promise<Placed> {
  const workspace = workspaceFolder(home, row.id);
  const loaded = await loadRun(workspace);
  const branch = loaded.ok ? loaded.value.branch : null;
  return {
    ...row,
    repository: repo,
    ...(branch === null ? {} : { branch }),
    alive: isWorkedOn(row),
    // Imported history never had one.
    isGone: repo !== "" && row.seq > 0 && !existsSync(workspace),
  };
}

function listed(
  { repository, branch, isGone, ...row }: Placed,
  state: string,
  namesRepository: boolean,
): string {
  const where = [
    ...(namesRepository && repository !== "" ? [`in ${tameLine(repository, 200)}`] : []),
    ...(branch === undefined ? [] : [`on ${tameLine(branch, 60)}`]),
    ...(isGone ? ["its folder is gone"] : []),
  ];
  const title = tameLine(row.title, 60);
  return [`${row.id}  ${state.padEnd(20)} ${title}`, ...where].join("  ");
}

async function showRun({ journal, row, home }: About, json: boolean): Promise<void> {
  const { branch, isGone, ...own } = await placed(home, row);
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
      ...own,
      ...(branch === undefined ? {} : { branch }),
      folderIsGone: isGone,
      diskBytes: bytes,
      outcome: state.outcome,
      paused: state.paused,
      spent: Object.fromEntries(MEASURES.map((measure) => [measure, knownAmount(state, measure)])),
      unheld: state.unheld.map((unheld) => ({ ...unheld, words: unheldWords(unheld) })),
      subtasks,
    });
  write(`${styled("bold", row.id)}  ${await stateWords(journal, row)}  ${tameLine(row.title, 60)}`);
  const started = branch === undefined ? "" : ` on ${tameLine(branch, 60)}`;
  write(
    `repository ${tameLine(row.repo, 100)}${started}, ` +
      (isGone
        ? `its folder is gone: unstuck clean ${row.id}`
        : `${(bytes / 1e6).toFixed(1)} MB on disk`),
  );
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
