/**
 * What machines exchange: the names of the objects, their messages and their stored values. Invariant: every stored
 * value has a version, so that a later program can read what an earlier one left.
 */
import type { Command } from "../../core/run/command.ts";
import type { RunSummary } from "../../core/run/run-summary.ts";

export const RUN_OBJECT = "unstuck-run";
export const FLEET_OBJECT = "unstuck-fleet";
export const INDEX_OBJECT = "unstuck-index";
export const INCIDENT_OBJECT = "unstuck-incident";
export const LEASE_OBJECT = "unstuck-lease";

/** The key of objects of which there is only one. */
export const ONLY = "only";

export const workerObjectName = (worker: string): string => `unstuck-worker-${worker}`;

/** A process that carries out commands; a restart gets another epoch. */
export interface WorkerProcess {
  readonly id: string;
  readonly epoch: string;
  /** Where the engine and other workers reach it. */
  readonly address: string;
}

/** The source of a submitted run: a repository every worker can clone. */
export interface RunSource {
  readonly url: string;
  readonly commit: string;
  readonly labels: readonly string[];
  /** The service behind each agent of its plan, if its name differs from the agent's. */
  readonly providers?: Readonly<Record<string, string>>;
}

export interface RunHead {
  readonly v: 1;
  /** Number of events. */
  readonly seq: number;
  /** A hash over all events so far: distinguishes histories of the same length. */
  readonly mark: string;
  /** The number of the first event of each chunk. */
  readonly chunks: readonly number[];
  readonly created: number;
  readonly changed: number;
  readonly repo: string;
  readonly title: string;
  readonly phase: string;
  readonly outcome?: string;
  readonly summary?: RunSummary;
  /** For a run worked on by a single process. */
  readonly owner?: WorkerProcess & { readonly claim: number };
  readonly claims: number;
  /** For a run worked on by the whole fleet. */
  readonly source?: RunSource;
  /** Inputs that wait for an owner. */
  readonly waiting: number;
}

export interface Dispatch {
  readonly command: Command;
  /** It was given out before, and no answer came. */
  readonly again: boolean;
}

/** To the owner of a run: `claim` is the one of its ownership. */
export interface Perform {
  readonly run: string;
  readonly claim: number;
  /** The sequence number of the state these commands follow from. */
  readonly seq: number;
  readonly dispatches: readonly Dispatch[];
}

/** All events from one on, so that the sender of an input need not read them. */
export interface RowsFrom {
  readonly from: number;
  readonly rows: readonly StoredRow[];
}

/** One event as it is stored, with the version of its row format. */
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
