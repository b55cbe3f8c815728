/**
 * One run: its card, and everything known about it with its subtasks and disk use. Without a readable workspace only
 * the card's changes are missing.
 */
import { existsSync } from "node:fs";
import { knownAmount, spending, type KnownAmount } from "../../core/amounts.ts";
import { MEASURES, type Measure } from "../../core/budget.ts";
import { vectorItems } from "../../core/persistent-collections.ts";
import { lastFailureWords, noAnswerText, unenforcedBudgetText } from "../../core/report/phrases.ts";
import { noteText } from "../../core/run/note.ts";
import { phases } from "../../core/run/view.ts";
import type { Run } from "../../workspace/base/run-folder.ts";
import { resultTip } from "../../workspace/git/commits.ts";
import { linesByFile } from "../../workspace/git/read-objects.ts";
import { loadRun } from "../../workspace/repository/open-run.ts";
import { hasApplied } from "../../workspace/result/apply.ts";
import { defined, operation } from "../operation.ts";
import { isOf, repositoryHere } from "../runs/find-run.ts";
import { withRun, workspaceFolder, type OpenRun } from "../runs/open-run.ts";
import type { RecordedRun } from "../runs/recorded.ts";
import { sizeOf } from "../runs/shared-home.ts";
import { alertOf } from "../follow/run-view.ts";
import { startedIn } from "../runs/started-with.ts";
import { listed, standingRow, type ListedRun } from "../runs/status.ts";
import type { timedFold } from "../serve/kept-runs.ts";
import { derivedFromRun } from "../serve/derived-from-run.ts";
import { makeCard, type CardFacts } from "./card.ts";
import type { Card } from "./card-schema.ts";
import type { Standing } from "./run-state.ts";

/** Undefined if the run has not begun. */
export async function cardOf(open: OpenRun, recorded: RecordedRun): Promise<Card | undefined> {
  const { journal, row } = open;
  if (row.seq === 0) return undefined;
  const { standing } = await standingRow(journal, row);
  const [first] = await journal.read(row.id, 1, 1);
  return makeCard({
    ...{ ...recorded, ...(await workspaceFacts(open)) },
    ...{ run: row.id, standing, now: Date.now(), plan: startedIn(first?.event)?.plan },
  });
}

type WorkspaceFacts = Pick<CardFacts, "applied" | "files" | "folderIsGone">;

async function workspaceFacts({ home, row }: OpenRun): Promise<WorkspaceFacts> {
  const workspace = workspaceFolder(home, row.id);
  if (!existsSync(workspace))
    return { applied: false, folderIsGone: row.repo !== "" && row.fleet !== true };
  const loaded = await loadRun(workspace);
  if (!loaded.ok) return { applied: false, folderIsGone: false };
  const files = await changedFiles(loaded.value).catch(() => undefined);
  return { applied: await hasApplied(loaded.value), files, folderIsGone: false };
}

async function changedFiles(run: Run): Promise<CardFacts["files"]> {
  const lines = await linesByFile(run, { from: run.base, to: await resultTip(run) });
  return lines.ok ? lines.value : undefined;
}

export const readRun = operation({
  name: "read",
  schemas: async () => (await import("../runs/reading-schemas.ts")).readRun,
  run: (context, { run }) =>
    withRun(context, run, async (open) => {
      const { home, journal, row } = open;
      const here = await repositoryHere(context.cwd);
      const isHere = here !== undefined && (await isOf(here, row.repo));
      const one = await standingRow(journal, row);
      const workspace = workspaceFolder(home, row.id);
      const facts = {
        listing: await listed(open, one, isHere, row.id),
        ...{ standing: one.standing, now: Date.now(), workspace: await workspaceFacts(open) },
        diskBytes: existsSync(workspace) ? await sizeOf(workspace).catch(() => 0) : 0,
      };
      // Time counts only while something may be in progress.
      const isOver = row.phase === "ended" || one.standing.state === "interrupted";
      return derivedFromRun(journal, row, {
        ...{ name: "read", key: JSON.stringify(isOver ? { ...facts, now: 0 } : facts) },
        make: (folded) => toldOf(facts, folded),
      });
    }),
});

interface ReadFacts {
  readonly listing: ListedRun;
  readonly standing: Standing;
  readonly workspace: WorkspaceFacts;
  readonly diskBytes: number;
  readonly now: number;
}

function toldOf(facts: ReadFacts, folded: ReturnType<typeof timedFold>) {
  const { listing, standing, workspace, diskBytes, now } = facts;
  const [state, history, started] = [folded.state(), folded.history(), startedIn(folded.first())];
  const shown = phases(state);
  const amounts = MEASURES.map((measure) => [measure, knownAmount(state, measure)] as const);
  const known = { run: listing.id, standing, now, plan: started?.plan };
  return {
    ...listing,
    card: listing.seq === 0 ? undefined : makeCard({ state, history, ...known, ...workspace }),
    diskBytes,
    ...defined({ outcome: state.outcome, paused: state.paused }),
    ...defined({ startedBy: started?.startedBy }),
    spent: Object.fromEntries(amounts) as Record<Measure, KnownAmount>,
    spentWords: spending(state),
    unheld: state.unheld.map((unheld) => ({ ...unheld, words: unenforcedBudgetText(unheld) })),
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
}
