/**
 * Planted bugs of the engine's kind: recording, commands, timers, the inbox. Each is a small wrapper around what
 * the production code is given.
 */
import type { Command } from "../../../src/core/run/command.ts";
import type { RunInput } from "../../../src/core/run/input.ts";
import type { Journal } from "../../../src/journal/journal.ts";
import type { Engine, Perform } from "../../../src/runtime/ports.ts";
import type { Chance } from "../world/chance.ts";
import type { Sabotage } from "../world/sabotage.ts";

/** Changes how commands are carried out. */
const performing = (change: (perform: Perform, chance: Chance) => Perform): Sabotage => ({
  engine: (engine, { chance }) => ({
    ...engine,
    own: (run, policy, perform) => engine.own(run, policy, change(perform, chance)),
  }),
});

type Misreading = (input: RunInput, row: number) => RunInput;

/** Changes what the owner finds in its inbox. */
const misreading = (reader: () => Misreading): Sabotage => ({
  journal(journal) {
    const change = reader();
    return {
      ...journal,
      posted: async (run, after, limit) =>
        (await journal.posted(run, after, limit)).map((row) =>
          "input" in row ? { ...row, input: change(row.input, row.id) } : row,
        ),
    };
  },
});

/** Changes what is delivered in this process. */
const misdelivering = (change: (input: RunInput) => RunInput): Sabotage => ({
  engine: (engine): Engine => ({
    ...engine,
    deliver: (run, input) => engine.deliver(run, change(input)),
  }),
});

/** Says "written" at once, and writes a little later. */
function eager(journal: Journal): Journal {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...journal,
    append(append) {
      const { expected, events } = append;
      last = last.then(() => journal.append(append)).catch(() => undefined);
      return Promise.resolve({ ok: true, seq: expected + events.length });
    },
  };
}

const earlier = (command: Command): Command =>
  command.kind === "start" && command.attempt > 1
    ? {
        ...command,
        attempt: command.attempt - 1,
        id: command.id.replace(/\d{1,9}$/, String(command.attempt - 1)),
      }
    : command;

/** A second answer to a question is taken for an answer to the next one. */
function secondAnswers(): Misreading {
  const answered = new Map<string, number>();
  return (input, row) => {
    if (input.kind !== "checkpoint-answered") return input;
    const { checkpoint, answer } = input;
    if (answer.kind === "manual" && !answer.done) return input;
    const first = answered.get(checkpoint) ?? row;
    answered.set(checkpoint, first);
    if (first === row) return input;
    const next = checkpoint.replace(/\d{1,9}$/, (number) => String(Number(number) + 1));
    return { ...input, checkpoint: next };
  };
}

export const ENGINE_BUGS = {
  "act-before-commit": { journal: eager },
  "lost-timer": {
    clock: (clock) => ({
      ...clock,
      at: (time, ring) => (time <= clock.now() ? () => undefined : clock.at(time, ring)),
    }),
  },
  "early-timer": {
    clock: (clock) => ({
      ...clock,
      at: (time, ring) => clock.at(clock.now() + (time - clock.now()) / 2, ring),
    }),
  },
  "double-dispatch": performing((perform, chance) => (command, again) => {
    perform(command, again);
    if (command.kind === "start" && chance.happens(0.05)) perform(command, again);
  }),
  "run-twice-in-silence": performing((perform) => (command) => perform(command, false)),
  "forgotten-command": performing((perform) => (command, again) => {
    if (!again || command.kind !== "check") perform(command, again);
  }),
  "attempt-number-reused": performing((perform, chance) => (command, again) => {
    perform(chance.happens(0.1) ? earlier(command) : command, again);
  }),
  "stale-result-accepted": misreading(
    () => (input) =>
      input.kind === "attempt-ended" ? { ...input, attempt: input.attempt + 1 } : input,
  ),
  "duplicate-answer-accepted": misreading(secondAnswers),
  "words-garbled": misdelivering((input) =>
    input.kind === "checkpoint-answered" && input.answer.kind === "retry"
      ? { ...input, answer: { ...input.answer, words: "" } }
      : input,
  ),
  "lost-post": {
    journal: (journal, { chance }) => ({
      ...journal,
      post: async (run, input) => (chance.happens(0.2) ? undefined : journal.post(run, input)),
    }),
  },
  "snapshot-of-the-future": {
    journal: (journal) => ({
      ...journal,
      saveSnapshot: (claim, snapshot) =>
        journal.saveSnapshot(claim, { ...snapshot, seq: snapshot.seq + 1 }),
    }),
  },
} satisfies Record<string, Sabotage>;
