/**
 * The engine's contract: what the runtime needs so that a run survives anything. Nothing here assumes a local
 * file, a transaction or one process; a second engine has to pass the same suite.
 */
import type { Policy } from "../core/policy/policy.ts";
import type { Command } from "../core/run/command.ts";
import type { RunEvent } from "../core/run/decision.ts";
import type { RunInput } from "../core/run/input.ts";
import type { RunState } from "../core/run/state.ts";

/** One event of a run's journal with its place, counted from 1. */
export interface Recorded {
  readonly seq: number;
  readonly event: RunEvent;
}

export type Delivery =
  | { readonly recorded: true; readonly state: RunState }
  /** Stale or duplicate: nothing was written. */
  | { readonly recorded: false; readonly ignored: string }
  /** Not the owner: durably posted; the owner records it, now or at its next `own`. */
  | { readonly recorded: false; readonly posted: true };

/**
 * Carries out commands. Called at least once for each, after the decision is durable, in the order of the decisions, and
 * again after a restart for those without an answer. Must return at once; the answer comes back as an input.
 * Timers are the engine's own business and never reach it.
 */
export type Perform = (
  command: Command,
  /** It was decided by an earlier owner: it may have been begun, and nobody answered. */
  again: boolean,
) => void;

export interface Engine {
  /**
   * Delivers an input. Serial per run; durable when the promise is fulfilled. When it is rejected, nothing is known to be
   * recorded and the run goes on: delivering the same input again is safe.
   */
  deliver(run: string, input: RunInput): Promise<Delivery>;
  /** Events from a place on, oldest first, at most `limit`. */
  read(run: string, from: number, limit: number): Promise<readonly Recorded[]>;
  /** Events from a place on, as they are recorded, until the signal aborts or the run has ended. */
  follow(run: string, from: number, signal: AbortSignal): AsyncIterable<Recorded>;
  /**
   * Takes up a run as its owner: folds its journal, performs outstanding commands again and every new one, fires timers that
   * are due (overdue ones once, at once). Rejects if a living owner has it, with an error whose `code` is `run-owned`.
   */
  own(run: string, policy: Policy, perform: Perform): Promise<OwnedRun>;
}

export interface OwnedRun {
  readonly state: () => RunState;
  /** Gives the run up in order: nothing is performed any more, timers stay stored. */
  release(): Promise<void>;
}

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls back at or after this time, also if it has passed; returns how to cancel it. */
  at(time: number, callback: () => void): () => void;
}

/** A number in [0, 1). */
export type Random = () => number;
