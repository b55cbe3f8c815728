/**
 * The agents of a run, from its pinned plan: which adapter drives each, what its output is written in, who is
 * behind it. Part of the composition root.
 */
import { agentNamed } from "../agents/start-agent.ts";
import { askAgent, askEndpoint } from "../agents/ask-model.ts";
import { PLAN_AGENTS } from "../agents/plan-agents.ts";
import { adviceFor, knownAgent } from "../agents/registry.ts";
import type { FailureKind } from "../core/failure.ts";
import type { AgentPlan } from "../core/plan/run-plan.ts";
import type { Redaction } from "../core/redact/redaction.ts";
import type { Agent } from "../runtime/ports-agent.ts";
import type { AskModel } from "../runtime/rewrite.ts";
import type { Pinned } from "./pinned.ts";
import { userEnvironment } from "./run-workspace.ts";

export function agentsOf(
  { plan }: Pinned,
  redaction: Redaction,
): (name: string) => Agent | undefined {
  const agents = new Map(
    Object.entries(plan.agents).map(([name, agent]) => [name, redacted(agentOf(agent), redaction)]),
  );
  return (name) => agents.get(name);
}

/** What it keeps of an attempt goes through the run's redaction. */
const redacted = (agent: Agent | undefined, redaction: Redaction): Agent | undefined =>
  agent && { start: (request) => agent.start({ ...request, redaction }) };

const agentOf = ({ adapter, ...options }: AgentPlan): Agent | undefined =>
  agentNamed(adapter, options);

/** The cheap model for rewriting, where the plan names one. */
export function askModelOf({ plan }: Pinned, redaction: Redaction): AskModel | undefined {
  const { rewrite } = plan;
  if (rewrite === undefined) return undefined;
  const env = userEnvironment();
  if ("endpoint" in rewrite) return askEndpoint(rewrite, env);
  const named = plan.agents[rewrite.agent];
  const agent = named === undefined ? undefined : redacted(agentOf(named), redaction);
  return agent === undefined ? undefined : askAgent(agent, rewrite.model, env);
}

/** The command that installs the agent behind a name, or logs it in. */
export function adviceOf({ plan }: Pinned, name: string, kind: FailureKind): string | undefined {
  const { adapter } = plan.agents[name] ?? {};
  return adapter === undefined ? undefined : adviceFor(adapter, kind);
}

/** A known agent stands for its provider; of any other nothing is known but its command. */
export function providerOf({ plan }: Pinned, name: string): string {
  const { adapter = PLAN_AGENTS.plain, command = name } = plan.agents[name] ?? {};
  return knownAgent(adapter) === undefined ? `${adapter} ${command}` : adapter;
}
