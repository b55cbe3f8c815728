/**
 * One run: its card, and all that is known of it with its subtasks and its disk use. A workspace that is gone or cannot
 * be read costs the card its changes, and nothing else.
 */
import { existsSync } from "node:fs";
import { knownAmount, spending, type KnownAmount } from "../../core/amounts.ts";
import { MEASURES, type Measure } from "../../core/budget.ts";
import { vectorItems } from "../../core/persistent-collections.ts";
import { lastFailureWords, noAnswerText, unheldText } from "../../core/report/phrases.ts";
import { noteText } from "../../core/run/note.ts";
import { phases } from "../../core/run/view.ts";
import type { Run } from "../../workspace/base/run-folder.ts";
import { resultTip } from "../../workspace/git/commits.ts";
import { linesByFile } from "../../workspace/git/read-objects.ts";
import { loadRun } from "../../workspace/repository/open-run.ts";
import { hasApplied } from "../../workspace/result/apply.ts";
import { diskUse } from "../../workspace/result/clean-up.ts";
import { defined, operation } from "../operation.ts";
import { isOf, repositoryHere } from "../runs/find-run.ts";
import { withRun, workspaceFolder, type OpenRun } from "../runs/open-run.ts";
import { recordedRun, type RecordedRun } from "../runs/recorded.ts";
import { alertOf } from "../follow/run-view.ts";
import { startedWith, type StartedWith } from "../runs/started-with.ts";
import { listed, standingRow } from "../runs/status.ts";
import { makeCard, type CardFacts } from "./card.ts";
import type { Card } from "./card-schema.ts";

/** Nothing of a run that has not begun. */
export async function cardOf(
  open: OpenRun,
  recorded?: RecordedRun,
  known?: { readonly started: StartedWith | undefined },
): Promise<Card | undefined> {
  const { home, journal, row } = open;
  if (row.seq === 0) return undefined;
  const { standing } = await standingRow(journal, row);
  const workspace = workspaceFolder(home, row.id);
  const isGone = !existsSync(workspace);
  const loaded = isGone ? undefined : await loadRun(workspace);
  const { started } = known ?? { started: await startOf(open) };
  return makeCard({
    ...(recorded ?? (await recordedRun(journal, row.id))),
    ...{ run: row.id, standing, now: Date.now(), plan: started?.plan },
    applied: loaded?.ok === true && (await hasApplied(loaded.value)),
    files:
      loaded?.ok === true ? await changedFiles(loaded.value).catch(() => undefined) : undefined,
    folderIsGone: row.repo !== "" && row.fleet !== true && isGone,
  });
}

/** Nothing of imported history. */
const startOf = ({ journal, row }: OpenRun): Promise<StartedWith | undefined> =>
  startedWith(journal, row.id).catch(() => undefined);

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
      const listing = await listed(open, await standingRow(journal, row), isHere, row.id);
      const recorded = await recordedRun(journal, row.id);
      const started = await startOf(open);
      const { state, history } = recorded;
      const workspace = workspaceFolder(home, row.id);
      const { bytes } = existsSync(workspace)
        ? await diskUse(workspace).catch(() => ({ bytes: 0 }))
        : { bytes: 0 };
      const shown = phases(state);
      const amounts = MEASURES.map((measure) => [measure, knownAmount(state, measure)] as const);
      return {
        ...listing,
        card: await cardOf(open, recorded, { started }),
        diskBytes: bytes,
        ...defined({ outcome: state.outcome, paused: state.paused }),
        ...defined({ startedBy: started?.startedBy }),
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
