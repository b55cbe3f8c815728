/**
 * Gathers what the HTML report shows beyond a report's data: decisions, waits, diffs, and the state of the run.
 * Invariants: secrets are redacted from diffs too; without the workspace only the diffs are missing.
 */
import { spending } from "../../core/amounts.ts";
import { defined } from "../../core/defined.ts";
import { explainer } from "../../core/report/explanation.ts";
import type { Explanation } from "../../core/report/explanation-parts.ts";
import type { ShownDiff } from "../../core/report/html/diff-block.ts";
import type { ReportPage } from "../../core/report/html/report-page.ts";
import type { ReportedRun } from "../../core/report/run-report.ts";
import { timeSpans } from "../../core/report/time-spans.ts";
import type { Run } from "../../workspace/base/run-folder.ts";
import { resultTip } from "../../workspace/git/commits.ts";
import { diffText } from "../../workspace/git/read-objects.ts";
import { redactionOfRun } from "../redaction.ts";
import type { OpenRun } from "../runs/open-run.ts";
import { recordedEvents, type RecordedRun } from "../runs/recorded.ts";
import { cardOf } from "../status/read-run.ts";

const RESULT_BYTES_MAX = 300_000;
const ATTEMPT_BYTES_MAX = 30_000;
const ATTEMPTS_MAX = 40;

export async function gatherPage(
  open: OpenRun,
  run: ReportedRun,
  recorded: RecordedRun,
  workspace: Run | undefined,
): Promise<ReportPage> {
  const { startedAt, at } = recorded.history;
  const ids = new Set(run.subtasks.map(({ id }) => id));
  const isTold = ({ subtask }: { readonly subtask?: string }): boolean =>
    subtask === undefined || ids.has(subtask);
  const { explain } = explainer();
  const times = timeSpans();
  const decisions: Explanation[] = [];
  for await (const { seq, event } of recordedEvents(open.journal, run.run)) {
    times.add(event);
    const explained = explain(seq, event);
    if (explained !== undefined && isTold(explained)) decisions.push(explained);
  }
  const card = await cardOf(open, recorded);
  const diffs = diffReader(open, workspace);
  return {
    ...{ run, decisions, spans: times.spans().filter(isTold) },
    ...{ state: card?.state ?? run.outcome, sentence: card?.sentence ?? run.reason },
    ...{ checks: card?.checks ?? [], spent: spending(recorded.state) },
    ...{ startedAt: startedAt ?? at, endedAt: at, madeAt: Date.now() },
    attemptDiffs: await failedDiffs(run, diffs),
    ...defined({
      branch: card?.branch,
      diff: workspace && (await diffs(workspace.base, await tipOf(workspace), RESULT_BYTES_MAX)),
    }),
  };
}

type DiffReader = (
  from: string,
  to: string | undefined,
  maxBytes: number,
) => Promise<ShownDiff | undefined>;

function diffReader({ home, row }: OpenRun, workspace: Run | undefined): DiffReader {
  const redaction = redactionOfRun(home.runDir(row.id));
  return async (from, to, maxBytes) => {
    if (workspace === undefined || to === undefined) return undefined;
    const read = await diffText(workspace, { from, to, maxBytes });
    return read.ok ? { text: redaction.text(read.value.text), cut: read.value.cut } : undefined;
  };
}

const tipOf = (workspace: Run): Promise<string | undefined> =>
  resultTip(workspace).catch(() => undefined);

/** Successful work is in the result's diff. */
async function failedDiffs(
  { subtasks }: ReportedRun,
  diffs: DiffReader,
): Promise<ReadonlyMap<string, ShownDiff>> {
  const found = new Map<string, ShownDiff>();
  for (const { id, past } of subtasks)
    for (const { attempt, failure, treeBefore = "", treeAfter = "" } of past.attempts.values()) {
      if (failure === undefined || treeBefore === "" || treeAfter === treeBefore) continue;
      if (treeAfter === "" || found.size >= ATTEMPTS_MAX) continue;
      const diff = await diffs(treeBefore, treeAfter, ATTEMPT_BYTES_MAX);
      if (diff !== undefined) found.set(`${id}/${attempt}`, diff);
    }
  return found;
}
