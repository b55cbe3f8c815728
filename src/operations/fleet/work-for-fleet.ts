/**
 * Works for a fleet until it is told to stop: takes commands of any run, each run in its own replica. Invariants: work
 * in progress is ended when the lease is over or when the worker is told to stop a second time; a worker whose lease
 * was over comes back as a new process would.
 */
import { availableParallelism } from "node:os";
import { fleetWorker, type Given } from "../../engines/restate/fleet-worker.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { openHome } from "../home.ts";
import { operation, defined } from "../operation.ts";
import { errorText } from "../composition.ts";
import { VERSION } from "../version.ts";
import { userConfig } from "../user-config.ts";
import { joinRun, type JoinedRun } from "./joined-run.ts";
import { notifyOfFleet } from "./notify-of-fleet.ts";
import { watchWorker } from "./watch-worker.ts";
import { adminAddresses, engineAddresses, openBlobs, restateSdk, workerName } from "./reach.ts";

export type WorkerHappening =
  | {
      readonly kind: "joined";
      readonly name: string;
      readonly address: string;
      readonly slots: number;
    }
  | { readonly kind: "began" | "ended"; readonly command: string }
  | { readonly kind: "lease-over" }
  | { readonly kind: "draining"; readonly left: number };

export const workForFleet = operation({
  name: "work-for-fleet",
  schemas: async () => (await import("./schemas.ts")).workForFleet,
  async run(context, input, on: (happening: WorkerHappening) => void) {
    refuseInsideAttempt("worker");
    const home = openHome();
    const ingressUrls = engineAddresses(input.url);
    const { labels = [], slots = availableParallelism(), host = "127.0.0.1", port = 0 } = input;
    const name = input.name ?? workerName(home.root);
    const blobs = openBlobs(input.blobs);
    const sdk = restateSdk(context.cwd);
    const { notify: settings = {} } = userConfig();
    const tell = context.tell ?? (() => undefined);
    const signal = context.signal ?? new AbortController().signal;
    let told = "";
    const onProblem = (problem: unknown): void => {
      const words = errorText(problem);
      if (words !== told) tell(words);
      told = words;
    };
    let done = 0;
    while (!signal.aborted) {
      const joined = new Map<string, Promise<JoinedRun>>();
      const joining = ({ run, source, engine, number }: Given): Promise<JoinedRun> => {
        const known = joined.get(run);
        if (known !== undefined) return known;
        const join = joinRun({ home, run, source, engine, blobs, number, tell });
        joined.set(run, join);
        join.catch(() => joined.delete(run));
        return join;
      };
      const letGo = async (): Promise<void> => {
        for (const join of joined.values()) (await join.catch(() => undefined))?.letGo();
      };
      const looking = setInterval(() => void look(joined).catch(onProblem), LOOK_MS);
      const worker = await fleetWorker({
        ...{ sdk, ingressUrls, adminUrls: adminAddresses(ingressUrls, input.admin), worker: name },
        ...{ host, port, labels, slots, version: VERSION, blobs: input.blobs, onProblem },
        ...defined({ advertised: input.advertise, identityKeys: input.identityKeys }),
        async carryOut(given, begun) {
          const { id } = given.errand;
          on({ kind: "began", command: id });
          await (await joining(given)).take(given.errand, begun);
          done += 1;
          on({ kind: "ended", command: id });
        },
      });
      const { address } = worker.engine.process;
      const unwatch = watchWorker(worker.engine.process, ingressUrls);
      on({ kind: "joined", name, address, slots });
      const leaving = new AbortController();
      const notified = notifyOfFleet({
        ...{ home, engine: worker.engine.ingress, worker: name, settings, onProblem },
        until: leaving.signal,
      });
      const stopped = new Promise<"stopped">((resolve) => {
        const stop = (): void => resolve("stopped");
        if (signal.aborted) stop();
        else signal.addEventListener("abort", stop, { once: true });
      });
      const why = await Promise.race([stopped, worker.leaseOver]);
      if (why === "stopped") {
        on({ kind: "draining", left: worker.inHand() });
        await worker.drain(context.attended ?? new AbortController().signal);
      } else on({ kind: "lease-over" });
      clearInterval(looking);
      leaving.abort();
      await notified;
      await letGo();
      worker.close();
      await unwatch({ left: why === "stopped" && worker.inHand() === 0 });
    }
    return { name, done };
  },
});

const LOOK_MS = 5000;

/** Lets go of runs that are over. */
async function look(joined: Map<string, Promise<JoinedRun>>): Promise<void> {
  for (const [run, join] of joined) {
    const there = await join.catch(() => undefined);
    if (there === undefined || !(await there.look())) continue;
    joined.delete(run);
    there.letGo();
  }
}
