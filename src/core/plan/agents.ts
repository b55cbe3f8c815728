/**
 * The agents of a plan: those it lists, the one it names, and those its model ladder names without listing them.
 * An agent that is named like an adapter is driven by it; anything else is a command. Which adapters there are is
 * the caller's to say: the core knows no agent by name.
 */
import type { AgentPlan, PlanAgents } from "./run-plan.ts";
import type { PlanFile } from "./schema.ts";

/** The name of the agent that `agent:` or `--agent` gives as a command. */
export const OWN_AGENT = "agent";

export function agentsOf(
  file: PlanFile,
  flag: string | undefined,
  { adapters, needCommand, plain }: PlanAgents,
): Record<string, AgentPlan> {
  /** Adapters that know their own program. */
  const adapterNamed = (name: string): string | undefined =>
    adapters.find((adapter) => adapter === name && !needCommand.includes(adapter));
  const agents: Record<string, AgentPlan> = {};
  for (const [name, { adapter, command, turns, format }] of Object.entries(file.agents ?? {}))
    agents[name] = {
      adapter: adapter ?? (command === undefined ? (adapterNamed(name) ?? plain) : plain),
      ...(command === undefined ? {} : { command }),
      ...(turns === undefined ? {} : { turns }),
      ...(format === undefined ? {} : { format }),
    };
  for (const { agent } of file.models ?? []) {
    const adapter = adapterNamed(agent);
    if (adapter !== undefined) agents[agent] ??= { adapter };
  }
  if (file.rewrite !== undefined && "agent" in file.rewrite) {
    const adapter = adapterNamed(file.rewrite.agent);
    if (adapter !== undefined) agents[file.rewrite.agent] ??= { adapter };
  }
  const one = flag ?? file.agent;
  if (one === undefined || one in agents) return agents;
  const adapter = adapterNamed(one);
  return adapter === undefined
    ? { ...agents, [OWN_AGENT]: { adapter: plain, command: one } }
    : { ...agents, [one]: { adapter } };
}
