/**
 * What the runtime needs from outside: the engine that keeps a run, the other ports, and the run in progress in this
 * process. Nothing here assumes a local file, a transaction or a single process, and every engine passes the same
 * contract suite.
 */
import type { Policy } from "../core/policy/policy.ts";
import type { Command } from "../core/run/command.ts";
import type { RunEvent } from "../core/run/decision.ts";
import type { RunInput } from "../core/run/input.ts";
import type { SubtaskState } from "../core/run/subtask-state.ts";
import type { FailureKind } from "../core/kinds.ts";
import { redactDeep } from "../core/redact/redaction.ts";
import type { ModelEntry } from "../core/plan/plan.ts";
import type { RunPlan } from "../core/plan/run-plan.ts";
import { indexOf, subtaskAt, type RunState } from "../core/run/state.ts";
import type { Incidents } from "../journal/journal.ts";
import { minuteOfDay } from "./time-of-day.ts";
import type { LoopWatch } from "./loop-watch.ts";
import type { Agent, AttemptPlace } from "./ports-agent.ts";
import type { ProcessTrace, RunningAttempt } from "./agent-result.ts";
import type { CheckTrees, Checker, Commits, StandingTrees, Workspace } from "./ports-workspace.ts";

/** One event of a run's journal with its position, counted from 1. */
export interface Recorded {
  readonly seq: number;
  readonly event: RunEvent;
}

export type Delivery =
  | { readonly recorded: true; readonly state: RunState }
  /** Stale or duplicate: nothing was written. */
  | { readonly recorded: false; readonly ignored: string }
  /** Not the owner: posted durably; the owner records it, now or at its next `own`. */
  | { readonly recorded: false; readonly posted: true };

/**
 * Carries out commands. Called at least once for each, after the decision is durable, in the order of the decisions,
 * and after a restart again for those without an answer. Must return at once; the answer comes back as an input. Timers
 * are the engine's own business and are never passed here.
 */
export type Perform = (
  command: Command,
  /** An earlier owner decided it: it may have begun, and has no answer yet. */
  again: boolean,
) => void;

export interface Engine {
  /**
   * Delivers an input, serially per run; durable when the promise resolves. If it rejects, nothing is known to be
   * recorded and the run goes on: delivering the same input again is safe.
   */
  deliver(run: string, input: RunInput): Promise<Delivery>;
  /** At most `limit` events from a position on, oldest first. */
  read(run: string, from: number, limit: number): Promise<readonly Recorded[]>;
  /** Events from a position on, as they are recorded, until the signal aborts or the run ends. */
  follow(run: string, from: number, signal: AbortSignal): AsyncIterable<Recorded>;
  /**
   * Takes ownership of a run: folds its journal, repeats outstanding commands, performs every new one, and fires due
   * timers (overdue ones once, at once). Rejects if a living owner has it, with an error whose `code` is `run-owned`.
   */
  own(run: string, policy: Policy, perform: Perform): Promise<OwnedRun>;
}

export interface OwnedRun {
  readonly state: () => RunState;
  /** Releases the run cleanly: no command is performed any more, timers stay stored. */
  release(): Promise<void>;
}

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls back at or after this time, even if it has passed; returns a function that cancels it. */
  at(time: number, callback: () => void): () => void;
}

/** A number in [0, 1). */
export type Random = () => number;

/** Asks a model one question; undefined if it gave no answer. */
export type AskModel = (request: {
  readonly prompt: string;
  /** The attempt that asks: processes started for the question are found and ended like the attempt's own. */
  readonly place: AttemptPlace;
  readonly folder: string;
  readonly stop: AbortSignal;
}) => Promise<string | undefined>;

export interface Ports {
  readonly engine: Engine;
  readonly workspace: Workspace;
  readonly standingTrees: StandingTrees;
  readonly commits: Commits;
  readonly checkTrees: CheckTrees;
  readonly checker: Checker;
  readonly agent: (name: string) => Agent | undefined;
  /** Ends what is left of an attempt; returns what could not be ended, so an empty list once it is proven dead. */
  readonly proveDead: (attemptId: string, identity: unknown) => Promise<readonly ProcessTrace[]>;
  /** The user's incidents, over all runs. */
  readonly incidents: Incidents;
  /** The provider of a model entry: what the entries hit by one outage have in common. */
  readonly providerOf: (entry: ModelEntry) => string;
  /** What a person can do about an agent's failure, if known. */
  readonly advise: (entry: ModelEntry, kind: FailureKind) => string | undefined;
  /** The local time zone's name, for reading clock times in an agent's output. */
  readonly timeZone: () => string;
  /** Removes secrets from what is recorded (U12). */
  readonly redact: (text: string) => string;
  /** Reports to the user what the run waits for, apart from its events. */
  readonly tell: (words: string) => void;
  /** Creates a folder for the files an attempt writes outside its tree. */
  readonly attemptFolder: (attemptId: string) => Promise<string>;
  /** A cheap model for rewriting prompts, if one is configured. */
  readonly askModel?: AskModel | undefined;
  /** Watches the output of one attempt of this agent. */
  readonly loopWatch: () => LoopWatch;
  readonly clock: Clock;
  readonly random: Random;
  /** Who could answer an agent that waits: a person at this terminal, a person elsewhere, or nobody. */
  readonly presence: () => "here" | "elsewhere" | "nobody";
  /** Announces every checkpoint; the stored one is authoritative. */
  readonly notify: (command: Extract<Command, { readonly kind: "ask" }>) => void;
}

interface UnderwayAttempt {
  readonly attempt: RunningAttempt;
  /** Answers the agent's pending permission request. */
  readonly permit: (request: number, allowed: boolean) => void;
  /** The pattern the stuck watch found. */
  loop: string | undefined;
  /** Why it was ended for going on too long without news. */
  overrun?: string;
}

export interface RunUnderway {
  readonly run: string;
  readonly plan: RunPlan;
  readonly ports: Ports;
  /** The number of the first working tree on this machine; other machines use other numbers. */
  readonly firstSlot?: number;
  readonly state: () => RunState;
  /** Attempts in this process, by `subtask/attempt`. */
  readonly running: Map<string, UnderwayAttempt>;
  /** This owner lets go: nothing more is delivered, and work in progress ends. */
  readonly stop: AbortSignal;
  readonly letGo: () => void;
}

/** An input without what `deliver` adds: time and chance. */
export type Reply = RunInput extends infer I
  ? I extends RunInput
    ? Omit<I, "at" | "chance" | "minuteOfDay">
    : never
  : never;

export async function deliver(
  { run, plan, ports, stop }: RunUnderway,
  input: Reply | undefined,
): Promise<Delivery | undefined> {
  if (input === undefined || stop.aborted) return undefined;
  const at = ports.clock.now();
  const isAsked = plan.policy.policy === "adaptive" && plan.policy.quietHours !== undefined;
  return ports.engine.deliver(run, {
    ...redactDeep(input, ports.redact),
    at,
    chance: ports.random(),
    ...(isAsked ? { minuteOfDay: minuteOfDay(at, ports.timeZone()) } : {}),
  });
}

export function stateOf(underway: RunUnderway, subtask: string): SubtaskState {
  const state = underway.state();
  const index = indexOf(state, subtask);
  if (index === undefined) throw new Error(`broken invariant: no subtask ${subtask}`);
  return subtaskAt(state, index);
}

/** A value kept for as long as a run is in progress in this process, created on first use. */
export function perRun<T>(make: (underway: RunUnderway) => T): (underway: RunUnderway) => T {
  const kept = new WeakMap<RunUnderway["running"], T>();
  return (underway) => {
    const known = kept.get(underway.running) ?? make(underway);
    kept.set(underway.running, known);
    return known;
  };
}
