/**
 * Where runs stand: in short, and one with its subtasks, questions and disk use; who works on a run, and who paused it.
 * Invariant: a run nobody works on is paused by whoever said so last, also where that still waits in its inbox.
 */
import { existsSync } from "node:fs";
import { knownAmount, spending, type KnownAmount } from "../../core/amounts.ts";
import { MEASURES, type Measure } from "../../core/budget.ts";
import { vectorItems } from "../../core/persistent-collections.ts";
import { lastFailureWords, noAnswerText, unheldText } from "../../core/report/phrases.ts";
import type { RunInput } from "../../core/run/input.ts";
import { noteText } from "../../core/run/note.ts";
import { needsPerson, phases } from "../../core/run/view.ts";
import { systemProcesses } from "../../engines/system.ts";
import type { JournalReader, RunRow } from "../../journal/reader.ts";
import { diskUse } from "../../workspace/result/clean-up.ts";
import { loadRun } from "../../workspace/repository/open-run.ts";
import { defined, operation } from "../operation.ts";
import { withHome, withRun, workspaceFolder, type OpenHome } from "./open-run.ts";
import { elsewhereText, runsByPlace } from "./find-run.ts";
import { recordedRun } from "./recorded.ts";
import { alertOf } from "./run-view.ts";

export const listRuns = operation({
  name: "list",
  schemas: async () => (await import("./reading-schemas.ts")).listRuns,
  run: (context, { all: isAsked }) =>
    withHome(async (open) => {
      const { here, own, others } = await runsByPlace(context, open.journal);
      const all = isAsked === true || here === undefined;
      const rows = all ? await open.journal.runs() : own;
      const runs = await Promise.all(rows.map((row) => listed(open, row)));
      return { runs, all, elsewhere: all ? "" : elsewhereText(others) };
    }),
});

async function listed({ home, journal }: OpenHome, { repo, outcome, ...row }: RunRow) {
  const workspace = workspaceFolder(home, row.id);
  const loaded = await loadRun(workspace);
  const branch = loaded.ok ? loaded.value.branch : null;
  return {
    ...row,
    state: await stateText(journal, { ...row, ...defined({ outcome }) }),
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
      const { state, history } = await recordedRun(journal, row.id);
      const { bytes } = await diskUse(workspaceFolder(home, row.id)).catch(() => ({ bytes: 0 }));
      const shown = phases(state);
      const amounts = MEASURES.map((measure) => [measure, knownAmount(state, measure)] as const);
      return {
        ...own,
        diskBytes: bytes,
        ...defined({ outcome: state.outcome, paused: state.paused }),
        spent: Object.fromEntries(amounts) as Record<Measure, KnownAmount>,
        spentWords: spending(state),
        unheld: state.unheld.map((unheld) => ({ ...unheld, words: unheldText(unheld) })),
        subtasks: vectorItems(state.subtasks).map((subtask, index) => {
          const id = state.plan.subtasks[index]?.id ?? "";
          const { timer, unanswered } = subtask;
          return {
            id,
            phase: shown[index] ?? subtask.phase,
            attempts: subtask.attempt,
            lastFailure: subtask.attempts.findLast(({ success }) => !success)?.kind,
            lastFailureWords: lastFailureWords(history.subtasks.get(id)?.events ?? []),
            wakesAt: timer === undefined ? undefined : new Date(timer.dueAt).toISOString(),
            alertWords: alertOf(shown[index] ?? subtask.phase, history.subtasks.get(id)),
            question: subtask.checkpoint?.question,
            unanswered,
            unansweredWords: unanswered === undefined ? undefined : noAnswerText(id, unanswered),
            notes: subtask.notes.map((note) => ({ ...note, words: noteText(note) })),
            errorCount: subtask.errors,
            isHiccup: subtask.isHiccup,
          };
        }),
      };
    }),
});

/** Also of one that has ended: its owner may still publish. */
export const hasLivingOwner = ({ owner }: Pick<RunRow, "owner">): boolean =>
  owner !== undefined && !systemProcesses().isDead(owner);

export const isWorkedOn = (row: Pick<RunRow, "owner" | "phase">): boolean =>
  row.phase !== "ended" && hasLivingOwner(row);

const INBOX_ROWS = 1000;

/** What was told to a run that nobody works on. */
export async function toldTo(journal: JournalReader, run: string): Promise<readonly RunInput[]> {
  const rows = await journal.posted(run, 0, INBOX_ROWS);
  return rows.flatMap((row) => ("input" in row ? [row.input] : []));
}

async function stateText(journal: JournalReader, row: Omit<RunRow, "repo">): Promise<string> {
  const { outcome, phase, seq, id } = row;
  // What was stopped before stopping meant pausing had ended.
  if (outcome !== undefined) return outcome === "stopped" ? "cancelled" : outcome;
  if (isWorkedOn(row)) return phase === "pausing" ? "pausing" : "running";
  if (seq === 0) return "not begun";
  const { state } = await recordedRun(journal, id);
  if (needsPerson(state)) return "needs you";
  if (await isStoppedByPerson(journal, id)) return "paused by you";
  return state.paused === undefined ? "cut off" : "paused by the system";
}

/** A run that nobody works on was stopped by a person; a crash is the system's doing. */
export async function isStoppedByPerson(journal: JournalReader, run: string): Promise<boolean> {
  const told = (await toldTo(journal, run)).findLast((input) => input.kind === "pause-requested");
  const { by } = told ?? (await recordedRun(journal, run)).state.paused ?? {};
  return by === "user";
}

/** The number of the last pause, also of one that nobody has taken note of yet. */
export async function lastPause(journal: JournalReader, run: string): Promise<number> {
  const { pauses } = (await recordedRun(journal, run)).state;
  const told = await toldTo(journal, run);
  return Math.max(
    pauses,
    ...told.map((input) => (input.kind === "pause-requested" ? input.pause : 0)),
  );
}
