/** One run under the care of this process: its plan, its ports, and what of it is under way here. */
import type { FailureKind } from "../core/kinds.ts";
import { redactDeep } from "../core/redact/redaction.ts";
import type { RunPlan } from "../core/plan/run-plan.ts";
import type { Command } from "../core/run/command.ts";
import type { RunInput } from "../core/run/input.ts";
import { indexOf, subtaskAt } from "../core/run/state.ts";
import type { RunState, SubtaskState } from "../core/run/state.ts";
import type { ModelEntry } from "../core/plan/plan.ts";
import type { Incidents } from "../journal/incidents.ts";
import type { LoopWatch } from "./loop-watch.ts";
import type { Agent, ProcessTrace, RunningAttempt } from "./ports-agent.ts";
import type { Checker, CheckTrees, Commits, StandingTrees, Workspace } from "./ports-workspace.ts";
import type { AskModel } from "./rewrite.ts";
import type { Clock, Engine, Random } from "./ports.ts";

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
  /** Minutes east of UTC here and now: what clock times in an agent's words are read by. */
  readonly utcOffsetMinutes: () => number;
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
  /** Told of every checkpoint; the stored one is the truth. */
  readonly notify: (command: Extract<Command, { readonly kind: "ask" }>) => void;
}

export interface Supervised {
  readonly run: string;
  readonly plan: RunPlan;
  readonly ports: Ports;
  readonly state: () => RunState;
  /** Attempts of this process, by `subtask/attempt`. */
  readonly running: Map<string, { readonly attempt: RunningAttempt; loop: string | undefined }>;
  /** This owner lets go: nothing is delivered any more, and what is under way ends. */
  readonly stop: AbortSignal;
  readonly letGo: () => void;
}

/** An input without the time and chance that `deliver` adds. */
export type Reply = RunInput extends infer I
  ? I extends RunInput
    ? Omit<I, "at" | "chance">
    : never
  : never;

export async function deliver(
  { run, ports, stop }: Supervised,
  input: Reply | undefined,
): Promise<void> {
  if (input === undefined || stop.aborted) return;
  await ports.engine.deliver(run, {
    ...redactDeep(input, ports.redact),
    at: ports.clock.now(),
    chance: ports.random(),
  });
}

export function stateOf(supervised: Supervised, subtask: string): SubtaskState {
  const state = supervised.state();
  const index = indexOf(state, subtask);
  if (index === undefined) throw new Error(`broken invariant: no subtask ${subtask}`);
  return subtaskAt(state, index);
}
