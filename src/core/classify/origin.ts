/**
 * Where it failed and in which setting its text is to be read. Invariant: an origin the observer gave always wins.
 */
import type { Evidence, Origin } from "../evidence.ts";
import type { FailureKind } from "../kinds.ts";
import type { Setting } from "./rule.ts";

const MODEL_TOOLS: ReadonlySet<string> = new Set(["llm", "model", "http", "api", "provider"]);
const AGENT_TOOLS: ReadonlySet<string> = new Set(["agent_cli", "agent"]);
const SHELL_TOOLS: ReadonlySet<string> = new Set([
  "",
  "run_bash",
  "bash",
  "shell",
  "sh",
  "exec",
  "execute_command",
  "run_command",
  "run_shell_command",
  "local_shell",
  "terminal",
  "powershell",
]);

/** What only a model service can be the reason of, when an agent CLI reports it. */
const PROVIDER_KINDS: ReadonlySet<FailureKind> = new Set([
  "rate_limited",
  "server_overloaded",
  "server_error",
  "auth_required",
  "auth_expired",
  "billing",
  "content_refused",
  "context_exhausted",
  "network_error",
  "timeout",
  "malformed_output",
]);

export function settingOf(evidence: Evidence): Setting {
  const tool = toolOf(evidence);
  if (MODEL_TOOLS.has(tool)) return "model";
  if (AGENT_TOOLS.has(tool)) return "agent";
  if (SHELL_TOOLS.has(tool)) return evidence.providerError === undefined ? "shell" : "model";
  return "call";
}

export function originOf(evidence: Evidence, kind: FailureKind): Origin {
  if (evidence.origin !== undefined) return evidence.origin;
  const setting = settingOf(evidence);
  if (setting === "model") return "provider";
  if (setting === "agent") return PROVIDER_KINDS.has(kind) ? "provider" : "agent";
  return "tool";
}

const toolOf = ({ tool }: Evidence): string =>
  typeof tool === "string" ? tool.slice(0, 40).toLowerCase() : "";
