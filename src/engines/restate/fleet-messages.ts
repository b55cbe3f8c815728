/** What workers and the fleet's object tell each other, and what that object keeps. */
import type { Command } from "../../core/run/command.ts";
import type { RunSource, WorkerProcess } from "./messages.ts";

/** A worker as it says of itself with every beat. */
export interface WorkerWord extends WorkerProcess {
  /** Agents, tools, anything a run may ask for. */
  readonly labels: readonly string[];
  /** Attempts at a time. */
  readonly slots: number;
  readonly version: string;
  /** Where it keeps large content: the same store for all. */
  readonly blobs: string;
  /** It finishes what it has and takes nothing more. */
  readonly draining: boolean;
  /** Ids of the commands it has in hand. */
  readonly has: readonly string[];
}

export interface KnownWorker extends Omit<WorkerWord, "has"> {
  readonly joinedAt: number;
  readonly beatAt: number;
  /** Its number among all workers there ever were: what its working trees are numbered by. */
  readonly number: number;
}

/** A command that waits for a worker, or that one has in hand. */
export interface Errand {
  readonly id: string;
  readonly run: string;
  readonly seq: number;
  readonly kind: Command["kind"];
  readonly again: boolean;
  readonly subtask?: string;
  readonly agent?: string;
  /** The service behind the agent. */
  readonly provider?: string;
  readonly repository: string;
  readonly labels: readonly string[];
  /** Where it cannot be found in the run's state: words for a running attempt. */
  readonly command?: Command;
}

/** For an attempt that runs: carried out or too late, without an answer. */
export const isForRunning = (kind: Command["kind"]): boolean =>
  kind === "interrupt" || kind === "nudge" || kind === "permit";

export interface GivenErrand extends Errand {
  readonly worker: string;
  readonly epoch: string;
  readonly at: number;
}

export type LimitedBy = "repository" | "agent" | "provider";

/** Of attempts over all workers. */
export interface FleetLimit {
  readonly atOnce?: number;
  /** So many may begin within a minute. */
  readonly perMinute?: number;
}

export interface FleetState {
  readonly v: 1;
  readonly workers: Readonly<Record<string, KnownWorker>>;
  readonly waiting: readonly Errand[];
  readonly given: Readonly<Record<string, GivenErrand>>;
  /** Which worker had a subtask last, by run and subtask. */
  readonly places: Readonly<Record<string, string>>;
  /** Of runs with anything left to do. */
  readonly sources: Readonly<Record<string, RunSource>>;
  /** By what is limited and its name. */
  readonly limits: Readonly<Record<string, FleetLimit>>;
  /** When attempts began lately, for limits that count them. */
  readonly begun?: Readonly<Record<string, readonly number[]>> | undefined;
  readonly joined: number;
}

/** To a worker. Another process than the one it was meant for lets it be: it cannot know what became of it. */
export interface GivenMessage {
  readonly run: string;
  readonly epoch: string;
  readonly source: RunSource;
  readonly errand: Errand;
}

/** The answer to a beat. */
export interface BeatAnswer {
  readonly now: number;
  readonly number: number;
  /** How many commands it has been given and not answered. */
  readonly given: number;
  /** Workers that have not been heard of for a while: whoever can prove one dead says so. */
  readonly overdue: readonly Pick<KnownWorker, "id" | "epoch" | "address" | "beatAt">[];
}

/** A worker that could not renew its lease for so long ends its agents. */
export const LEASE_MS = 30_000;
export const RENEW_MS = 2000;
export const BEAT_MS = 1000;
/** Not heard of for so long, a worker is looked for. */
export const OVERDUE_MS = 2000;
/** A message to a worker that has not arrived by then is sent again. */
export const RESEND_MS = 8000;
/** Not heard of for so long, a worker begins nothing new: it may be dead. */
export const UNHEARD_MS = 4000;
