/**
 * Watches an attempt for news: results that no attempt of its subtask has seen, new output of a plain command, and
 * changes of the tree. Calls back once, when the attempt has gone on for too long and has had no news for a while.
 * Invariants: length alone never triggers it; time in which this process slept, or the agent waited for a person, does
 * not count; the tree is inspected only when the deadline is near.
 */
import { maskedHash } from "../core/masked-hash.ts";
import type { Step } from "../core/stuck/step.ts";
import { type Clock, deliver, stateOf, type RunUnderway } from "./ports.ts";
import { duration } from "../core/amounts.ts";
import type { Command } from "../core/run/command.ts";
import { mayGiveUpOne, tooLongMs } from "../core/run/overrun.ts";
import { indexOf } from "../core/run/state.ts";
import type { AttemptTree } from "./ports-workspace.ts";

interface Watched {
  readonly clock: Clock;
  /** Measured from the start of the attempt. */
  readonly tooLongMs: number;
  /** How long without news. */
  readonly quietMs: number;
  /** Hashes of what earlier attempts of the subtask have seen. */
  readonly seen: readonly number[];
  readonly treeMark: () => Promise<string>;
  readonly tooLong: (ranMs: number, quietMs: number) => void;
}

export interface OverrunWatch {
  step(step: Step): void;
  /** The agent waits for a person until the returned function is called; that time does not count. */
  hold(): () => void;
  end(): void;
}

/** A check that comes later than this means the machine was asleep. */
const LATE_MS = 60_000;
const MOST_SEEN = 5000;
/** How often a held watch checks whether the wait is over. */
const HELD_MS = 10_000;

export function watchOverrun(watched: Watched): OverrunWatch {
  const { clock, tooLongMs, quietMs } = watched;
  const known = new Set(watched.seen);
  let started = clock.now();
  let news = started;
  let mark: string | undefined;
  let cancel = (): void => {};
  let holds = 0;
  let heldSince: number | undefined;

  const look = async (due: number): Promise<void> => {
    if (heldSince !== undefined) return next(clock.now() + HELD_MS);
    const late = clock.now() - due;
    if (late > LATE_MS) [started, news] = [started + late, news + late];
    const now = clock.now();
    const tree = await watched.treeMark();
    if (mark !== undefined && tree !== mark) news = now;
    const isTold = mark !== undefined && now - started >= tooLongMs && now - news >= quietMs;
    mark = tree;
    if (isTold) watched.tooLong(now - started, now - news);
    else next(Math.max(news + quietMs, started + tooLongMs, now + 1000));
  };
  const next = (due: number): void => {
    // If the tree cannot be inspected, that is no evidence, and nothing is ended for it.
    cancel = clock.at(due, () => void look(due).catch(() => undefined));
  };
  next(started + Math.max(0, tooLongMs - quietMs));

  return {
    step(step) {
      const text = textOf(step);
      if (text === undefined || text.trim() === "") return;
      const hash = maskedHash(text);
      if (known.has(hash)) return;
      if (known.size < MOST_SEEN) known.add(hash);
      news = clock.now();
    },
    hold() {
      heldSince ??= clock.now();
      holds += 1;
      return () => {
        holds -= 1;
        if (holds > 0 || heldSince === undefined) return;
        const waited = clock.now() - heldSince;
        [started, news, heldSince] = [started + waited, news + waited, undefined];
      };
    },
    end: () => cancel(),
  };
}

/** Tool results; for a plain command all it prints, because nothing else is known of it. */
function textOf(step: Step): string | undefined {
  if (step.kind === "tool_result") return step.veto === true ? undefined : step.output;
  return step.kind === "message" && step.channel === "output" ? step.text : undefined;
}

type Start = Extract<Command, { readonly kind: "start" }>;

/**
 * The adaptive policy's own cut-off: the attempt is interrupted and fails for lack of progress. Other policies leave
 * this to the limits of the plan.
 */
export function overrunWatch(
  underway: RunUnderway,
  { subtask, attempt, spec }: Start,
  tree: AttemptTree,
): OverrunWatch | undefined {
  const { plan, ports, state } = underway;
  const details = plan.subtasks[subtask];
  const of = plan.plan.subtasks[indexOf(state(), subtask) ?? -1];
  if (plan.policy.policy !== "adaptive" || details === undefined || of === undefined)
    return undefined;
  const own = stateOf(underway, subtask);
  if (!mayGiveUpOne(own, of, plan.plan, plan.policy)) return undefined;
  const { usual, tooLong } = tooLongMs(state(), spec.entry);
  return watchOverrun({
    clock: ports.clock,
    tooLongMs: tooLong,
    quietMs: details.idleMs,
    seen: own.seen,
    treeMark: () => ports.workspace.mark(tree),
    tooLong: (ranMs, quietMs) => {
      const pattern = `it ran for ${duration(ranMs)}, where ${duration(usual)} is usual, and brought nothing new in the last ${duration(quietMs)}`;
      const running = underway.running.get(`${subtask}/${attempt}`);
      if (running === undefined) return;
      running.overrun = pattern;
      // An engine that fails here also fails when the attempt's end is delivered, and the error is handled there.
      deliver(underway, {
        ...{ kind: "loop-seen", subtask, attempt, level: "stuck", pattern, words: "" },
      }).catch(() => {});
    },
  });
}
