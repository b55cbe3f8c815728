/**
 * Codex: `codex app-server`, which listens while it works; older versions by `codex exec --json`, which takes the
 * prompt on standard input and cannot be steered.
 */
import type { AgentRequest } from "../../runtime/ports-agent.ts";
import type { AgentDescriptor, CommandLine, Driver } from "../agent.ts";
import { codexHooks } from "./hooks.ts";
import { codexOutput } from "./output.ts";

const NO_UPDATE = ["-c", "check_for_update_on_startup=false"];

const exec: Driver = { countsSession: true, commandLine: execCommandLine };

export const codex: AgentDescriptor = {
  name: "codex",
  profile: {
    title: "Codex",
    binary: "codex",
    versionArgs: ["--version"],
    tested: { from: "0.160.0", below: "0.180.0" },
    install: "npm install -g @openai/codex",
    login: "codex login",
    keyVariables: ["CODEX_API_KEY", "OPENAI_API_KEY"],
    loginFiles: [".codex/auth.json"],
    features: [
      "typed-output",
      "reports-tokens",
      "resume",
      "steer",
      "thinking",
      "least-permissions",
      "hooks",
      "mcp",
    ],
  },
  output: codexOutput,
  driver: {
    turns: "counted",
    commandLine: () => ({ args: ["app-server", ...NO_UPDATE] }),
    converse: async (request) => (await import("./conversation.ts")).converse(request),
  },
  older: { below: "0.160.0", driver: exec },
  hooks: codexHooks,
};

function execCommandLine({ model, thinking, session, permissions }: AgentRequest): CommandLine {
  const gate =
    permissions === "full"
      ? ["--dangerously-bypass-approvals-and-sandbox"]
      : [...setting("sandbox_mode", "workspace-write"), ...setting("approval_policy", "never")];
  return {
    args: [
      "exec",
      ...(session === undefined ? [] : ["resume"]),
      "--json",
      "--skip-git-repo-check",
      ...gate,
      ...NO_UPDATE,
      ...(model === undefined ? [] : ["-m", model]),
      ...(thinking === true ? setting("model_reasoning_effort", "high") : []),
      ...(session === undefined ? [] : [session]),
      "-",
    ],
  };
}

const setting = (name: string, value: string): readonly string[] => ["-c", `${name}="${value}"`];
