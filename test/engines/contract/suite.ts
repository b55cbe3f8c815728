/**
 * The contract suite: what any engine has to show before the runtime may stand on it. Real time, real `decide`,
 * preset policies; nothing in it knows how the engine stores or runs things.
 */
import { test } from "node:test";
import type { EngineStore } from "./engine-case.ts";
import { OWNING } from "./owning.ts";
import { RECORDING } from "./recording.ts";
import { TIMING, WATCHING } from "./timing.ts";

export type { EngineProcess, EngineStore } from "./engine-case.ts";

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
