/**
 * The agents of a run, from its pinned plan: which adapter drives each, what its output is written in, who is
 * behind it. Part of the composition root.
 */
import { agentNamed } from "../agents/agents.ts";
import { askAgent } from "../agents/ask-agent.ts";
import { askEndpoint } from "../agents/ask-endpoint.ts";
import { commandAgent } from "../agents/command.ts";
import { adviceFor } from "../agents/install.ts";
import type { SniffedFormat } from "../agents/transcripts/sniff.ts";
import type { FailureKind } from "../core/kinds.ts";
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

function agentOf({ adapter, command, format }: AgentPlan): Agent | undefined {
  if (adapter === "command")
    return command === undefined ? undefined : commandAgent(command, format);
  if (adapter === "acp") return agentNamed(`acp:${command ?? ""}`);
  return agentNamed(adapter, command === undefined ? {} : { command });
}

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

/** What an agent's standard output is written in, where that is known. */
export function formatOf({ plan }: Pinned, name: string): SniffedFormat | undefined {
  const { adapter, format } = plan.agents[name] ?? {};
  return adapter === undefined || adapter === "command" ? format : adapter;
}

/** The command that installs the agent behind a name, or logs it in. */
export function adviceOf({ plan }: Pinned, name: string, kind: FailureKind): string | undefined {
  const { adapter } = plan.agents[name] ?? {};
  return adapter === undefined ? undefined : adviceFor(adapter, kind);
}

/** An adapter stands for its provider; of a plain command or an ACP agent nothing is known but its words. */
export function providerOf({ plan }: Pinned, name: string): string {
  const { adapter = "command", command = name } = plan.agents[name] ?? {};
  return adapter === "command" || adapter === "acp" ? `${adapter} ${command}` : adapter;
}
