/** The messages between workers and the fleet's object, and what that object stores. */
import type { Command } from "../../core/run/command.ts";
import type { RunSource, WorkerProcess } from "./messages.ts";

/** A worker's description of itself, sent with every heartbeat. */
export interface WorkerBeat extends WorkerProcess {
  /** Agents, tools, anything a run may require. */
  readonly labels: readonly string[];
  /** The number of attempts at a time. */
  readonly slots: number;
  readonly version: string;
  /** Where it stores large content: the same store for all workers. */
  readonly blobs: string;
  /** It finishes what it has and accepts nothing new. */
  readonly draining: boolean;
  /** Ids of the commands it has in hand. */
  readonly has: readonly string[];
}

export interface KnownWorker extends Omit<WorkerBeat, "has"> {
  readonly joinedAt: number;
  readonly beatAt: number;
  /** Its number among all workers that ever joined: the numbers of its working trees derive from it. */
  readonly number: number;
  /** When it last gave back a command that it could not begin. */
  readonly unableAt?: number;
}

/** A command that waits for a worker, or that a worker has in hand. */
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
  /** Workers that tried and could not begin it: others come first. */
  readonly unable?: readonly string[];
  /** Present if the run's state does not contain it: a message for a running attempt. */
  readonly command?: Command;
}

/** Commands for a running attempt: carried out or too late, never answered. */
export const isForRunning = (kind: Command["kind"]): boolean =>
  kind === "interrupt" || kind === "nudge" || kind === "permit";

export interface GivenErrand extends Errand {
  readonly worker: string;
  readonly epoch: string;
  readonly at: number;
}

export type LimitedBy = "repository" | "agent" | "provider";

/** A limit on attempts over all workers. */
export interface FleetLimit {
  readonly atOnce?: number;
  /** The most attempts that may begin within a minute. */
  readonly perMinute?: number;
}

export interface FleetState {
  readonly v: 1;
  readonly workers: Readonly<Record<string, KnownWorker>>;
  readonly waiting: readonly Errand[];
  readonly given: Readonly<Record<string, GivenErrand>>;
  /** The worker that had a subtask last, by run and subtask. */
  readonly places: Readonly<Record<string, string>>;
  /** The sources of runs with work left. */
  readonly sources: Readonly<Record<string, RunSource>>;
  /** By `limitKey`: the kind of thing that is limited, and its name. */
  readonly limits: Readonly<Record<string, FleetLimit>>;
  /** Recent start times of attempts, for limits per minute. */
  readonly begun?: Readonly<Record<string, readonly number[]>> | undefined;
  readonly joined: number;
}

/** To a worker. A process other than the intended one ignores it: it cannot know whether the command was begun. */
export interface GivenMessage {
  readonly run: string;
  readonly epoch: string;
  readonly source: RunSource;
  readonly errand: Errand;
}

/** A worker gives a command back. */
export interface GivenBack {
  readonly id: string;
  readonly epoch: string;
  /** Whatever carries it out next repeats it. Absent where an older worker does not tell: it may have. */
  readonly begun?: boolean;
}

/** The answer to a beat. */
export interface BeatAnswer {
  readonly now: number;
  readonly number: number;
  /** How many commands it has been given that are still unanswered. */
  readonly given: number;
  /** Workers whose heartbeat is overdue: a worker that can prove one dead reports it. */
  readonly overdue: readonly Pick<KnownWorker, "id" | "epoch" | "address" | "beatAt">[];
}

/** A worker that cannot renew its lease for this long ends its agents. */
export const LEASE_MS = 30_000;
export const RENEW_MS = 2000;
export const BEAT_MS = 1000;
/** After this long without a heartbeat, other workers check whether a worker is alive. */
export const OVERDUE_MS = 2000;
/** A message to a worker that has not arrived by then is sent again. */
export const RESEND_MS = 8000;
/** For this long, a worker that could not begin a command is given others only where no worker else can take them. */
export const UNABLE_MS = 60_000;
/** After this long without a heartbeat, a worker is given nothing new: it may be dead. */
export const UNHEARD_MS = 4000;
