/**
 * The records of runs, for reading and sharing: why each decision was made (U8), how well recovery works (A10), and
 * exporting and importing the attempts in the source's JSON (B8) or the episodes (D6). Invariants: everything reported
 * is in the journal, nothing is decided again; the same file is imported only once.
 */
import { exportHistory, exportedSubtask } from "../../core/history/attempt-history.ts";
import { salvage } from "../../core/history/imported-history.ts";
import { importedEvents, type Salvaged } from "../../core/history/imported-run.ts";
import { addMetrics, NO_RECOVERIES } from "../../core/history/recovery-metrics.ts";
import { explainer } from "../../core/report/explanation.ts";
import { standardRules } from "../../core/rules/standard.ts";
import { phases } from "../../core/run/view.ts";
import { eventText } from "../../journal/event-text.ts";
import type { Journal } from "../../journal/journal.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { operation, notNow, ProblemError } from "../operation.ts";
import { redact } from "../redaction.ts";
import { sha256 } from "../text.ts";
import { withHome, withRun } from "./open-run.ts";
import { findRun } from "./find-run.ts";
import { recordedEvents, recordedRun } from "./recorded.ts";

export const explainRun = operation({
  name: "explain",
  schemas: async () => (await import("./reading-schemas.ts")).explainRun,
  run: (context, { run, subtask, event: wanted }) =>
    withRun(context, run, async ({ journal, row }) => {
      const { explain } = explainer();
      const found = [];
      for await (const { seq, event } of recordedEvents(journal, row.id)) {
        const explained = explain(seq, event);
        if (explained === undefined || (wanted ?? seq) !== seq) continue;
        if (subtask !== undefined && explained.subtask !== subtask) continue;
        found.push({ ...explained, event });
      }
      return { run: row.id, begun: row.seq > 0, decisions: found };
    }),
});

export const measureRecovery = operation({
  name: "metrics",
  schemas: async () => (await import("./reading-schemas.ts")).measureRecovery,
  run: (context, { run }) =>
    withHome(async ({ journal }) => {
      const rows =
        run === undefined ? await journal.runs() : [await findRun(context, journal, run)];
      let sum = NO_RECOVERIES;
      for (const { id } of rows)
        sum = addMetrics(sum, (await recordedRun(journal, id)).state.metrics);
      return { runs: rows.length, ...sum };
    }),
});

export const exportRun = operation({
  name: "export",
  schemas: async () => (await import("./reading-schemas.ts")).exportRun,
  run: (context, { run, episodes }) =>
    withRun(context, run, async ({ journal, row }) => {
      const { state, history } = await recordedRun(journal, row.id);
      if (episodes === true) return { episodes: history.episodes };
      const subtasks = phases(state).flatMap((phase, index) => {
        const past = history.subtasks.get(state.plan.subtasks[index]?.id ?? "");
        return past === undefined ? [] : [exportedSubtask(past, phase)];
      });
      return { history: exportHistory(subtasks) };
    }),
});

/** Imported as a run that has ended, so that every operation can show it. */
export const importRun = operation({
  name: "import",
  schemas: async () => (await import("./schemas.ts")).importRun,
  async run(_, { text, name }) {
    refuseInsideAttempt("import");
    const read = salvage(redact(text));
    if ("problem" in read)
      throw new ProblemError(
        "bad-input",
        `${name}: ${read.place === "" ? "" : `${read.place}: `}${read.problem}`,
      );
    const run = `imported-${sha256(text).slice(0, 10)}`;
    await withHome(({ journal }) => store(journal, run, name, read));
    const { skipped, subtasks, episodes } = read;
    return {
      run,
      subtasks: subtasks.length,
      attempts: subtasks.reduce((sum, { attempts }) => sum + attempts.length, 0),
      episodes: episodes.length,
      skipped,
    };
  },
});

async function store(
  journal: Journal,
  run: string,
  name: string,
  { subtasks, episodes }: Salvaged,
): Promise<void> {
  const known = await journal.run(run);
  if (known !== undefined && known.seq > 0)
    throw notNow(run, `${name} has been imported already, as run ${run}`);
  const at = Date.now();
  const title = `imported from ${name}`;
  const events = importedEvents({ run, title, subtasks, episodes, at }, standardRules());
  const last = events.at(-1);
  await journal.describe(run, { repo: "", title, at });
  const claim = await journal.claim(run, at);
  try {
    const appended = await journal.append({
      claim,
      expected: 0,
      events: events.map(eventText),
      taken: [],
      phase: "ended",
      ...(last?.kind === "run-ended" ? { outcome: last.outcome } : {}),
      at,
    });
    if (!appended.ok) throw notNow(run, `${name} is being imported by another process`);
  } finally {
    await journal.release(claim);
  }
}
