/**
 * The object through which one worker receives its commands, keyed by run, so that the commands of a run arrive in
 * order. Invariants: it answers at once; the work runs in the background, and its outcome comes back as an input; the
 * worker itself recognizes a command that arrives twice.
 */
import { workerObjectName, type Perform } from "./messages.ts";
import type { GivenMessage } from "./fleet-messages.ts";
import type { ObjectContext, Sdk } from "./sdk.ts";

export function workerObject(
  sdk: Sdk,
  worker: string,
  hears: {
    perform(message: Perform): Promise<void>;
    /** Takes a command of a run that the whole fleet works on. */
    take(message: GivenMessage): Promise<void>;
  },
): unknown {
  return sdk.object({
    name: workerObjectName(worker),
    options: {
      enableLazyState: true,
      journalRetention: 0,
      inactivityTimeout: 3_600_000,
      abortTimeout: 3_600_000,
      // A worker that is unreachable for this long is dead or cut off: whoever detects that reassigns its work.
      retryPolicy: {
        ...{ initialInterval: 100, exponentiationFactor: 2, maxInterval: 1000 },
        ...{ maxAttempts: 40, onMaxAttempts: "kill" },
      },
    },
    handlers: {
      perform: (_: ObjectContext, message: Perform): Promise<void> => hears.perform(message),
      take: (_: ObjectContext, message: GivenMessage): Promise<void> => hears.take(message),
    },
  });
}
