/**
 * Verdict: what the detector says after each step, with the evidence for it, and the words for the person (reason)
 * and for the agent (nudge). Invariant: text that came from the agent is tamed here, and fenced in the nudge
 * (U15).
 */
import { fence, tameLine } from "../foreign-text.ts";
import type { Origin } from "./event.ts";

export const PATTERNS = [
  "same_call",
  "cycle",
  "poll",
  "same_failure",
  "failures_in_a_row",
  "unknown_tool",
  "same_failing_tests",
  "edit_revert",
  "repeated_message",
  "chanting",
  "nothing_new",
  "compaction",
  "call_cap",
  "agent_reported",
] as const;

export type Pattern = (typeof PATTERNS)[number];

export type Level = "none" | "nudge" | "stuck";

export interface Verdict {
  readonly level: Level;
  readonly pattern?: Pattern;
  /** Number of the step (from 0) with which the loop begins: the point to roll back to. */
  readonly loopStart?: number;
  /** From the loop's first step on; tokens and money where the steps carry them. */
  readonly cost?: { readonly steps: number; readonly tokens?: number; readonly usd?: number };
  /** One tamed line. */
  readonly firstError?: string;
  /** One tamed line for a person. */
  readonly reason?: string;
  /** For the agent's prompt. */
  readonly nudge?: string;
}

export const NO_VERDICT: Verdict = { level: "none" };

/** What a rule found; the words are made from it. */
export interface Finding {
  readonly pattern: Pattern;
  readonly level: "nudge" | "stuck";
  readonly count: number;
  readonly origin: Origin;
  readonly tool?: string | undefined;
  /** Steps of a cycle. */
  readonly period?: number | undefined;
  readonly error?: string | undefined;
}

interface Words {
  readonly reason: (finding: Finding, tool: string) => string;
  readonly advice: string;
}

const WORDS: Readonly<Record<Pattern, Words>> = {
  same_call: {
    reason: ({ count }, tool) => `${tool} called ${count} times with nothing new in the result`,
    advice: "The result will not change by asking again. Use what it already told you.",
  },
  cycle: {
    reason: ({ count, period }) => `the same ${period ?? 0} calls in turn, ${count} times over`,
    advice: "Going round these calls again brings the same results. Break out of the circle.",
  },
  poll: {
    reason: ({ count }, tool) => `${tool} asked ${count} times without any new output`,
    advice: "What you wait for does not move. Look at why, or stop it and go another way.",
  },
  same_failure: {
    reason: ({ count }, tool) => `${tool} failed ${count} times with the same error`,
    advice: "Changing the arguments does not cure this error. Find its cause first.",
  },
  failures_in_a_row: {
    reason: ({ count }) => `${count} calls failed one after the other`,
    advice: "Stop and check your assumptions: look at the folder, the tools, the exact error.",
  },
  unknown_tool: {
    reason: ({ count }, tool) => `${tool} does not exist and was called ${count} times`,
    advice: "Use only tools that you were given.",
  },
  same_failing_tests: {
    reason: ({ count }) => `the same checks fail after ${count} rounds of edits`,
    advice: "Your edits do not reach the cause. Read the failing check, and prove where it fails.",
  },
  edit_revert: {
    reason: ({ count }) => `edits undone and made again ${count} times`,
    advice: "You go back and forth between the same states. Decide by evidence which one is right.",
  },
  repeated_message: {
    reason: ({ count }) => `the same message ${count} times without any work between`,
    advice: "Do not announce it again: do the next step, or say plainly what is missing.",
  },
  chanting: {
    reason: ({ count }) => `the same words ${count} times over in one answer`,
    advice: "Your answer repeats itself. End it and take the next step.",
  },
  nothing_new: {
    reason: ({ count }) => `${count} reads or searches in a row brought nothing new`,
    advice: "You have this information already. Act on it.",
  },
  compaction: {
    reason: ({ count }) => `context cut ${count} times without progress between`,
    advice: "The context fills up without work getting done. Do one small piece and finish it.",
  },
  call_cap: {
    reason: ({ count }) => `${count} calls, more than the limit allows`,
    advice: "Finish with what you have, or say what is missing.",
  },
  agent_reported: {
    reason: () => "the agent's own guard reports a loop",
    advice: "Take a different approach.",
  },
};

export function verdictOf(finding: Finding, now: Origin): Verdict {
  const { pattern, level, origin, error } = finding;
  const words = WORDS[pattern];
  const tool = tameLine(finding.tool ?? "a tool", 60) || "a tool";
  const reason = words.reason(finding, tool);
  const tokens = now.tokens - origin.tokens;
  const usd = now.usd - origin.usd;
  const quoted =
    error === undefined ? "" : `\nThe first error was:\n${fence(error, { maxChars: 400 })}`;
  return {
    level,
    pattern,
    loopStart: origin.step,
    cost: {
      steps: now.step - origin.step,
      ...(tokens > 0 ? { tokens } : {}),
      ...(usd > 0 ? { usd } : {}),
    },
    ...(error === undefined ? {} : { firstError: error }),
    reason,
    nudge: `You are going in circles: ${reason}. ${words.advice}${quoted}`,
  };
}
