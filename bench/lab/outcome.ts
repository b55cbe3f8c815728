/** What came of one task under one policy. */
import type { Start } from "./behaviour.ts";
import type { Task } from "./tasks.ts";

export interface Question {
  /** Starts of the agent before it was asked. */
  readonly after: number;
  /** The task cannot be done without a person. */
  readonly right: boolean;
  /** It shows what the agent itself asked. */
  readonly agentsWords: boolean;
}

export interface Outcome {
  readonly task: Task;
  readonly verified: boolean;
  readonly starts: readonly Start[];
  readonly questions: readonly Question[];
  /** The recoveries that were chosen, in order. */
  readonly moves: readonly string[];
}

/** The person of the laboratory knows what only a person knows, and nothing else. */
export function questionOn(task: Task, after: number, asks: string | undefined): Question {
  const agentsWords = [task.unknown.asks, task.unknown.givesUp].some((words) =>
    asks?.includes(words),
  );
  return { after, right: task.cause === "person", agentsWords };
}
