/**
 * Makes an agent of the registry startable, by its name. `acp:<command>` names an agent without a program of its
 * own together with its command; a name the registry does not have is no agent.
 */
import type { Agent } from "../runtime/ports-agent.ts";
import { commandAgent } from "./command/command-agent.ts";
import { parseTemplate } from "./command/template.ts";
import { REGISTRY } from "./registry.ts";
import type { Registry } from "./registry.ts";
import { typedAgent } from "./typed-agent.ts";
import { versionedAgent } from "./versioned-agent.ts";

export interface AgentOptions {
  /** What to start instead of the agent's usual program; words as a shell reads them, no shell. */
  readonly command?: string;
  /** What a plain command's output is written in; without it, its first line tells. */
  readonly format?: string;
}

export function agentNamed(
  name: string,
  { command, format }: AgentOptions = {},
  registry: Registry = REGISTRY,
): Agent | undefined {
  const [kind = "", ...given] = name.split(":");
  const agent = registry.find(kind);
  const usual = given.length > 0 ? given.join(":") : agent?.profile?.binary;
  const program = command ?? usual;
  if (agent === undefined || program === undefined) return undefined;
  const { profile, output, driver, older, tellsVersion } = agent;
  if (given.length > 0 && profile !== undefined) return undefined;
  if (output === undefined || driver === undefined) return commandAgent(program, format, registry);
  const source = { output, ...(profile && { profile }) };
  const started = typedAgent(source, driver, program);
  const parsed = parseTemplate(program);
  if (profile === undefined || tellsVersion === true || !parsed.ok) return started;
  return versionedAgent(
    { profile, program: parsed.words },
    started,
    older && { below: older.below, agent: typedAgent(source, older.driver, program) },
  );
}
