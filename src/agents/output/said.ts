/**
 * What an agent said and used, gathered from its steps. Invariants: its own words only (no thoughts, no
 * subagent's); bounded; pieces of one message are joined.
 */
import type { Step } from "../../core/stuck/step.ts";
import type { AgentUsage } from "../../runtime/ports-agent.ts";

export interface Said {
  take(steps: readonly Step[]): void;
  all(): string;
  /** The last message. */
  answer(): string;
  calls(): number;
  /** Answers of its model. */
  turns(): number;
  usage(): AgentUsage;
}

const MAX_SAID = 256 * 1024;

export function createSaid(): Said {
  let earlier = "";
  let last = "";
  let open = false;
  let calls = 0;
  let turns = 0;
  let tokens = 0;
  let usd = 0;
  const take = (step: Step): void => {
    tokens += step.tokens ?? 0;
    usd += step.usd ?? 0;
    if (step.runId !== undefined) return;
    if (step.kind === "tool_call") calls += 1;
    if (step.kind === "turn_end") turns += 1;
    if (step.kind === "message" && step.channel !== "thought") {
      if (!open || step.partial !== true) {
        if (last !== "") earlier = `${earlier}${last}\n`.slice(-MAX_SAID);
        last = "";
      }
      last = (last + step.text).slice(-MAX_SAID);
      open = step.partial === true;
    } else if (step.kind !== "message") open = false;
  };
  return {
    take: (steps) => steps.forEach(take),
    all: () => (earlier + last).slice(-MAX_SAID),
    answer: () => last,
    calls: () => calls,
    turns: () => turns,
    usage: () => ({ ...(tokens > 0 ? { tokens } : {}), ...(usd > 0 ? { usd } : {}) }),
  };
}
