/** What a plan may name of the registry's agents, and the agents of the source that the `stuck-recovery` preset is from. */
import type { PlanAgents } from "../core/plan/run-plan.ts";
import { command } from "./command/agent.ts";
import { AGENTS, KNOWN_AGENTS, STEPS } from "./registry.ts";

export const PLAN_AGENTS: PlanAgents = {
  adapters: AGENTS.map(({ name }) => name),
  needCommand: AGENTS.filter(({ profile }) => profile === undefined).map(({ name }) => name),
  plain: command.name,
  formats: [...KNOWN_AGENTS.map(({ name }) => name), STEPS],
  sourceLadder: [
    { agent: "gemini", model: "gemini-3-flash", tier: 1 },
    { agent: "gemini", model: "gemini-3-pro", tier: 1 },
    { agent: "codex", model: "gpt-5.2", tier: 2 },
    { agent: "claude", model: "claude-sonnet-4", tier: 2 },
    { agent: "claude", model: "claude-opus-4.5", tier: 3 },
  ],
  branchAgents: { "bottom-up": "codex", "research-first": "gemini", constrained: "codex" },
};
