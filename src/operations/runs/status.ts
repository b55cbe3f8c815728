/** The runs of this repository or of all, and one run with its subtasks, open questions and disk use. */
import { existsSync } from "node:fs";
import { knownAmount, spending } from "../../core/amounts.ts";
import { MEASURES } from "../../core/budget.ts";
import type { Measure } from "../../core/budget.ts";
import type { KnownAmount } from "../../core/amounts.ts";
import { vectorItems } from "../../core/persistent-collections.ts";
import { noAnswerWords, unheldWords } from "../../core/report/phrases.ts";
import { noteWords } from "../../core/run/note.ts";
import { phases } from "../../core/run/view.ts";
import type { RunRow } from "../../journal/reader.ts";
import { diskUse } from "../../workspace/result/clean-up.ts";
import { loadRun } from "../../workspace/repository/open-run.ts";
import { operation } from "../operation.ts";
import { elsewhereWords, runsByPlace, withHome, withRun, workspaceFolder } from "./open-run.ts";
import type { OpenHome } from "./open-run.ts";
import { recordedRun } from "./recorded.ts";
import { isWorkedOn, stateWords } from "./standing.ts";

export const listRuns = operation({
  name: "list",
  schemas: async () => (await import("./reading-schemas.ts")).listRuns,
  run: (context, { all: isAsked }) =>
    withHome(async (open) => {
      const { here, own, others } = await runsByPlace(context, open.journal);
      const all = isAsked === true || here === undefined;
      const rows = all ? await open.journal.runs() : own;
      const runs = await Promise.all(rows.map((row) => listed(open, row)));
      return { runs, all, elsewhere: all ? "" : elsewhereWords(others) };
    }),
});

async function listed({ home, journal }: OpenHome, { repo, outcome, ...row }: RunRow) {
  const workspace = workspaceFolder(home, row.id);
  const loaded = await loadRun(workspace);
  const branch = loaded.ok ? loaded.value.branch : null;
  return {
    ...row,
    state: await stateWords(journal, { ...row, ...(outcome === undefined ? {} : { outcome }) }),
    ...(outcome === undefined ? {} : { outcome: { kind: outcome } }),
    repository: repo,
    ...(branch === null ? {} : { branch }),
    alive: isWorkedOn(row),
    // Imported history never had one.
    folderIsGone: repo !== "" && row.seq > 0 && !existsSync(workspace),
  };
}

export const readRun = operation({
  name: "read",
  schemas: async () => (await import("./reading-schemas.ts")).readRun,
  run: (context, { run }) =>
    withRun(context, run, async (open) => {
      const { home, journal, row } = open;
      const own = await listed(open, row);
      const { state } = await recordedRun(journal, row.id);
      const { bytes } = await diskUse(workspaceFolder(home, row.id)).catch(() => ({ bytes: 0 }));
      const shown = phases(state);
      const amounts = MEASURES.map((measure) => [measure, knownAmount(state, measure)] as const);
      return {
        ...own,
        diskBytes: bytes,
        ...(state.outcome === undefined ? {} : { outcome: state.outcome }),
        ...(state.paused === undefined ? {} : { paused: state.paused }),
        spent: Object.fromEntries(amounts) as Record<Measure, KnownAmount>,
        spentWords: spending(state),
        unheld: state.unheld.map((unheld) => ({ ...unheld, words: unheldWords(unheld) })),
        subtasks: vectorItems(state.subtasks).map((subtask, index) => {
          const id = state.plan.subtasks[index]?.id ?? "";
          const { timer, unanswered } = subtask;
          return {
            id,
            phase: shown[index] ?? subtask.phase,
            attempts: subtask.attempt,
            lastFailure: subtask.attempts.findLast(({ success }) => !success)?.kind,
            wakesAt: timer === undefined ? undefined : new Date(timer.dueAt).toISOString(),
            question: subtask.checkpoint?.question,
            unanswered,
            unansweredWords: unanswered === undefined ? undefined : noAnswerWords(id, unanswered),
            notes: subtask.notes.map((note) => ({ ...note, words: noteWords(note) })),
            errorCount: subtask.errors,
            isHiccup: subtask.isHiccup,
          };
        }),
      };
    }),
});
