/** The verdict of stuck detection on an attempt: its pattern, its level, and the wording for agent and person. */
import { fence, cleanLine } from "../foreign-text.ts";
import type { Origin } from "./event.ts";

/** Where a rule's count began, as kept in the rule's own state. */
export interface Source {
  readonly origin: Origin | undefined;
  readonly tool?: string | undefined;
  readonly error?: string | undefined;
  /** Number of steps in a cycle. */
  readonly period?: number;
}

interface Words {
  readonly reason: (count: number, tool: string, period: number) => string;
  readonly advice: string;
}

const WORDS = {
  same_call: {
    reason: (count, tool) => `${tool} called ${count} times with nothing new in the result`,
    advice: "The result will not change by asking again. Use what it already told you.",
  },
  cycle: {
    reason: (count, _, period) => `the same ${period} calls in turn, ${count} times over`,
    advice: "Going round these calls again brings the same results. Break out of the circle.",
  },
  poll: {
    reason: (count, tool) => `${tool} asked ${count} times without any new output`,
    advice: "What you wait for does not move. Look at why, or stop it and go another way.",
  },
  same_failure: {
    reason: (count, tool) => `${tool} failed ${count} times with the same error`,
    advice: "Changing the arguments does not cure this error. Find its cause first.",
  },
  failures_in_a_row: {
    reason: (count) => `${count} calls failed one after the other`,
    advice: "Stop and check your assumptions: look at the folder, the tools, the exact error.",
  },
  unknown_tool: {
    reason: (count, tool) => `${tool} does not exist and was called ${count} times`,
    advice: "Use only tools that you were given.",
  },
  same_failing_tests: {
    reason: (count) => `the same checks fail after ${count} rounds of edits`,
    advice: "Your edits do not reach the cause. Read the failing check, and prove where it fails.",
  },
  edit_revert: {
    reason: (count) => `edits undone and made again ${count} times`,
    advice: "You go back and forth between the same states. Decide by evidence which one is right.",
  },
  repeated_message: {
    reason: (count) => `the same message ${count} times without any work between`,
    advice: "Do not announce it again: do the next step, or say plainly what is missing.",
  },
  chanting: {
    reason: (count) => `the same words ${count} times over in one answer`,
    advice: "Your answer repeats itself. End it and take the next step.",
  },
  repeated_output: {
    reason: (count, _, period) =>
      period === 1
        ? `the same line printed more than ${5 * count} times over`
        : `the same ${period} lines printed ${count} times over`,
    advice: "What you print repeats itself. Stop, and take another way.",
  },
  nothing_new: {
    reason: (count) => `${count} reads or searches in a row brought nothing new`,
    advice: "You have this information already. Act on it.",
  },
  grinding: {
    reason: (count) =>
      `${count} steps without a changed file, a new check result or a new file read`,
    advice:
      "Say what you know, what is missing, and which one step would find it out; then do that.",
  },
  compaction: {
    reason: (count) => `context cut ${count} times without progress between`,
    advice: "The context fills up without work getting done. Do one small piece and finish it.",
  },
  call_cap: {
    reason: (count) => `${count} calls, more than the limit allows`,
    advice: "Finish with what you have, or say what is missing.",
  },
  agent_reported: {
    reason: () => "the agent's own guard reports a loop",
    advice: "Take a different approach.",
  },
} as const satisfies Record<string, Words>;

export type Pattern = keyof typeof WORDS;

export const PATTERNS = Object.keys(WORDS) as readonly Pattern[];

const LEVELS = ["none", "nudge", "stuck"] as const;

export type Level = (typeof LEVELS)[number];

export interface StuckVerdict {
  readonly level: Level;
  readonly pattern?: Pattern;
  /** Number of the step (from 0) at which the loop begins: the point to roll back to. */
  readonly loopStart?: number;
  /** From the loop's first step on; tokens and money if the steps report them. */
  readonly cost?: { readonly steps: number; readonly tokens?: number; readonly usd?: number };
  /** One cleaned line. */
  readonly firstError?: string;
  /** One cleaned line for a person. */
  readonly reason?: string;
  /** For the agent's prompt. */
  readonly nudge?: string;
}

export const NO_VERDICT: StuckVerdict = { level: "none" };

/** The strongest finding so far. */
export interface Finding {
  /** Index of its level in LEVELS. */
  rank: number;
  pattern: Pattern;
  count: number;
  source: Source;
}

export function verdictOf({ pattern, rank, count, source }: Finding, now: Origin): StuckVerdict {
  const { origin, error, period = 0 } = source;
  if (origin === undefined) return NO_VERDICT;
  const { reason: reasonOf, advice } = WORDS[pattern];
  const reason = reasonOf(count, cleanLine(source.tool ?? "", 60) || "a tool", period);
  const tokens = now.tokens - origin.tokens;
  const usd = now.usd - origin.usd;
  const quoted =
    error === undefined ? "" : `\nThe first error was:\n${fence(error, { maxChars: 400 })}`;
  return {
    level: LEVELS[rank] ?? "none",
    pattern,
    loopStart: origin.step,
    cost: {
      steps: now.step - origin.step,
      ...(tokens > 0 ? { tokens } : {}),
      ...(usd > 0 ? { usd } : {}),
    },
    ...(error === undefined ? {} : { firstError: error }),
    reason,
    nudge: `You are going in circles: ${reason}. ${advice}${quoted}`,
  };
}
