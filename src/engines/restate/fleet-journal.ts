/**
 * The runs of a fleet, readable from any machine through the same interface as a journal in a file, over the engine's
 * ingress. Invariants: it reads only what the runs' objects store; an input is posted by delivering it; no run of the
 * fleet can be claimed through it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { JournalError } from "../../journal/error.ts";
import type { Change } from "../../journal/changes.ts";
import type { StoredJournal } from "../../journal/journal.ts";
import type { RunRow } from "../../journal/reader.ts";
import { defined } from "../../core/defined.ts";
import { fleetLearned } from "./fleet-learned.ts";
import { fleetIncidents } from "./incident-object.ts";
import type { IndexList, IndexRow } from "./index-object.ts";
import type { Ingress } from "./ingress.ts";
import { INDEX_OBJECT, ONLY, RUN_OBJECT, type RunHead } from "./messages.ts";
import { deliverTo, readEvents } from "./run-states.ts";

const LOOK_MS = 300;

export function fleetJournal(engine: Ingress): StoredJournal {
  const closing = new AbortController();
  const incidents = fleetIncidents(engine);
  const list = async (since?: number): Promise<{ rows: readonly RunRow[]; total: number }> => {
    const asked = defined({ since });
    const { rows, total } = await engine.call<IndexList>(INDEX_OBJECT, ONLY, "list", asked);
    const found = rows.map(({ run, fleet, ...row }) => runRow(run, row, fleet));
    return { rows: found.sort(newestFirst), total };
  };
  const head = (run: string): Promise<RunHead | null> => engine.call(RUN_OBJECT, run, "head");
  return {
    mode: "wal",
    incidents,
    runs: async () => (await list()).rows,
    async run(id) {
      const found = await head(id);
      return found === null ? undefined : runRow(id, found, found.source !== undefined);
    },
    runsSince: async (at) => ({ ...(await list(at)), waiting: new Map() }),
    async read(run, from, limit) {
      const rows = await readEvents(engine, run, Math.max(1, from), limit);
      return rows.map(({ seq, event, text }) => ({ seq, event, size: text.length }));
    },
    snapshot: () => Promise.resolve(undefined),
    posted: () => Promise.resolve([]),
    watch: (listener) => watched(engine, listener, closing.signal),
    close: () => Promise.resolve(closing.abort()),
    learned: fleetLearned(incidents),
    claim: () => refused("the fleet keeps it, and its workers alone work on it"),
    release: () => Promise.resolve(),
    remove: () => refused("it stays in the list of its runs"),
    shrink: () => Promise.resolve(),
    append: () => refused("events are recorded by the fleet alone"),
    saveSnapshot: () => Promise.resolve(),
    async post(run, input) {
      await deliverTo(engine, run, input);
    },
    describe: (run, { repo, title, at }) =>
      engine.call(RUN_OBJECT, run, "describe", { repo, title, created: at }),
  };
}

const refused = (why: string): Promise<never> =>
  Promise.reject(new JournalError("run-owned", `This is a run of the fleet: ${why}.`));

const newestFirst = (a: RunRow, b: RunRow): number =>
  b.created - a.created || (a.id < b.id ? 1 : -1);

function runRow(
  id: string,
  { created, repo, title, phase, outcome, seq, changed, summary }: Omit<IndexRow, "run" | "fleet">,
  isOfFleet: boolean,
): RunRow {
  const known = { outcome, summary, fleet: isOfFleet ? (true as const) : undefined };
  return { id, created, repo, title, phase, seq, changed, ...defined(known) };
}

/** Notifies when the list of runs says that something may have changed. */
function watched(
  engine: Ingress,
  listener: (change: Change) => void,
  closing: AbortSignal,
): () => void {
  const ending = new AbortController();
  const stop = AbortSignal.any([ending.signal, closing]);
  const look = async (): Promise<void> => {
    for (let known = -1; !stop.aborted;) {
      const now = await engine.call<number>(INDEX_OBJECT, ONLY, "changes").catch(() => known);
      if (known !== -1 && now !== known && !stop.aborted) listener({ kind: "foreign" });
      known = now;
      await sleep(LOOK_MS, undefined, { signal: stop }).catch(() => undefined);
    }
  };
  void look();
  return () => ending.abort();
}
