/**
 * What the runtime needs from outside: the engine that keeps a run (nothing here assumes a local file, a
 * transaction or one process; a second engine has to pass the same suite), and with the other ports, the run that
 * is under way in this process.
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

/** Asks a model one question; nothing where it gave no answer. */
export type AskModel = (request: {
  readonly prompt: string;
  /** The attempt it is asked for: what is started for it is found and ended like the attempt itself. */
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
  /** Ends what is left of an attempt; answers with what it could not end, so with nothing once it is proven dead. */
  readonly proveDead: (attemptId: string, identity: unknown) => Promise<readonly ProcessTrace[]>;
  /** Incidents of the user, over all runs. */
  readonly incidents: Incidents;
  /** Who is behind a model entry: what the entries of an outage have in common. */
  readonly providerOf: (entry: ModelEntry) => string;
  /** What a person can do about a failure of an agent, where that is known. */
  readonly advise: (entry: ModelEntry, kind: FailureKind) => string | undefined;
  /** The name of the time zone here: what clock times in an agent's words are read by. */
  readonly timeZone: () => string;
  /** Takes secrets out of what is recorded (U12). */
  readonly redact: (text: string) => string;
  /** Tells a person what the run waits for, beside its events. */
  readonly tell: (words: string) => void;
  /** A fresh folder for what an attempt writes beside its tree. */
  readonly attemptFolder: (attemptId: string) => Promise<string>;
  /** A cheap model for rewriting prompts, where one is configured. */
  readonly askModel?: AskModel | undefined;
  /** Watches the output of one attempt of this agent. */
  readonly loopWatch: () => LoopWatch;
  readonly clock: Clock;
  readonly random: Random;
  /** Who could answer an agent that waits: somebody at this very terminal, somebody elsewhere, or nobody. */
  readonly presence: () => "here" | "elsewhere" | "nobody";
  /** Told of every checkpoint; the stored one is the truth. */
  readonly notify: (command: Extract<Command, { readonly kind: "ask" }>) => void;
}

interface UnderwayAttempt {
  readonly attempt: RunningAttempt;
  /** Answers the agent where it waits with a call. */
  readonly permit: (request: number, allowed: boolean) => void;
  /** What the stuck watch saw. */
  loop: string | undefined;
  /** Why it was ended for going on too long without any news. */
  overrun?: string;
}

export interface RunUnderway {
  readonly run: string;
  readonly plan: RunPlan;
  readonly ports: Ports;
  /** The number of the first working tree here: other machines work in trees with other numbers. */
  readonly firstSlot?: number;
  readonly state: () => RunState;
  /** Attempts of this process, by `subtask/attempt`. */
  readonly running: Map<string, UnderwayAttempt>;
  /** This owner lets go: nothing is delivered any more, and what is under way ends. */
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

/** Something to remember for as long as a run is under way here, made when it is first asked for. */
export function perRun<T>(make: (underway: RunUnderway) => T): (underway: RunUnderway) => T {
  const kept = new WeakMap<RunUnderway["running"], T>();
  return (underway) => {
    const known = kept.get(underway.running) ?? make(underway);
    kept.set(underway.running, known);
    return known;
  };
}
