/**
 * The agents of a plan, their model ladder, and the moves on it: one rank up, to the top, to another entry of the same
 * tier. An agent with the name of an adapter is run by that adapter; anything else is a command. The caller passes in
 * the adapters, because the core knows no agent by name. Invariants: the ladder keeps the user's order; no move leads
 * to a disabled entry.
 */
import { defined } from "../defined.ts";
import type { ModelEntry, Plan } from "./plan.ts";
import type { AgentPlan, PlanAgents } from "./run-plan.ts";
import type { PlanFile } from "./schema.ts";

/** The name of an agent given as a command by `agent:` or `--agent`. */
export const OWN_AGENT = "agent";

/** The agents that the plan lists, its default agent, and those named only by its model ladder. */
export function agentsOf(
  file: PlanFile,
  flag: string | undefined,
  { adapters, needCommand, plain }: PlanAgents,
): Record<string, AgentPlan> {
  /** The adapter of this name, if it knows its own program. */
  const adapterNamed = (name: string): string | undefined =>
    adapters.find((adapter) => adapter === name && !needCommand.includes(adapter));
  const agents: Record<string, AgentPlan> = {};
  for (const [name, { adapter, command, turns, format }] of Object.entries(file.agents ?? {}))
    agents[name] = {
      adapter: adapter ?? (command === undefined ? (adapterNamed(name) ?? plain) : plain),
      ...defined({ command, turns, format }),
    };
  const { models = [], rewrite } = file;
  for (const { agent } of rewrite !== undefined && "agent" in rewrite
    ? [...models, rewrite]
    : models) {
    const adapter = adapterNamed(agent);
    if (adapter !== undefined) agents[agent] ??= { adapter };
  }
  const one = flag ?? file.agent;
  if (one === undefined || one in agents) return agents;
  const adapter = adapterNamed(one);
  return adapter === undefined
    ? { ...agents, [OWN_AGENT]: { adapter: plain, command: one } }
    : { ...agents, [one]: { adapter } };
}

/**
 * The ladder, from the first of these that applies: the agent of the command line alone; the plan's ladder; for the
 * preset that brings a ladder, its source's entries whose agents the plan names (`leftOut`: the others); the plan's one
 * agent; all its agents, one entry each.
 */
export function ladderOf(
  file: PlanFile,
  agents: Readonly<Record<string, AgentPlan>>,
  flag: string | undefined,
  policy: string,
  sourceLadder: Ladder,
): { readonly ladder: Ladder; readonly leftOut: readonly string[] } {
  const off = (name: string): { readonly disabled?: true } =>
    file.agents?.[name]?.disabled === true ? { disabled: true } : {};
  const alone = (name: string): Ladder => [{ agent: name in agents ? name : OWN_AGENT, tier: 1 }];
  const all = (ladder: Ladder) => ({ ladder, leftOut: [] });
  if (flag !== undefined) return all(alone(flag));
  if (file.models !== undefined)
    return all(
      file.models.map(({ agent, model, tier = 1, disabled }) => ({
        agent,
        ...defined({ model }),
        tier,
        ...(disabled === true ? { disabled } : off(agent)),
      })),
    );
  const { agent: one } = file;
  const isThere = ({ agent }: ModelEntry): boolean =>
    agent in agents && !off(agent).disabled && (one ?? agent) === agent;
  const ofSource = sourceLadder.filter(isThere);
  if (policy === "stuck-recovery" && ofSource.length > 0) {
    const missing = sourceLadder.filter((entry) => !isThere(entry)).map(({ agent }) => agent);
    return { ladder: ofSource, leftOut: [...new Set(missing)] };
  }
  if (one !== undefined) return all(alone(one));
  return all(Object.keys(file.agents ?? {}).map((agent) => ({ agent, tier: 1, ...off(agent) })));
}

/** Keeps only branch agents that are on the ladder. */
export function branchAgentsOn(
  ladder: Ladder,
  branchAgents: Readonly<Record<string, string>>,
): Pick<Plan, "branchAgents"> {
  const there = Object.entries(branchAgents).filter(([, name]) =>
    ladder.some(({ agent }) => agent === name),
  );
  return there.length === 0 ? {} : { branchAgents: Object.fromEntries(there) };
}

type Ladder = readonly ModelEntry[];

const sameEntry = (a: ModelEntry, b: ModelEntry): boolean =>
  a.agent === b.agent && a.model === b.model;

const enabled = (ladder: Ladder): ModelEntry[] => ladder.filter((entry) => entry.disabled !== true);

/** The first entry of at least the planned tier, else the strongest one. */
export function entryForTier(ladder: Ladder, tier: number): ModelEntry | undefined {
  const entries = enabled(ladder);
  return entries.find((entry) => entry.tier >= tier) ?? topEntry(entries);
}

/** One rank up; undefined at the top. An entry that is not on the ladder moves to the first one that is not weaker. */
export function rankUp(ladder: Ladder, current: ModelEntry): ModelEntry | undefined {
  const position = ladder.findIndex((entry) => sameEntry(entry, current));
  if (position < 0) return enabled(ladder).find((entry) => entry.tier >= current.tier);
  return enabled(ladder.slice(position + 1))[0];
}

/** The first entry of the next higher existing tier. */
export function tierUp(ladder: Ladder, current: ModelEntry): ModelEntry | undefined {
  const higher = enabled(ladder).filter((entry) => entry.tier > current.tier);
  const next = Math.min(...higher.map((entry) => entry.tier));
  return higher.find((entry) => entry.tier === next);
}

/** The last entry of the highest tier, which gets extended thinking and a larger budget. */
export function topEntry(ladder: Ladder): ModelEntry | undefined {
  const entries = enabled(ladder);
  const top = Math.max(...entries.map((entry) => entry.tier));
  return entries.findLast((entry) => entry.tier === top);
}

/** An unused agent or model of the same tier. */
export function sidegradeOf(
  ladder: Ladder,
  current: ModelEntry,
  used: readonly ModelEntry[],
): ModelEntry | undefined {
  return enabled(ladder).find(
    (entry) =>
      entry.tier === current.tier &&
      !sameEntry(entry, current) &&
      !used.some((other) => sameEntry(entry, other)),
  );
}

/** An entry of another agent: the weakest of at least this tier, else the strongest one. */
export function otherAgent(ladder: Ladder, { agent, tier }: ModelEntry): ModelEntry | undefined {
  const others = enabled(ladder).filter((entry) => entry.agent !== agent);
  const strongEnough = others
    .filter((entry) => entry.tier >= tier)
    .toSorted((a, b) => a.tier - b.tier);
  return strongEnough[0] ?? topEntry(others);
}
