/** Journals of several pretended processes on one file, for the contract suite and tests of the embedded engine. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { embeddedEngine } from "../../src/engines/embedded.ts";
import type { EmbeddedOptions } from "../../src/engines/embedded.ts";
import { systemClock } from "../../src/engines/system-clock.ts";
import { openJournal } from "../../src/journal/journal.ts";
import type { Journal, JournalOptions } from "../../src/journal/journal.ts";
import type { OwnerProcess, Processes } from "../../src/journal/owners.ts";
import type { Engine } from "../../src/runtime/ports.ts";
import type { EngineStore } from "../../src/testing/engine-suite.ts";

export interface EmbeddedProcess {
  readonly engine: Engine;
  readonly journal: Journal;
  readonly problems: unknown[];
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
