/**
 * The runs of a fleet, seen from a machine that works on none of them: events come from the engine, files of attempts
 * from the blob store, and the work itself as a replica of the run, in the current repository or in a clone of its
 * remote. Invariants: nothing here changes a run except inputs posted to it; replicas and files of one run are fetched
 * one after the other.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cleanLine } from "../../core/foreign-text.ts";
import { fleetJournal } from "../../engines/restate/fleet-journal.ts";
import type { FleetState } from "../../engines/restate/fleet-messages.ts";
import { ingress } from "../../engines/restate/ingress.ts";
import { FLEET_OBJECT, ONLY, RUN_OBJECT, type RunHead } from "../../engines/restate/messages.ts";
import type { Blobs } from "../../engines/blobs/blobs.ts";
import type { Home } from "../home.ts";
import { notNow, ProblemError } from "../operation.ts";
import type { OpenHome } from "../runs/shared-home.ts";
import { startedWith } from "../runs/started-with.ts";
import { downloadFiles } from "./attempt-files.ts";
import { addresses, openBlobs } from "./reach.ts";
import { userReplica } from "./user-replica.ts";
import { sharedReplica } from "./shared-replica.ts";

const PATIENCE_MS = 5000;

export function openRemoteFleet(url: string, home: Home): OpenHome {
  const engine = ingress({ urls: addresses([url]), patienceMs: PATIENCE_MS });
  const journal = fleetJournal(engine);
  let opened: Promise<Blobs> | undefined;
  const blobsOf = async (): Promise<Blobs> => {
    const { workers } = await engine.call<FleetState>(FLEET_OBJECT, ONLY, "state");
    const [worker] = Object.values(workers);
    if (worker === undefined)
      throw new ProblemError(
        "not-now",
        "the fleet has no worker, and only they know where the files of attempts are\n  See: unstuck workers",
      );
    return storeOf(worker.blobs);
  };
  const blobs = (): Promise<Blobs> => {
    opened ??= blobsOf();
    // A failed attempt to open it is retried the next time.
    opened.catch(() => (opened = undefined));
    return opened;
  };
  /** Fetches of one run are serialized, because they write to the same files. */
  const turns = new Map<string, Promise<unknown>>();
  const inTurn = <T>(run: string, work: () => Promise<T>): Promise<T> => {
    const mine = (turns.get(run) ?? Promise.resolve()).catch(() => undefined).then(work);
    turns.set(run, mine);
    void mine.catch(() => undefined).finally(() => turns.get(run) === mine && turns.delete(run));
    return mine;
  };
  return {
    ...{ home, journal },
    fleet: {
      bring: ({ run, subtask, attempt }) =>
        inTurn(run, async () => {
          const names = [subtask, String(attempt)];
          await downloadFiles({
            ...{ engine, blobs: await blobs(), run, attempt: [run, ...names].join("/") },
            folder: join(home.runDir(run), "attempts", ...names.map(encodeURIComponent)),
          });
        }),
      workspace: (run, use) =>
        inTurn(run, async () => {
          const head = await engine.call<RunHead | null>(RUN_OBJECT, run, "head");
          const source = head?.source;
          if (source === undefined) throw notNow(run, `run ${run} is no run of this fleet`);
          const { rules } = await startedWith(journal, run);
          const cwd = process.cwd();
          const workspace = await userReplica({ home, run, source, rules, cwd, use });
          await sharedReplica(workspace, { run, engine, blobs: await blobs() }).takeOver();
          return workspace;
        }),
    },
  };
}

/** A folder that is missing here would be taken for an empty store. */
function storeOf(address: string): Blobs {
  const blobs = openBlobs(address);
  if (address.startsWith("file:") && !existsSync(fileURLToPath(address)))
    throw new ProblemError(
      "not-now",
      `the fleet keeps files of attempts in ${cleanLine(address, 300)}, and this machine has no such folder\n` +
        "  Mount it at that place, or give the workers a store that all machines reach: --blobs s3://...",
    );
  return blobs;
}
