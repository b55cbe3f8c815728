/**
 * The agents Unstuck knows by name, as data: what their program is called, which versions were tested, how to
 * install them and log in, what they can do. Invariants: every command in here is a constant that a person may be
 * shown or asked to run; nothing in here says how an agent is driven (that is its adapter's).
 */

export type AgentFeature =
  /** Typed events: errors, usage and the final answer are read, not guessed. */
  | "typed-output"
  | "reports-cost"
  | "reports-tokens"
  | "resume"
  /** Can be told something while it works. */
  | "steer"
  | "thinking"
  | "caps-cost"
  /** Can be kept to editing the worktree; without it an agent always runs ungated. */
  | "least-permissions"
  | "hooks"
  | "mcp";

export interface KnownAgent {
  readonly name: string;
  readonly title: string;
  readonly binary: string;
  /** What asks the program for its version; the first `1.2.3` it prints counts. */
  readonly versionArgs: readonly string[];
  /** Tested from this version on, below that one. */
  readonly tested: { readonly from: string; readonly below: string };
  readonly install: string;
  readonly login: string;
  /** Environment variables that stand for a login: only whether they are set is looked at. */
  readonly keyVariables: readonly string[];
  /** Files under the home folder that a login leaves: only whether they exist is looked at. */
  readonly loginFiles: readonly string[];
  readonly features: readonly AgentFeature[];
}

export const KNOWN_AGENTS: readonly KnownAgent[] = [
  {
    name: "claude",
    title: "Claude Code",
    binary: "claude",
    versionArgs: ["--version"],
    tested: { from: "2.1.0", below: "2.2.0" },
    install: "npm install -g @anthropic-ai/claude-code",
    login: "claude auth login",
    keyVariables: [
      "ANTHROPIC_API_KEY",
      "ANTHROPIC_AUTH_TOKEN",
      "CLAUDE_CODE_OAUTH_TOKEN",
      "CLAUDE_CODE_USE_BEDROCK",
      "CLAUDE_CODE_USE_VERTEX",
    ],
    loginFiles: [".claude/.credentials.json"],
    features: [
      "typed-output",
      "reports-cost",
      "reports-tokens",
      "resume",
      "steer",
      "thinking",
      "caps-cost",
      "least-permissions",
      "hooks",
      "mcp",
    ],
  },
  {
    name: "codex",
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
  {
    name: "gemini",
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
  {
    name: "opencode",
    title: "OpenCode",
    binary: "opencode",
    versionArgs: ["--version"],
    tested: { from: "1.18.0", below: "1.20.0" },
    install: "npm install -g opencode-ai",
    login: "opencode auth login",
    keyVariables: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"],
    loginFiles: [".local/share/opencode/auth.json"],
    features: [
      "typed-output",
      "reports-cost",
      "reports-tokens",
      "resume",
      "steer",
      "thinking",
      "least-permissions",
      "hooks",
      "mcp",
    ],
  },
  {
    name: "pi",
    title: "pi",
    binary: "pi",
    versionArgs: ["--version"],
    tested: { from: "0.73.0", below: "0.80.0" },
    install: "npm install -g @mariozechner/pi-coding-agent",
    login: "pi",
    keyVariables: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"],
    loginFiles: [".pi/agent/auth.json"],
    features: [
      "typed-output",
      "reports-cost",
      "reports-tokens",
      "resume",
      "steer",
      "thinking",
      "hooks",
    ],
  },
];

export const knownAgent = (name: string): KnownAgent | undefined =>
  KNOWN_AGENTS.find((agent) => agent.name === name);
