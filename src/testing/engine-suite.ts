/**
 * The contract suite: what any engine has to show before the runtime may stand on it. Real time, real `decide`,
 * preset policies; nothing in it knows how the engine stores or runs things.
 */
import { test } from "node:test";
import type { EngineStore } from "./engine-cases/engine-case.ts";
import { OWNING } from "./engine-cases/owning.ts";
import { RECORDING } from "./engine-cases/recording.ts";
import { TIMING, WATCHING } from "./engine-cases/timing.ts";

export type { EngineProcess, EngineStore } from "./engine-cases/engine-case.ts";

export function engineSuite(name: string, makeStore: () => Promise<EngineStore>): void {
  for (const [title, holds] of [...RECORDING, ...OWNING, ...TIMING, ...WATCHING])
    void test(`${name}: ${title}`, async () => {
      const store = await makeStore();
      try {
        await holds(store);
      } finally {
        await store.close();
      }
    });
}
