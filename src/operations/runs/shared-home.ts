/**
 * A home that is open already, for what a server answers: opening a journal and asking git where a folder stands take
 * longer than most answers. Invariants: it holds for the calls within `sharingHome` alone; a journal that was replaced
 * is not read on; what git said is asked again after half a minute.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { statSync } from "node:fs";
import type { StoredJournal } from "../../journal/journal.ts";
import { repositoryAt } from "../../workspace/repository/find-repository.ts";
import type { Run } from "../../workspace/base/run-folder.ts";
import type { Home } from "../home.ts";
import type { KeptRuns } from "../serve/kept-runs.ts";

export type WorkspaceUse = "to-look" | "to-change";

export interface OpenHome {
  readonly home: Home;
  readonly journal: StoredJournal;
  /** Where the runs are those of a fleet: what of them is not in the journal is brought here on demand. */
  readonly fleet?: {
    /** The files of an attempt, as far as they are written. */
    bring(attempt: {
      readonly run: string;
      readonly subtask: string;
      readonly attempt: number;
    }): Promise<void>;
    /** The run's workspace, with all that its workers have made so far; `to-change`: in a clone of the user's. */
    workspace(run: string, use: WorkspaceUse): Promise<Run>;
  };
}

type Found = Awaited<ReturnType<typeof repositoryAt>>;

interface Shared {
  readonly open: OpenHome;
  readonly runs: KeptRuns | undefined;
  readonly repositories: Map<string, { readonly at: number; readonly found: Promise<Found> }>;
}

const held = new AsyncLocalStorage<Shared>();
const REPOSITORY_MS = 30_000;
const REPOSITORIES_MAX = 100;

/** Calls within share what is open, and what is kept of its runs. */
export function homeSharing(open: OpenHome, runs?: KeptRuns): <T>(body: () => T) => T {
  const shared: Shared = { open, runs, repositories: new Map() };
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

export function repositoryOf(cwd: string): Promise<Found> {
  const repositories = held.getStore()?.repositories;
  if (repositories === undefined) return repositoryAt(cwd);
  const known = repositories.get(cwd);
  if (known !== undefined && Date.now() - known.at < REPOSITORY_MS) return known.found;
  if (repositories.size >= REPOSITORIES_MAX) repositories.clear();
  const found = repositoryAt(cwd);
  repositories.set(cwd, { at: Date.now(), found });
  return found;
}
