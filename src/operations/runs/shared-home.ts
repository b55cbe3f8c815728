/**
 * A home kept open for a server's requests: opening a journal and asking git about a folder take longer than most
 * answers. Invariants: it applies only to calls within `homeSharing`; a replaced journal is not read any further; git's
 * answers and folder sizes are refreshed after half a minute.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { statSync } from "node:fs";
import type { StoredJournal } from "../../journal/journal.ts";
import { diskBytes } from "../../workspace/base/files.ts";
import { repositoryAt } from "../../workspace/repository/find-repository.ts";
import type { Run } from "../../workspace/base/run-folder.ts";
import type { Home } from "../home.ts";
import type { KeptRuns } from "../serve/kept-runs.ts";

export type WorkspaceUse = "to-look" | "to-change";

export interface OpenHome {
  readonly home: Home;
  readonly journal: StoredJournal;
  /** For the runs of a fleet: fetches on demand what is not in the journal. */
  readonly fleet?: {
    /** The files of an attempt as far as they are written. */
    bring(attempt: {
      readonly run: string;
      readonly subtask: string;
      readonly attempt: number;
    }): Promise<void>;
    /** The run's workspace with all work its workers have published; `to-change`: in a clone of the user's. */
    workspace(run: string, use: WorkspaceUse): Promise<Run>;
  };
}

type Found = Awaited<ReturnType<typeof repositoryAt>>;

interface Shared {
  readonly open: OpenHome;
  readonly runs: KeptRuns | undefined;
  readonly repositories: Lately<Found>;
  readonly sizes: Lately<number>;
}

type Lately<T> = Map<string, { readonly at: number; readonly found: Promise<T> }>;

const held = new AsyncLocalStorage<Shared>();
const LATELY_MS = 30_000;
const LATELY_MAX = 100;

/** Calls within `body` share the open home and what is kept of its runs. */
export function homeSharing(open: OpenHome, runs?: KeptRuns): <T>(body: () => T) => T {
  const shared: Shared = { open, runs, repositories: new Map(), sizes: new Map() };
  const file = fileOf(open);
  return (body) => (fileOf(open) === file ? held.run(shared, body) : body());
}

const fileOf = ({ home }: OpenHome): number | undefined =>
  statSync(home.database, { throwIfNoEntry: false })?.ino;

export const sharedHome = (): OpenHome | undefined => held.getStore()?.open;

export function keptRunsOf(journal: unknown): KeptRuns | undefined {
  const shared = held.getStore();
  return shared?.open.journal === journal ? shared?.runs : undefined;
}

export const repositoryOf = (cwd: string): Promise<Found> =>
  lately(held.getStore()?.repositories, cwd, repositoryAt);

/** Bytes on the disk. */
export const sizeOf = (folder: string): Promise<number> =>
  lately(held.getStore()?.sizes, folder, diskBytes);

function lately<T>(
  kept: Lately<T> | undefined,
  path: string,
  look: (path: string) => Promise<T>,
): Promise<T> {
  const known = kept?.get(path);
  if (known !== undefined && Date.now() - known.at < LATELY_MS) return known.found;
  if (kept !== undefined && kept.size >= LATELY_MAX) kept.clear();
  const found = look(path);
  kept?.set(path, { at: Date.now(), found });
  return found;
}
