/**
 * A person at simulated terminals: answers checkpoints late, twice, from two terminals at once, and pauses,
 * resumes and cancels runs. Invariants: every open question is answered sooner or later, and no question for ever
 * anew, so that a run can end; whoever got no acknowledgement asks again.
 */
import type { Checkpoint } from "../../../src/core/run/checkpoint.ts";
import type { Answer, RunInput } from "../../../src/core/run/input.ts";
import type { RunState } from "../../../src/core/run/state.ts";
import type { Engine } from "../../../src/runtime/ports.ts";
import type { Chance } from "./chance.ts";
import type { Happening } from "./history.ts";
import type { SimulatedProcess } from "./process.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface Terminal {
  readonly process: SimulatedProcess;
  readonly engine: Engine;
}

export interface PersonOptions {
  readonly run: string;
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly record: (happening: Happening) => void;
  /** A new process beside the owner, which may die like any other. */
  readonly terminal: (name: string) => Terminal;
  /** The terminal the owner itself runs in, if there is one. */
  readonly owner: () => Terminal | undefined;
  /** Does a subtask's work by hand, in its own working tree. */
  readonly workByHand: (subtask: string, text: string) => void;
  /** What is recorded of the run. */
  readonly state: () => RunState;
  /** Whether the question still waits for an answer. */
  readonly isOpen: (checkpoint: string) => boolean;
}

export interface Person {
  asked(checkpoint: Checkpoint): void;
  cancel(): void;
  /** Pauses the run, or has the system do it. */
  pause(): void;
  resume(): void;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Answers after which a person has had enough. */
const PATIENCE = 3;

export function simulatedPerson(options: PersonOptions): Person {
  const { time, chance, record, run } = options;
  const given = new Map<string, number>();
  let terminals = 0;

  const send = (input: () => RunInput, isNeeded: () => boolean): void => {
    const own = chance.happens(0.3) ? options.owner() : undefined;
    const { engine, process } = own ?? options.terminal(`terminal-${(terminals += 1)}`);
    const again = (): void =>
      void time.after(chance.between(1, 10) * MINUTE, () => {
        if (isNeeded()) send(input, isNeeded);
      });
    let known = false;
    const answered = (isDone: boolean): void => {
      if (known) return;
      known = true;
      if (!isDone) again();
      if (own === undefined) process.die("has said it");
    };
    process.onDeath(() => answered(false));
    engine.deliver(run, input()).then(
      () => answered(true),
      () => answered(false),
    );
  };
  const occurred = () => ({ at: time.wall(), chance: chance.next() });
  const say = (checkpoint: string, answer: Answer, by: string): void => {
    record({ kind: "answer-given", checkpoint, answer, by });
    send(
      () => ({ kind: "checkpoint-answered", checkpoint, answer, by, ...occurred() }),
      () => options.isOpen(checkpoint),
    );
  };
  const answerNow = (checkpoint: Checkpoint, answer: Answer): void => {
    const { id, subtask } = checkpoint;
    if (answer.kind !== "manual") return say(id, answer, "alice");
    if (chance.happens(0.5)) say(id, { kind: "manual", done: false }, "alice");
    time.after(chance.between(1, 60) * MINUTE, () => {
      if (!options.isOpen(id)) return;
      const text = chance.pick(["good by hand", "good by hand", "bad by hand"]);
      if (subtask !== undefined) options.workByHand(subtask, text);
      say(id, answer, "alice");
    });
  };
  return {
    asked(checkpoint) {
      const about = checkpoint.subtask ?? "";
      const times = given.get(about) ?? 0;
      if (checkpoint.waiting === undefined) given.set(about, times + 1);
      const delay = chance.happens(0.1)
        ? chance.between(1, 3) * DAY
        : chance.between(0, checkpoint.waiting === undefined ? 90 : 9) * MINUTE;
      time.after(delay, () => {
        answerNow(checkpoint, answerTo(chance, checkpoint, times));
        if (chance.happens(0.3)) say(checkpoint.id, answerTo(chance, checkpoint, times), "bob");
      });
      if (chance.happens(0.3))
        time.after(delay + chance.between(0, 30) * MINUTE, () =>
          say(checkpoint.id, answerTo(chance, checkpoint, times), "carol"),
        );
    },
    pause() {
      const { pauses } = options.state();
      const by = chance.pick(["user", "system"] as const);
      send(
        () => ({
          ...{ kind: "pause-requested", pause: pauses + 1, by, reason: "enough for today" },
          ...occurred(),
        }),
        () => options.state().pauses <= pauses,
      );
    },
    resume() {
      send(
        () => ({
          ...{ kind: "resume-requested", pause: options.state().pauses, by: "alice" },
          ...occurred(),
        }),
        () => options.state().paused !== undefined,
      );
    },
    cancel() {
      send(
        () => ({ kind: "cancel-requested", reason: "a person said so", ...occurred() }),
        () => true,
      );
    },
  };
}

function answerTo(chance: Chance, checkpoint: Checkpoint, times: number): Answer {
  const offered = checkpoint.options.map(({ answer }) => answer);
  const hasEnough = times >= PATIENCE && checkpoint.waiting === undefined;
  const kind = hasEnough ? "skip" : chance.pick(offered);
  switch (kind) {
    case "skip":
    case "without":
    case "other-agent":
    case "allow-once":
    case "allow-run":
    case "allow-always":
      return { kind };
    case "retry":
      return { kind, words: `mind the gap ${checkpoint.id} ${chance.between(1, 1e6)}` };
    case "manual":
      return { kind, done: true };
    case "top-up":
      return { kind, by: { usd: 3, attempts: 4, timeMs: 60 * MINUTE, tokens: 1000 } };
  }
}
