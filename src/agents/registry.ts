/**
 * The agents that Unstuck knows, and the only list of them. A new agent is one folder and one line here; all code that
 * needs agents' names, formats, hooks or installation commands uses this registry.
 */
import type { FailureKind } from "../core/kinds.ts";
import type { PlanAgents } from "../core/plan/run-plan.ts";
import { acp } from "./acp/agent.ts";
import type { AgentDescriptor, AgentHooks, AgentProfile } from "./agent.ts";
import { claude } from "./claude/agent.ts";
import { codex } from "./codex/agent.ts";
import { gemini } from "./gemini/agent.ts";
import { opencode } from "./opencode/agent.ts";
import type { Fields } from "./output/json.ts";
import { looseOutput, stepsOutput } from "./output/loose.ts";
import type { OutputSource } from "./output/report.ts";
import { pi } from "./pi/agent.ts";

/** Any command in a plan: nothing is known about it, so its output format is detected from the first line. */
const command: AgentDescriptor = { name: "command" };

export const AGENTS: readonly AgentDescriptor[] = [
  claude,
  codex,
  gemini,
  opencode,
  pi,
  acp,
  command,
];

/** An agent with a program of its own. */
export interface KnownAgent extends AgentProfile {
  readonly name: string;
}

export type Registry = ReturnType<typeof createRegistry>;

/** The name of the format of our own steps. */
const STEPS = "steps";
const LOOSE = "loose";

export function createRegistry(agents: readonly AgentDescriptor[]) {
  const outputs = new Map<string, OutputSource>([[STEPS, { output: stepsOutput }]]);
  for (const { name, output, profile } of agents)
    if (output !== undefined) outputs.set(name, { output, ...(profile && { profile }) });
  outputs.set(LOOSE, { output: looseOutput });
  const known: readonly KnownAgent[] = agents.flatMap(({ name, profile }) =>
    profile ? [{ name, ...profile }] : [],
  );
  return {
    known,
    find: (name: string): AgentDescriptor | undefined =>
      agents.find((agent) => agent.name === name),
    /** Names that `outputNamed` accepts, except the one for unknown formats. */
    formats: [...[...outputs.keys()].filter((name) => name !== STEPS && name !== LOOSE), STEPS],
    outputNamed: (format: string): OutputSource | undefined => outputs.get(format),
    /** The source whose output begins with this line; loose lines if it is no known agent's. */
    outputBeginning: (line: Fields): OutputSource | undefined =>
      [...outputs.values()].find(({ output }) => output.begins(line)),
  };
}

export const REGISTRY: Registry = createRegistry(AGENTS);

export const KNOWN_AGENTS: readonly KnownAgent[] = REGISTRY.known;

export const knownAgent = (name: string): KnownAgent | undefined =>
  KNOWN_AGENTS.find((agent) => agent.name === name);

export const OUTPUT_FORMATS: readonly string[] = REGISTRY.formats;

export const HOOK_AGENTS: readonly string[] = AGENTS.flatMap(({ name, hooks }) =>
  hooks === undefined ? [] : [name],
);

export const hooksOf = (name: string): AgentHooks | undefined => REGISTRY.find(name)?.hooks;

/** What a person can do about an agent that is missing or logged out: one sentence with the command. */
export function adviceFor(agent: string, kind: FailureKind): string | undefined {
  const known = knownAgent(agent);
  if (known === undefined) return undefined;
  const { title, install, login, account, keyVariables } = known;
  switch (kind) {
    case "agent_missing":
      return `Install ${title}: ${install}`;
    case "auth_required":
    case "auth_expired":
      return `Log in to ${title}: run ${login}, or set ${keyVariables[0] ?? "its key"}`;
    case "billing":
      return `Look at the account of ${title}: ${account}`;
    default:
      return undefined;
  }
}

/** The agents a plan may name, and those of the source of the `stuck-recovery` preset. */
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
