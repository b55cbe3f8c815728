/**
 * Metrics over all runs, for monitoring over months: how recovery went (A10), how many runs are in which state, what
 * they cost. Invariants: a run is folded again only when it has new events; counters do not decrease when a run is
 * removed.
 */
import {
  addMetrics,
  NO_RECOVERIES,
  type RecoveryMetrics,
} from "../../core/history/recovery-metrics.ts";
import type { OpenHome } from "../runs/open-run.ts";
import { recordedRun } from "../runs/recorded.ts";
import { standingRow } from "../runs/status.ts";

export interface Figures extends RecoveryMetrics {
  readonly runs: ReadonlyMap<string, number>;
  readonly questions: number;
  readonly usd: number;
}

export function createMeter({ journal }: OpenHome): () => Promise<Figures> {
  const known = new Map<string, { readonly seq: number; readonly metrics: RecoveryMetrics }>();
  return async () => {
    let [questions, usd] = [0, 0];
    const runs = new Map<string, number>();
    for (const row of await journal.runs()) {
      const { id, seq } = row;
      if (known.get(id)?.seq !== seq)
        known.set(id, { seq, metrics: (await recordedRun(journal, id)).state.metrics });
      const { standing, summary } = await standingRow(journal, row);
      runs.set(standing.state, (runs.get(standing.state) ?? 0) + 1);
      questions += row.phase === "ended" ? 0 : (summary.questions ?? 0);
      usd += summary.cost?.amount ?? 0;
    }
    const all = [...known.values()].map(({ metrics }) => metrics);
    return { ...all.reduce(addMetrics, NO_RECOVERIES), runs, questions, usd };
  };
}
