/**
 * Keeps one living decider: the process that serves the objects of runs, fleet and list, which is the one registered
 * last. If it is dead, a living process takes its place. The decider also takes over calls left at dead addresses,
 * because later calls queue behind them, and removes registrations of the dead. Invariants: a decider that answers is
 * never replaced from here; several processes that take over at once do no harm, the last one stays.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Admin } from "./admin.ts";
import { probeAddress } from "./endpoint.ts";
import { RUN_OBJECT } from "./messages.ts";

const LOOK_MS = 1000;
/** A decider that cannot be reached from here may still be alive: the engine may reach it. */
const SILENT_LOOKS = 10;

export async function keepLivingDecider(
  admin: Admin,
  address: string,
  stop: AbortSignal,
  onProblem: (problem: unknown) => void,
): Promise<void> {
  let silent = 0;
  while (!stop.aborted) {
    try {
      const host = await admin.hostOf(RUN_OBJECT);
      const found =
        host === undefined ? "refused" : host === address ? "here" : await probeAddress(host);
      silent = found === "silent" ? silent + 1 : 0;
      if ((found === "refused" || silent >= SILENT_LOOKS) && !stop.aborted) {
        await admin.register(address);
        if (host !== undefined && host !== address) await admin.pointAway(host, address);
      }
      if (host === address) {
        for (const other of await admin.addresses())
          if (other !== address && (await probeAddress(other)) === "refused")
            await admin.pointAway(other, address);
        await admin.removeIdle();
      }
    } catch (error) {
      onProblem(error);
    }
    await sleep(LOOK_MS, undefined, { signal: stop }).catch(() => undefined);
  }
}
