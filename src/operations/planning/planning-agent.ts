/**
 * Chooses the agent that writes a plan and will carry it out: the one named by the user, otherwise the one in the
 * existing plan file, otherwise the user's usual one, otherwise the only one installed and logged in. Invariant: never
 * a guess among several.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { agentNamed } from "../../agents/start-agent.ts";
import { PLAN_AGENTS } from "../../agents/registry.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { agentsOf, entryForTier } from "../../core/plan/model-ladder.ts";
import { readPlan } from "../../core/plan/read-plan.ts";
import type { AgentPlan } from "../../core/plan/run-plan.ts";
import type { Agent } from "../../runtime/ports-agent.ts";
import { defined, ProblemError } from "../operation.ts";
import { chosenAgent } from "../goal/goal-agent.ts";
import { PLAN_FILE } from "../runs/given-plan.ts";
import { findAgents } from "../setup/found-agents.ts";
import { textIfThere } from "../text.ts";
import { userConfig } from "../user-config.ts";

export interface PlanningAgent {
  readonly agent: Agent;
  /** The adapter that drives it. */
  readonly adapter: string;
  readonly model?: string;
  /** Its name in a plan file and in `--agent`. */
  readonly named: string;
}

export async function planningAgent(
  root: string,
  asked: string | undefined,
): Promise<PlanningAgent> {
  const named = asked ?? userConfig().agent;
  const ofFile = asked === undefined ? agentOfPlan(root) : undefined;
  if (ofFile !== undefined) return ofFile;
  return startable(named ?? (await onlyAgent()));
}

/** The first agent that this repository's plan would start; undefined if the plan cannot be read. */
function agentOfPlan(root: string): PlanningAgent | undefined {
  const file = join(root, PLAN_FILE);
  const read = existsSync(file) ? readPlan(textIfThere(file) ?? "", {}, PLAN_AGENTS) : undefined;
  if (read?.ok !== true) return undefined;
  const entry = entryForTier(read.value.plan.ladder, 1);
  const agent = read.value.agents[entry?.agent ?? ""];
  if (agent === undefined) return undefined;
  return startable(agent.command ?? agent.adapter, agent, entry?.model);
}

async function onlyAgent(): Promise<string> {
  const found = await findAgents({ env: process.env, home: homedir() });
  const { agent, others } = chosenAgent(found, undefined);
  if (agent !== undefined) return agent.agent;
  const flags = others.map((one) => `--agent ${one.agent}`);
  throw new ProblemError("bad-input", `several agents are ready here: add ${flags.join(" or ")}`);
}

function startable(
  named: string,
  plan: AgentPlan | undefined = Object.values(agentsOf({}, named, PLAN_AGENTS))[0],
  model?: string,
): PlanningAgent {
  const { adapter = PLAN_AGENTS.plain, ...options } = plan ?? {};
  const agent = agentNamed(adapter, options);
  if (agent === undefined)
    throw new ProblemError("bad-input", `there is no agent ${cleanLine(named, 80)}`);
  return { agent, adapter, named, ...defined({ model }) };
}
