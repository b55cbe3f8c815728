/** The outcome of one task under one policy. */
import type { Start } from "./behaviour.ts";
import type { Task } from "./tasks.ts";

export interface Question {
  /** The agent's starts before the question. */
  readonly after: number;
  /** The task cannot be done without a person. */
  readonly right: boolean;
  /** It contains the agent's own question. */
  readonly agentsWords: boolean;
}

export interface Outcome {
  readonly task: Task;
  readonly verified: boolean;
  readonly starts: readonly Start[];
  readonly questions: readonly Question[];
  /** The chosen recoveries, in order. */
  readonly moves: readonly string[];
}

/** The laboratory's person knows what only a person can know, and nothing else. */
export function questionOn(task: Task, after: number, asks: string | undefined): Question {
  const agentsWords = [task.unknown.asks, task.unknown.givesUp].some((words) =>
    asks?.includes(words),
  );
  return { after, right: task.cause === "person", agentsWords };
}
