/**
 * A run in the hands of its owner: inputs queue up, are decided in order, recorded, and only then acted upon.
 * Invariants: O1 no command is performed before the commit of its decision, and none after release or loss of
 * ownership; O2 what fails to be recorded has changed nothing; a full disk is waited for, any other failure
 * reaches the caller; O3 inputs from the inbox and timers are never dropped: they stay queued until they are
 * recorded or found stale.
 */
import { commandOf, outstanding } from "../core/run/command.ts";
import type { Command } from "../core/run/command.ts";
import type { Policy } from "../core/policy/policy.ts";
import type { InputOf, RunInput } from "../core/run/input.ts";
import type { RunState } from "../core/run/state.ts";
import { hasCode } from "../journal/error.ts";
import type { Journal } from "../journal/journal.ts";
import type { Claim } from "../journal/owners.ts";
import type { Clock, Delivery, OwnedRun, Perform, Random } from "../runtime/ports.ts";
import { decided } from "./batch.ts";
import type { Verdict, Waiting } from "./batch.ts";
import { inbox, mailbox } from "./mailbox.ts";
import type { Point } from "./recorder.ts";
import { recorder } from "./recorder.ts";
import type { RestoredRun } from "./restored.ts";

export interface Surroundings {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  /** What went wrong with nobody waiting for it. `owner-lost` means: this process must let go of the run at once. */
  readonly onProblem: (run: string, problem: unknown) => void;
  readonly onPoint: (point: Point) => void;
  readonly snapshotSize: number;
}

interface Ownership {
  readonly claim: Claim;
  readonly policy: Policy;
  readonly perform: Perform;
  readonly restored: RestoredRun;
  /** Called once, when this owner lets go of the run or has lost it. */
  readonly onGone: () => void;
}

export interface Owned extends OwnedRun {
  deliver(input: RunInput): Promise<Delivery>;
  /** Performs what is outstanding, then looks into the inbox. */
  start(): void;
}

/** Without `settle` it is the engine's own: a timer, or a row of the inbox. */
interface Item extends Waiting {
  readonly settle?: {
    readonly resolve: (delivery: Delivery) => void;
    readonly reject: (error: unknown) => void;
  };
}

const RETRY_MS = 1000;

export function owned(surroundings: Surroundings, ownership: Ownership): Owned {
  const { journal, clock, random, onPoint, onProblem } = surroundings;
  const { claim, policy } = ownership;
  const written = recorder({ ...surroundings, ...ownership });
  const box = mailbox<Item>(handle);
  const due = timers(clock, random, (input) => {
    onPoint("timer-fired");
    box.add({ input });
  });
  const look = inbox(journal, claim.run, (row) => {
    if ("input" in row) box.add({ input: row.input, posted: row.id });
    else problem(row.problem);
  });
  let gone = false;
  let failing = false;
  let unwatch = (): void => {};

  const problem = (error: unknown): void => onProblem(claim.run, error);
  const takeInbox = (): void => {
    look().then(
      () => onPoint("inbox-taken"),
      (error: unknown) => {
        if (gone || hasCode(error, "closed")) return;
        problem(error);
        clock.at(clock.now() + RETRY_MS, takeInbox);
      },
    );
  };
  const letGo = (): void => {
    if (gone) return;
    gone = true;
    due.cancelAll();
    unwatch();
    ownership.onGone();
  };

  async function handle(items: readonly Item[]): Promise<readonly Item[]> {
    const batch = decided(written.state(), items, policy);
    try {
      await written.record(batch);
    } catch (error) {
      return failed(items, error);
    }
    failing = false;
    for (const verdict of batch.verdicts) conclude(verdict);
    written.snapshot().catch(problem);
    return [];
  }

  function failed(items: readonly Item[], error: unknown): readonly Item[] {
    if (hasCode(error, "owner-lost") && !gone) problem(error);
    if (hasCode(error, "owner-lost") || hasCode(error, "closed")) letGo();
    const waits = ({ settle }: Item): boolean =>
      !gone && (settle === undefined || hasCode(error, "disk-full"));
    for (const item of items) if (!waits(item)) item.settle?.reject(error);
    const kept = items.filter(waits);
    if (kept.length > 0) {
      if (!failing) problem(error);
      failing = true;
      clock.at(clock.now() + RETRY_MS, () => box.wake());
    }
    return kept;
  }

  function conclude(verdict: Verdict<Item>): void {
    const { settle } = verdict.item;
    if ("error" in verdict) {
      if (settle === undefined) problem(verdict.error);
      else settle.reject(verdict.error);
      return;
    }
    for (const command of verdict.commands) act(command, false);
    settle?.resolve(verdict.delivery);
  }

  function act(command: Command, again: boolean): void {
    if (gone) return;
    if (command.kind === "timer") return due.arm(command);
    onPoint("before-perform");
    try {
      ownership.perform(command, again);
    } catch (error) {
      problem(error);
    }
    onPoint("after-perform");
  }

  return {
    state: written.state,
    deliver: (input) =>
      new Promise((resolve, reject) => box.add({ input, settle: { resolve, reject } })),
    start() {
      unwatch = journal.watch((change) => {
        if (change.kind === "foreign" || (change.kind === "inbox" && change.run === claim.run))
          takeInbox();
      });
      for (const command of unanswered(written.state())) act(command, true);
      takeInbox();
    },
    async release() {
      if (gone) return;
      letGo();
      await box.drain(({ settle }) => settle === undefined);
      await journal.release(claim);
    },
  };
}

/** Ending a run has no answer: it is performed again by each later owner, which its id makes harmless. */
function unanswered(state: RunState): readonly Command[] {
  const { outcome } = state;
  if (outcome === undefined) return outstanding(state);
  const ended = { kind: "run-ended", outcome: outcome.kind, reason: outcome.reason } as const;
  const end = commandOf(state.run, ended);
  return end === undefined ? [] : [end];
}

type TimerCommand = Extract<Command, { readonly kind: "timer" }>;

interface Timers {
  arm(command: TimerCommand): void;
  cancelAll(): void;
}

function timers(
  clock: Clock,
  random: Random,
  fire: (input: InputOf<"timer-fired">) => void,
): Timers {
  const armed = new Map<string, () => void>();
  return {
    arm({ id, subtask, timer, dueAt }) {
      if (armed.has(id)) return;
      const cancel = clock.at(dueAt, () => {
        armed.delete(id);
        fire({ kind: "timer-fired", subtask, timer, at: clock.now(), chance: random() });
      });
      armed.set(id, cancel);
    },
    cancelAll() {
      for (const cancel of armed.values()) cancel();
      armed.clear();
    },
  };
}
