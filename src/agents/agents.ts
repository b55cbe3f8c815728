/**
 * The built-in agents by name, for the composition root. A name it does not know is no agent; `acp:<command>` is
 * any agent that speaks the Agent Client Protocol.
 */
import type { Agent } from "../runtime/ports-agent.ts";
import { acpAdapter } from "./acp.ts";
import { claudeAdapter } from "./claude.ts";
import { codexExecAdapter } from "./codex-exec.ts";
import { codexAdapter } from "./codex.ts";
import { geminiAdapter } from "./gemini.ts";
import { opencodeAdapter } from "./opencode.ts";
import { piAdapter } from "./pi.ts";
import { parseTemplate } from "./process/command-template.ts";
import { typedAgent } from "./typed-agent.ts";
import type { TypedAdapter } from "./typed-agent.ts";
import { versionedAgent } from "./versioned-agent.ts";

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

/** Versions from before what their adapter needs, and what drives them instead. */
const OLDER: Readonly<Record<string, { readonly below: string; readonly adapter: TypedAdapter }>> =
  { codex: { below: "0.160.0", adapter: codexExecAdapter } };

/** Their own output tells their version. */
const TELLS_VERSION = ["claude"];

const ACP = "acp:";

export function agentNamed(name: string, { command }: AgentOptions = {}): Agent | undefined {
  if (name.startsWith(ACP)) return typedAgent(acpAdapter, command ?? name.slice(ACP.length));
  const adapter = Object.hasOwn(ADAPTERS, name) ? ADAPTERS[name] : undefined;
  if (adapter === undefined) return undefined;
  const agent = typedAgent(adapter, command);
  const program = parseTemplate(command ?? adapter.binary);
  if (!program.ok || TELLS_VERSION.includes(name)) return agent;
  const older = Object.hasOwn(OLDER, name) ? OLDER[name] : undefined;
  return versionedAgent(
    name,
    program.words,
    agent,
    older && { below: older.below, agent: typedAgent(older.adapter, command) },
  );
}
