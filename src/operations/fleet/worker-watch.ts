/**
 * Watches one worker from a separate process, and reports its death to the fleet at once. Started by watch-worker.ts;
 * the worker's guards are sent over standard input, which ends with the worker. Invariants: the death is reported only
 * when every process of the worker's attempts and checks is proven dead, so that no other worker starts next to a
 * living one; if that cannot be proven, nothing is reported, and the worker's lease decides.
 */
import { messageReader } from "../../agents/process/guard-messages.ts";
import { startTimeOf } from "../../agents/process/proc-files.ts";
import { proveDead } from "../../agents/process/proof-of-death.ts";
import { ingress } from "../../engines/restate/ingress.ts";
import { FLEET_OBJECT, ONLY } from "../../engines/restate/messages.ts";
import type { ProcessIdentity } from "../../runtime/agent-result.ts";
import type { ToWatch } from "./watch-worker.ts";

/** The grace period that guards give the processes they end. */
const GRACE_MS = 2000;
/** If the engine is away for longer, other workers report it, or this worker comes back. */
const PATIENCE_MS = 10_000;

const [worker = "", epoch = "", ...urls] = process.argv.slice(2);
const guards = new Map<number, ProcessIdentity>();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
process.stdin.setEncoding("utf8");
process.stdin.on(
  "data",
  messageReader<ToWatch>((word) => {
    if ("left" in word) process.exit(0);
    const { guard } = word;
    // Guards that ended while the worker lived are the worker's own business.
    for (const { groupId, startTime } of guards.values())
      if (startTimeOf(groupId) !== startTime) guards.delete(groupId);
    guards.set(guard.groupId, guard);
  }),
);
process.stdin.on("error", () => undefined);
process.stdin.once("close", () => void bury());

async function bury(): Promise<void> {
  const proofs = await Promise.all(
    [...guards.values()].map((guard) => proveDead(guard, { graceMs: GRACE_MS })),
  );
  if (!proofs.every(({ dead }) => dead)) return;
  const fleet = ingress({ urls, patienceMs: PATIENCE_MS });
  await fleet.call(FLEET_OBJECT, ONLY, "lost", { id: worker, epoch }).catch(() => undefined);
}
