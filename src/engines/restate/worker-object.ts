/**
 * The object by which one worker is told what to do, with a key for each run, so that the commands of a run come in
 * their order. Invariants: it answers at once, the work goes on beside it, and its outcome comes back as an input; a
 * command that comes twice is the worker's to know.
 */
import { workerObjectName, type Perform } from "./messages.ts";
import type { GivenMessage } from "./fleet-messages.ts";
import type { ObjectContext, Sdk } from "./sdk.ts";

export function workerObject(
  sdk: Sdk,
  worker: string,
  hears: {
    perform(message: Perform): Promise<void>;
    /** Of a run that the whole fleet works on. */
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
      // A worker that cannot be reached for so long is dead or cut off: whoever finds that gives its work to others.
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
