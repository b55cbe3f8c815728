/**
 * A run's folder on this machine as one of several replicas: the work of others is imported before a command is carried
 * out, and local work is published before the answer is delivered. Invariant: imports and exports run one at a time, so
 * an export contains exactly the work since the last one.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Blobs } from "../../engines/blobs/blobs.ts";
import type { Ingress } from "../../engines/restate/ingress.ts";
import { REPLICA_OBJECT, type PublishedChange } from "../../engines/restate/replica-object.ts";
import type { Run } from "../../workspace/base/run-folder.ts";
import {
  combineChanges,
  isEmptyChange,
  NOTHING_KNOWN,
  withChange,
  type Change,
} from "../../workspace/replica/change.ts";
import { exportChanges, importChanges } from "../../workspace/replica/changes.ts";
import { accepted } from "../runs/accepted.ts";

export interface SharedReplica {
  takeOver(): Promise<void>;
  handOn(): Promise<void>;
}

export function sharedReplica(
  workspace: Run,
  { run, engine, blobs }: { run: string; engine: Ingress; blobs: Blobs },
): SharedReplica {
  let known = NOTHING_KNOWN;
  let read = 0;
  /** Positions in the list of changes that were published from here. */
  const own = new Set<number>();
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  };
  /** All changes at once: the objects are read once instead of once per change. */
  const takenOver = (handed: readonly PublishedChange[]): Promise<void> =>
    inFolder(async (folder) => {
      const [first, ...rest] = handed.map(({ change }) => change as Change);
      if (first === undefined) return;
      const bundles: string[] = [];
      for (const { bundle } of handed) {
        if (bundle === undefined) continue;
        const file = join(folder, String(bundles.length));
        if (!(await blobs.getTo(bundle, file)))
          throw new Error(`run ${run}: the store of blobs lacks ${bundle}`);
        bundles.push(file);
      }
      const plan = { at: Date.now(), bundle: bundles };
      accepted(run, await importChanges(workspace, combineChanges([first, ...rest]), plan));
      for (const change of [first, ...rest]) known = withChange(known, change);
    });
  return {
    takeOver: () =>
      inTurn(async () => {
        const { handed } = await engine.call<{ handed: readonly PublishedChange[] }>(
          ...([REPLICA_OBJECT, run, "since", { from: read }] as const),
        );
        await takenOver(handed.filter((_, place) => !own.has(read + place)));
        read += handed.length;
      }),
    handOn: () =>
      inTurn(() =>
        inFolder(async (folder) => {
          const { change, bundle } = accepted(run, await exportChanges(workspace, known, folder));
          if (isEmptyChange(change)) return;
          const stored = bundle === undefined ? undefined : await blobs.put({ file: bundle });
          const handed: PublishedChange = {
            change,
            ...(stored === undefined ? {} : { bundle: stored.sha256 }),
          };
          const once = { once: true } as const;
          own.add((await engine.call<number>(REPLICA_OBJECT, run, "append", handed, once)) - 1);
          known = withChange(known, change);
        }),
      ),
  };
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "unstuck-replica-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
