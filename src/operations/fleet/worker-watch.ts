/**
 * Watches one worker from a process of its own, and tells the fleet of its death at once. Started by watch-worker.ts with
 * the worker's guards told over standard input, whose end is the worker's. Invariants: the fleet is told only when every
 * process of the worker's attempts and checks is proven dead, so nobody else begins beside one that lives; where that
 * cannot be proven, nothing is told, and the worker's lease decides.
 */
import { messageReader } from "../../agents/process/guard-messages.ts";
import { startTimeOf } from "../../agents/process/proc-files.ts";
import { proveDead } from "../../agents/process/proof-of-death.ts";
import { ingress } from "../../engines/restate/ingress.ts";
import { FLEET_OBJECT, ONLY } from "../../engines/restate/messages.ts";
import type { ProcessIdentity } from "../../runtime/agent-result.ts";
import type { ToWatch } from "./watch-worker.ts";

/** As long as guards leave what they end. */
const GRACE_MS = 2000;
/** An engine that is away for longer learns of it from the other workers, or when this one comes back. */
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
    // Those that ended while the worker lived are its own matter.
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
