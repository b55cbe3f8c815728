/**
 * The timers of one owned run. Invariants: the due time is the journal's, this only wakes up for it; a timer asked
 * for twice is armed once; a timer that fires says so with the clock's time, early or late.
 */
import type { Command } from "../core/run/command.ts";
import type { InputOf } from "../core/run/input.ts";
import type { Clock, Random } from "../runtime/ports.ts";

type TimerCommand = Extract<Command, { readonly kind: "timer" }>;

export interface Timers {
  arm(command: TimerCommand): void;
  cancelAll(): void;
}

export function timers(
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
