/**
 * Gemini CLI: headless `gemini` with stream-json output, prompt on standard input. What it takes from files only
 * (its retries, the rules for commands) is written into the attempt's own folder; the user's settings win over the
 * former.
 */
import { join } from "node:path";
import type { AgentRequest } from "../../runtime/ports-agent.ts";
import type { AgentDescriptor, CommandLine } from "../agent.ts";
import { commandsIn } from "../check-commands.ts";
import { geminiHooks } from "./hooks.ts";
import { geminiOutput } from "./output.ts";

export const gemini: AgentDescriptor = {
  name: "gemini",
  profile: {
    title: "Gemini CLI",
    binary: "gemini",
    versionArgs: ["--version"],
    tested: { from: "0.60.0", below: "0.70.0" },
    install: "npm install -g @google/gemini-cli",
    login: "gemini",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI"],
    loginFiles: [".gemini/oauth_creds.json"],
    features: ["typed-output", "reports-tokens", "resume", "least-permissions", "hooks", "mcp"],
  },
  output: geminiOutput,
  driver: { turns: "own", commandLine },
  hooks: geminiHooks,
};

const DEFAULTS_FILE = "gemini-defaults.json";
const POLICY_FILE = "gemini-policy.toml";
const DEFAULTS = { general: { maxAttempts: 1, enableAutoUpdate: false } };
const turnLimit = (maxSessionTurns: number | undefined): object =>
  maxSessionTurns === undefined ? {} : { model: { maxSessionTurns } };

function commandLine(request: AgentRequest): CommandLine {
  const { model, session, folder, permissions, turns, checks = [] } = request;
  const rules = permissions === "full" ? [] : commandsIn(checks).map(ruleFor);
  return {
    args: [
      ...["--output-format", "stream-json"],
      ...["--approval-mode", permissions === "full" ? "yolo" : "auto_edit"],
      ...(rules.length === 0 ? [] : ["--policy", join(folder, POLICY_FILE)]),
      ...(model === undefined ? [] : ["-m", model]),
      ...(session === undefined ? [] : ["--resume", session]),
    ],
    env: {
      // In a folder it does not trust, it may not edit; the worktree is the run's own.
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GEMINI_CLI_SYSTEM_DEFAULTS_PATH: join(folder, DEFAULTS_FILE),
    },
    files: {
      [DEFAULTS_FILE]: JSON.stringify({ ...DEFAULTS, ...turnLimit(turns) }),
      ...(rules.length === 0 ? {} : { [POLICY_FILE]: rules.join("\n") }),
    },
  };
}

const ruleFor = (command: string): string =>
  [
    "[[rule]]",
    'toolName = "run_shell_command"',
    `commandPrefix = ${JSON.stringify(command)}`,
    'decision = "allow"',
    "priority = 100",
    "",
  ].join("\n");
