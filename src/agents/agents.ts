/**
 * The built-in agents by name, for the composition root. Imports every adapter. A name it does not
 * know is no agent; `acp:<command>` is any agent that speaks the Agent Client Protocol.
 */
import type { Agent } from "../runtime/ports-agent.ts";
import { acpAdapter } from "./acp.ts";
import { claudeAdapter } from "./claude.ts";
import { codexAdapter } from "./codex.ts";
import { geminiAdapter } from "./gemini.ts";
import { opencodeAdapter } from "./opencode.ts";
import { piAdapter } from "./pi.ts";
import { typedAgent } from "./typed-agent.ts";
import type { TypedAdapter } from "./typed-agent.ts";

export interface AgentOptions {
  /** What to start instead of the agent's usual program; words as a shell reads them, no shell. */
  readonly command?: string;
}

const ADAPTERS: Readonly<Record<string, TypedAdapter>> = {
  claude: claudeAdapter,
  codex: codexAdapter,
  gemini: geminiAdapter,
  opencode: opencodeAdapter,
  pi: piAdapter,
};

const ACP = "acp:";

export function agentNamed(name: string, { command }: AgentOptions = {}): Agent | undefined {
  if (name.startsWith(ACP)) return typedAgent(acpAdapter, command ?? name.slice(ACP.length));
  const adapter = Object.hasOwn(ADAPTERS, name) ? ADAPTERS[name] : undefined;
  return adapter === undefined ? undefined : typedAgent(adapter, command);
}
