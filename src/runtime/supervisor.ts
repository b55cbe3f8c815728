/**
 * Carries out the commands of one run: starts attempts, checks and merges through the ports and delivers what came
 * of them. Invariants: S1 nothing of an agent runs before its identity is recorded; S2 a command found open after
 * a restart is never started again in silence: an attempt is proven dead and reported lost; S3 every command is
 * answered by exactly one input, whatever went wrong on the way; S4 a broken invariant or an engine that fails
 * ends the run's owner, not the run: the journal holds where it stood.
 */
import type { Command } from "../core/run/command.ts";
import { attemptCutOff, runAttempt } from "./attempt.ts";
import { wakeWaiting } from "./breaker.ts";
import { checkAttempt, mergeAttempt } from "./checks.ts";
import { untilDead } from "./waiting.ts";
import { checkBase, checkResult } from "./whole-run.ts";
import type { Policy } from "../core/policy/policy.ts";
import type { RunState } from "../core/run/state.ts";
import { deliver, type OwnedRun, type Perform, type Reply, type RunUnderway } from "./ports.ts";

/** Owns the run and supervises it: what it takes to go from the plan to its end, again after any crash. */
export async function superviseRun(
  underway: Omit<RunUnderway, "state">,
  policy: Policy,
  /** The run has ended and is about to go on: its end is not carried out again. */
  { reopens = false }: { readonly reopens?: boolean } = {},
): Promise<SupervisedRun> {
  const holder: { owned?: OwnedRun } = {};
  const state = (): RunState => {
    if (holder.owned === undefined)
      throw new Error("broken invariant: a command before the run is owned");
    return holder.owned.state();
  };
  const early: [Command, boolean][] = [];
  const whole = { ...underway, state };
  const { perform, done } = supervise(whole);
  const owned = await underway.ports.engine.own(underway.run, policy, (command, again) => {
    if (reopens && again && command.kind === "end") return;
    if (holder.owned === undefined) early.push([command, again]);
    else perform(command, again);
  });
  holder.owned = owned;
  for (const [command, again] of early) perform(command, again);
  return { owned, done, heardNews: () => wakeWaiting(whole) };
}

export interface SupervisedRun {
  readonly owned: OwnedRun;
  /** Settles when the run has ended or this owner was told to let go; rejects if the owner has to die. */
  readonly done: Promise<void>;
  /** To be called when other runs of the user may have found a service well again. */
  readonly heardNews: () => Promise<void>;
}

function supervise(underway: RunUnderway): {
  readonly perform: Perform;
  readonly done: Promise<void>;
} {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  const underWay = new Set<Promise<void>>();
  const perform: Perform = (command, again) => {
    if (command.kind === "end") {
      // A cancelled run may end in the middle of a check or a merge: the result stands still before it is published.
      underway.letGo();
      Promise.allSettled(underWay)
        .then(() => conclude(underway))
        .then(resolve, reject);
      return;
    }
    const work = answer(underway, command, again)
      .then((input) => deliver(underway, input))
      .catch(reject)
      .finally(() => underWay.delete(work));
    underWay.add(work);
  };
  return { perform, done };
}

type Answerable = Exclude<Command, { readonly kind: "end" }>;

async function answer(
  underway: RunUnderway,
  command: Answerable,
  again: boolean,
): Promise<Reply | undefined> {
  if (again && !(await nothingIsLeft(underway, command))) return undefined;
  switch (command.kind) {
    case "start":
      return again ? attemptCutOff(underway, command) : runAttempt(underway, command);
    case "check":
      return checkAttempt(underway, command);
    case "merge":
      return mergeAttempt(underway, command);
    case "baseline":
      return checkBase(underway, command);
    case "final-check":
      return checkResult(underway, command);
    case "interrupt":
      underway.running.get(`${command.subtask}/${command.attempt}`)?.attempt.stop(command.reason);
      return undefined;
    case "nudge": {
      const { subtask, attempt, words } = command;
      underway.running.get(`${subtask}/${attempt}`)?.attempt.steer?.(words);
      return undefined;
    }
    case "timer":
      return undefined;
    case "ask":
      underway.ports.notify(command);
      return undefined;
  }
}

/** Checks that an earlier owner began may still run in its trees; an attempt is looked for with its identity. */
async function nothingIsLeft(underway: RunUnderway, command: Answerable): Promise<boolean> {
  switch (command.kind) {
    case "check":
    case "merge":
      return untilDead(underway, `${underway.run}/${command.subtask}/${command.attempt}`);
    case "baseline":
    case "final-check":
      return untilDead(underway, command.id);
    default:
      return true;
  }
}

/** A result that cannot be put in its place ends the owner: the next one, or a person, will see to it. */
async function conclude({ run, ports }: RunUnderway): Promise<void> {
  const published = await ports.workspace.publish();
  if (published.ok) {
    const given = await ports.standingTrees.releaseAll();
    if (!given.ok) ports.tell(`working trees stay on the disk: ${given.failure.because[0] ?? ""}`);
    return;
  }
  const why = published.failure.because[0] ?? published.failure.kind;
  const error = new Error(
    `the result of run ${run} could not be published: ${why}; see to that, then: unstuck resume ${run}`,
  );
  throw Object.assign(error, { code: "not-published" });
}
