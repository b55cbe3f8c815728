/** Journals and engines of several pretended processes on one file, for the contract suite and tests of the embedded engine. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { embeddedEngine, type EmbeddedOptions } from "../../src/engines/embedded.ts";
import { systemClock } from "../../src/engines/system.ts";
import { openJournal, type Journal, type JournalOptions } from "../../src/journal/journal.ts";
import type { OwnerProcess, Processes } from "../../src/journal/owners.ts";
import type { Clock, Engine } from "../../src/runtime/ports.ts";
import type { EngineStore } from "./contract/suite.ts";

export interface EmbeddedProcess {
  readonly engine: Engine;
  readonly journal: Journal;
  readonly problems: unknown[];
  /** From now on others take it for dead, though it is not. */
  forsake(): void;
  kill(): Promise<void>;
}

export interface EmbeddedStore extends EngineStore {
  readonly path: string;
  start(options?: Partial<EmbeddedOptions>): Promise<EmbeddedProcess>;
}

export async function embeddedStore(more: Partial<JournalOptions> = {}): Promise<EmbeddedStore> {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-engine-"));
  const path = join(folder, "journal.db");
  const dead = new Set<number>();
  const living = new Set<EmbeddedProcess>();
  let pids = 0;
  return {
    path,
    async start(options = {}) {
      const self = { pid: (pids += 1), startTime: "1", bootId: "boot" };
      const journal = await openJournal({ path, processes: pretended(self, dead), ...more });
      const problems: unknown[] = [];
      const engine = embeddedEngine({
        journal,
        clock: systemClock(),
        random: () => 0.5,
        onProblem: (_, problem) => void problems.push(problem),
        ...options,
      });
      const started: EmbeddedProcess = {
        engine,
        journal,
        problems,
        forsake: () => void dead.add(self.pid),
        async kill() {
          dead.add(self.pid);
          living.delete(started);
          await journal.close();
        },
      };
      living.add(started);
      return started;
    },
    async close() {
      for (const { journal } of living) await journal.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export const pretended = (self: OwnerProcess, dead: ReadonlySet<number>): Processes => ({
  self,
  isDead: ({ pid }) => dead.has(pid),
});

/** A clock that moves only when it is told to. */
export function manualClock(start: number): Clock & { set(time: number): void } {
  let now = start;
  const waiting = new Set<{ readonly time: number; readonly callback: () => void }>();
  const look = (): void => {
    for (const entry of [...waiting])
      if (entry.time <= now && waiting.delete(entry)) entry.callback();
  };
  return {
    now: () => now,
    at(time, callback) {
      const entry = { time, callback };
      waiting.add(entry);
      setImmediate(look);
      return () => void waiting.delete(entry);
    },
    set(time) {
      now = time;
      look();
    },
  };
}

export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const until = Date.now() + 300_000; !(await holds());) {
    assert.ok(Date.now() < until, "it did not happen in time");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
