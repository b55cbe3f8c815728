/**
 * What really reached an attempt: read from its prompt, its tree and its tier, never from the name Unstuck gives to it.
 * A cause is cured by one of these, and by nothing else.
 */
import type { Task } from "./tasks.ts";
import type { Cause } from "../../src/core/adaptive/causes.ts";

export interface Reached {
  /** The prompt says what a failing item wants. */
  readonly failure: boolean;
  /** The task reads differently: a sufficient share of its sentences was in no earlier prompt. */
  readonly otherWords: boolean;
  /** Nothing left by an earlier attempt is in the way. */
  readonly cleanTree: boolean;
  /** A step of the prompt is a command that provides what is missing. */
  readonly repair: boolean;
  /** The prompt contains what only a person knows. */
  readonly answer: boolean;
  readonly tier: number;
}

interface Ground {
  readonly task: Task;
  readonly prompt: string;
  /** Sentences of the earlier prompts. */
  readonly heard: ReadonlySet<string>;
  readonly tier: number;
  readonly newWords: number;
  /** Something left by an earlier attempt is in the tree. */
  readonly leftover: boolean;
}

export function whatReached({ task, prompt, heard, tier, newWords, leftover }: Ground): Reached {
  const failing = (item: Task["items"][number]): boolean =>
    prompt.includes(item.name) && new RegExp(`\\b${item.want}\\b`).test(prompt);
  const said = sentencesOf(prompt);
  const news = said.filter((sentence) => !heard.has(sentence)).length;
  return {
    failure: task.items.some(failing),
    otherWords: heard.size > 0 && news >= newWords * said.length,
    cleanTree: !leftover,
    repair: blocksOf(prompt).some((block) => block.includes(task.tool)),
    answer: prompt.includes(task.unknown.answer),
    tier,
  };
}

export function isCured(cause: Cause, reached: Reached): boolean {
  switch (cause) {
    case "mistake":
      return reached.failure;
    case "misread":
      return reached.otherWords;
    case "pollution":
      return reached.cleanTree;
    case "environment":
      return reached.repair;
    case "person":
      return reached.answer;
    case "transient":
    case "capability":
      return true;
  }
}

const FENCED = /^```(\w*)\n([^]*?)^```$/gm;

/** Scripts that a prompt asks the agent to run. */
const blocksOf = (prompt: string): readonly string[] =>
  [...prompt.matchAll(FENCED)].filter(([, kind]) => kind === "bash").map(([, , body = ""]) => body);

/** The sentences that state the task: those before any quoted text. Sentences that differ only in numbers are equal. */
export const sentencesOf = (prompt: string): readonly string[] =>
  (prompt.split("\n```")[0] ?? "")
    .split(/\n|(?<=[.!?:;])\s+/)
    .map((sentence) =>
      sentence
        .toLowerCase()
        .replace(/[^a-z]+/g, " ")
        .trim(),
    )
    .filter((sentence) => sentence.split(" ").length >= 3);
