/**
 * Who decides: the objects of runs, fleet and list are served by one process at a time, the one that registered last.
 * When that one is dead, another that is alive takes its place; whoever decides also takes over what was begun at an
 * address where nothing listens any more, since what comes after it waits for it, and removes what is left over of the
 * dead. Invariants: a decider that answers is never replaced from here; several that take over at once do no harm, the
 * last one stays.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Admin } from "./admin.ts";
import { whoIsAt } from "./endpoint.ts";
import { RUN_OBJECT } from "./messages.ts";

const LOOK_MS = 1000;
/** A decider that cannot be reached from here may be well: the engine may reach it. */
const SILENT_LOOKS = 10;

export async function takeOverFromTheDead(
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
        host === undefined ? "refused" : host === address ? "here" : await whoIsAt(host);
      silent = found === "silent" ? silent + 1 : 0;
      if ((found === "refused" || silent >= SILENT_LOOKS) && !stop.aborted) {
        await admin.register(address);
        if (host !== undefined && host !== address) await admin.pointAway(host, address);
      }
      if (host === address) {
        for (const other of await admin.addresses())
          if (other !== address && (await whoIsAt(other)) === "refused")
            await admin.pointAway(other, address);
        await admin.removeIdle();
      }
    } catch (error) {
      onProblem(error);
    }
    await sleep(LOOK_MS, undefined, { signal: stop }).catch(() => undefined);
  }
}
