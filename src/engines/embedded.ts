/**
 * The embedded engine implements the contract of runtime/ports.ts on the journal, in one process, with nothing to
 * install. A run's owner queues its inputs, decides them in order, records them, and only then acts. Invariants:
 * - O1 no command is performed before the commit of its decision, or after release or loss of ownership.
 * - O2 what fails to be recorded has changed nothing; a full disk is waited for, any other failure reaches the caller.
 * - O3 inputs from the inbox and timers are never dropped: they stay queued until they are recorded or found stale.
 * - A process that does not own a run only posts to its inbox; a claim that cannot be used is released.
 */
import type { Clock, Delivery, Engine, OwnedRun, Perform, Random } from "../runtime/ports.ts";
import { follow } from "./follow.ts";
import { restoredRun, type RestoredRun } from "./restored.ts";
import { commandOf, outstanding, type Command } from "../core/run/command.ts";
import type { Policy } from "../core/policy/policy.ts";
import type { InputOf, RunInput } from "../core/run/input.ts";
import type { RunState } from "../core/run/state.ts";
import { hasCode } from "../journal/error.ts";
import type { Journal } from "../journal/journal.ts";
import type { Claim } from "../journal/owners.ts";
import { inbox, mailbox, recorder } from "./run-inputs.ts";
import type { CrashPoint, Outcome, Waiting } from "./run-inputs.ts";

export interface EmbeddedOptions {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  /**
   * Reports an error that no caller is waiting for. `owner-lost` means: this process must let go of the run at once.
   */
  readonly onProblem: (run: string, problem: unknown) => void;
  readonly onPoint?: (point: CrashPoint) => void;
  readonly snapshotSize?: number;
}

export function embeddedEngine(given: EmbeddedOptions): Engine {
  const options = { onPoint: () => {}, snapshotSize: 1024 * 1024, ...given };
  const { journal, clock, onPoint, onProblem } = options;
  const runs = new Map<string, Owned>();
  return {
    async deliver(run, input) {
      const here = runs.get(run);
      if (here !== undefined) return here.deliver(input);
      await journal.post(run, input);
      return { recorded: false, posted: true };
    },
    read: async (run, from, limit) =>
      (await journal.read(run, from, limit)).map(({ seq, event }) => ({ seq, event })),
    follow: (run, from, signal) => follow(journal, run, from, signal),
    async own(run, policy, perform) {
      const claim = await journal.claim(run, clock.now());
      try {
        onPoint("claimed");
        const restored = await restoredRun(journal, run);
        const onGone = (): void => void runs.delete(run);
        const taken = ownedRun(options, { claim, policy, perform, restored, onGone });
        runs.set(run, taken);
        taken.start();
        return { state: taken.state, release: () => taken.release() };
      } catch (error) {
        await journal.release(claim).catch((problem: unknown) => onProblem(run, problem));
        throw error;
      }
    },
  };
}

interface Ownership {
  readonly claim: Claim;
  readonly policy: Policy;
  readonly perform: Perform;
  readonly restored: RestoredRun;
  /** Called once, when this owner releases the run or has lost it. */
  readonly onGone: () => void;
}

interface Owned extends OwnedRun {
  deliver(input: RunInput): Promise<Delivery>;
  /** Performs outstanding commands, then reads the inbox. */
  start(): void;
}

/** Without `settle` the item is the engine's own: a timer, or a row of the inbox. */
interface Item extends Waiting {
  readonly settle?: Pick<PromiseWithResolvers<Delivery>, "resolve" | "reject">;
}

const RETRY_MS = 1000;

function ownedRun(options: Required<EmbeddedOptions>, ownership: Ownership): Owned {
  const { journal, clock, random, onPoint, onProblem } = options;
  const { claim } = ownership;
  const written = recorder({ ...options, ...ownership });
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
    let outcomes: readonly Outcome<Item>[];
    try {
      outcomes = await written.record(items);
    } catch (error) {
      return failed(items, error);
    }
    failing = false;
    for (const outcome of outcomes) conclude(outcome);
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

  function conclude(outcome: Outcome<Item>): void {
    const { settle } = outcome.item;
    if ("error" in outcome) {
      if (settle === undefined) problem(outcome.error);
      else settle.reject(outcome.error);
      return;
    }
    for (const command of outcome.commands) act(command, false);
    settle?.resolve(outcome.delivery);
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

/**
 * The commands without an answer. Ending a run has none: every later owner performs it again, harmlessly because of its
 * id.
 */
export function unanswered(state: RunState): readonly Command[] {
  const { outcome } = state;
  if (outcome === undefined) return outstanding(state);
  const ended = { kind: "run-ended", outcome: outcome.kind, reason: outcome.reason } as const;
  const end = commandOf(state.run, ended);
  return end === undefined ? [] : [end];
}

function timers(clock: Clock, random: Random, fire: (input: InputOf<"timer-fired">) => void) {
  const armed = new Map<string, () => void>();
  return {
    arm({ id, subtask, timer, dueAt }: Extract<Command, { readonly kind: "timer" }>): void {
      if (armed.has(id)) return;
      const cancel = clock.at(dueAt, () => {
        armed.delete(id);
        fire({ kind: "timer-fired", subtask, timer, at: clock.now(), chance: random() });
      });
      armed.set(id, cancel);
    },
    cancelAll(): void {
      for (const cancel of armed.values()) cancel();
      armed.clear();
    },
  };
}
