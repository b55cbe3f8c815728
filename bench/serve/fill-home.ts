/**
 * Runs for the benchmark of the server: one is played in memory, and copies of it are written straight into a journal.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ladder } from "../../src/core/policy/ladder.ts";
import { PRESETS } from "../../src/core/policy/presets.ts";
import type { RunEvent } from "../../src/core/run/decision.ts";
import { fold } from "../../src/core/run/fold/fold.ts";
import { NEW_RUN } from "../../src/core/run/new-run.ts";
import { runSummary } from "../../src/core/run/run-summary.ts";
import type { RunState } from "../../src/core/run/state.ts";
import { embeddedEngine } from "../../src/engines/embedded.ts";
import { systemClock, systemProcesses } from "../../src/engines/system.ts";
import { eventText, type RowText } from "../../src/journal/event-text.ts";
import { openJournal, type Journal } from "../../src/journal/journal.ts";
import { goodAnswer, runStarted, scriptedPlan } from "../../test/engines/contract/script.ts";

export const openHomeJournal = (home: string): Promise<Journal> =>
  openJournal({ path: join(home, "unstuck.db"), processes: systemProcesses() });

/** The events of a run whose subtasks all work at once. */
export async function playedRun(subtasks: number): Promise<readonly RunEvent[]> {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-bench-"));
  const journal = await openHomeJournal(folder);
  const ended = Promise.withResolvers<void>();
  const engine = embeddedEngine({
    ...{ journal, clock: systemClock(), random: () => 0.5 },
    onProblem: (_, problem) => ended.reject(problem),
  });
  const owned = await engine.own("run", ladder(PRESETS.standard), (command) => {
    const answer = goodAnswer(command, Date.now());
    if (answer !== undefined) engine.deliver("run", answer).catch(ended.reject);
  });
  journal.watch(() => {
    void journal.run("run").then((row) => {
      if (row?.phase === "ended") ended.resolve();
    });
  });
  const names = Array.from({ length: subtasks }, (_, index) => `subtask-${index}`);
  await engine.deliver("run", runStarted("run", scriptedPlan(names, "beside"), Date.now()));
  await ended.promise;
  const rows = await journal.read("run", 1, 1_000_000);
  await owned.release();
  await journal.close();
  rmSync(folder, { recursive: true });
  return rows.map(({ event }) => event);
}

const textFor = (event: RunEvent, run: string): RowText =>
  eventText(event).replaceAll('"run":"run"', `"run":"${run}"`) as RowText;

/** Writes a run piece by piece, as its owner would; returns whether there is more. */
export async function runWriter(
  journal: Journal,
  run: string,
  { events, at, repo }: { events: readonly RunEvent[]; at: number; repo: string },
): Promise<(count: number, now?: number) => Promise<boolean>> {
  await journal.describe(run, { repo, title: `Make part ${run} work`, at });
  const claim = await journal.claim(run, at);
  let state: RunState = NEW_RUN;
  let done = 0;
  return async (count, now = Date.now()) => {
    const next = events.slice(done, done + count);
    for (const event of next) state = fold(state, event);
    await journal.append({
      ...{ claim, expected: done, events: next.map((event) => textFor(event, run)), taken: [] },
      ...{ phase: state.phase, summary: runSummary(state), at: now },
      ...(state.outcome === undefined ? {} : { outcome: state.outcome.kind }),
    });
    done += next.length;
    return done < events.length;
  };
}

/** Ids of runs a minute apart, the last one an hour ago. */
export const idOf = (index: number): string =>
  `20260101-${String(index % 10_000).padStart(4, "0")}-${index.toString(16).padStart(6, "0")}`;

export async function fillHome(
  home: string,
  repo: string,
  { runs, events }: { readonly runs: number; readonly events: readonly RunEvent[] },
): Promise<void> {
  const journal = await openHomeJournal(home);
  const first = Date.now() - (runs + 60) * 60_000;
  for (let index = 0; index < runs; index += 100)
    await Promise.all(
      Array.from({ length: Math.min(100, runs - index) }, async (_, more) => {
        const at = first + (index + more) * 60_000;
        const write = await runWriter(journal, idOf(index + more), { events, at, repo });
        await write(events.length, at);
      }),
    );
  await journal.close();
}
