/**
 * What crosses between machines: the names of the objects, what they are told and what they keep. Invariant: every
 * stored value has a version, so that a later program can read what an earlier one left.
 */
import type { Command } from "../../core/run/command.ts";
import type { RunSummary } from "../../core/run/run-summary.ts";

export const RUN_OBJECT = "unstuck-run";
export const FLEET_OBJECT = "unstuck-fleet";
export const INDEX_OBJECT = "unstuck-index";
export const INCIDENT_OBJECT = "unstuck-incident";
export const LEASE_OBJECT = "unstuck-lease";

/** There is one of each of these. */
export const ONLY = "only";

export const workerObjectName = (worker: string): string => `unstuck-worker-${worker}`;

/** A process that carries out commands; a restart has another epoch. */
export interface WorkerProcess {
  readonly id: string;
  readonly epoch: string;
  /** Where the engine, and other workers, reach it. */
  readonly address: string;
}

/** Where a submitted run works: a repository every worker can clone. */
export interface RunSource {
  readonly url: string;
  readonly commit: string;
  readonly labels: readonly string[];
  /** The service behind each agent of its plan, where that has another name than the agent. */
  readonly providers?: Readonly<Record<string, string>>;
}

export interface RunHead {
  readonly v: 1;
  /** Number of events. */
  readonly seq: number;
  /** Of all events so far: two different histories of the same length are told apart. */
  readonly mark: string;
  /** The first event of each chunk. */
  readonly chunks: readonly number[];
  readonly created: number;
  readonly changed: number;
  readonly repo: string;
  readonly title: string;
  readonly phase: string;
  readonly outcome?: string;
  readonly summary?: RunSummary;
  /** Of a run that one process alone works on. */
  readonly owner?: WorkerProcess & { readonly claim: number };
  readonly claims: number;
  /** Of a run that the whole fleet works on. */
  readonly source?: RunSource;
  /** Inputs that wait for an owner. */
  readonly waiting: number;
}

export interface Dispatch {
  readonly command: Command;
  /** It was given out before, and nobody answered. */
  readonly again: boolean;
}

/** To the owner of a run: `claim` is that of its ownership. */
export interface Perform {
  readonly run: string;
  readonly claim: number;
  /** The state these commands follow from. */
  readonly seq: number;
  readonly dispatches: readonly Dispatch[];
}

/** What whoever delivered something need not ask for: all events from one on. */
export interface RowsFrom {
  readonly from: number;
  readonly rows: readonly StoredRow[];
}

/** One event as it is kept, with the version of the rows it was written in. */
export interface StoredRow {
  readonly v: number;
  readonly text: string;
}

export type Delivered =
  | { readonly recorded: true; readonly seq: number; readonly rows?: RowsFrom }
  | { readonly recorded: false; readonly ignored: string }
  | { readonly recorded: false; readonly posted: true }
  /** The decision threw: nothing was recorded. */
  | { readonly recorded: false; readonly error: string };

export type Claimed =
  | { readonly ok: true; readonly claim: number; readonly seq: number }
  | { readonly ok: false; readonly owner: WorkerProcess & { readonly claim: number } };
