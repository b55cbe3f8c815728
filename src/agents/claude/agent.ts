/** Claude Code: `claude -p` with stream-json in both directions, so that it accepts messages while it works. */
import { join } from "node:path";
import type { Refusal } from "../../core/agent-words/refusal.ts";
import type { AgentRequest } from "../../runtime/ports-agent.ts";
import type { AgentDescriptor, CommandLine } from "../agent.ts";
import { commandsIn } from "../check-commands.ts";
import { claudeAnswer, toolResult } from "../hooks/dialects.ts";
import { eventReader, type EventNames } from "../hooks/event-reader.ts";
import { eventHooks, jsonTarget, settingsFolder } from "../hooks/hook-target.ts";
import { claudeOutput } from "./output.ts";
import { CLAUDE_RETRIES } from "./retries.ts";

/** Qwen Code uses the same events. */
const EVENTS: EventNames = {
  PreToolUse: "before-tool",
  PostToolUse: "after-tool",
  PostToolUseFailure: "after-tool",
  UserPromptSubmit: "prompt",
  PreCompact: "compaction",
  StopFailure: "model-failure",
  Stop: "stop",
};

export const claude: AgentDescriptor = {
  name: "claude",
  profile: {
    title: "Claude Code",
    binary: "claude",
    versionArgs: ["--version"],
    tested: { from: "2.1.0", below: "2.2.0" },
    install: "npm install -g @anthropic-ai/claude-code",
    login: "claude auth login",
    account:
      "https://console.anthropic.com/settings/billing, for a subscription https://claude.ai/settings/usage",
    keyVariables: [
      "ANTHROPIC_API_KEY",
      "ANTHROPIC_AUTH_TOKEN",
      "CLAUDE_CODE_OAUTH_TOKEN",
      "CLAUDE_CODE_USE_BEDROCK",
      "CLAUDE_CODE_USE_VERTEX",
    ],
    loginFiles: [".claude/.credentials.json"],
    otherLogins: {
      variables: ["CLAUDE_CONFIG_DIR", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_USE_FOUNDRY"],
      files: [".claude/settings.json"],
      platforms: ["darwin"],
    },
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
  output: claudeOutput,
  driver: {
    turns: "own",
    commandLine,
    converse: ({ prompt }) => ({
      opening: [userMessage(prompt)],
      onLine: (line) => ({ hangUp: line["type"] === "result" }),
      steer: (text) => [userMessage(text)],
    }),
  },
  tellsVersion: true,
  hooks: {
    dialect: {
      // A failed tool has its own event, so `PostToolUse` means success.
      read: eventReader(EVENTS, ({ hook_event_name: name, error, tool_response: response }) =>
        name === "PostToolUse"
          ? { output: toolResult(response).output, outcome: "ok" }
          : { ...toolResult(error), outcome: "failed" },
      ),
      write: claudeAnswer,
    },
    tools: ["Bash", "Read", "Write", "Edit", "Glob", "Grep"],
    calls: {
      ...{ Bash: ["command"], Read: ["file_path"], Write: ["file_path", "content"] },
      ...{ Edit: ["file_path", "old_string", "new_string"], MultiEdit: ["file_path", "edits"] },
      ...{ NotebookEdit: ["notebook_path"], Glob: ["pattern"], Grep: ["pattern"] },
      ...{ WebFetch: ["url"], WebSearch: ["query"], Task: ["prompt"], TodoWrite: ["todos"] },
    },
    target: (place) =>
      jsonTarget(
        join(settingsFolder(place, "CLAUDE_CONFIG_DIR", ".claude"), "settings.json"),
        eventHooks("claude", EVENTS),
      ),
  },
  models: [
    { model: "haiku", tier: 1 },
    { model: "sonnet", tier: 2 },
    { model: "opus", tier: 3 },
  ],
};

function commandLine(request: AgentRequest): CommandLine {
  const { model, thinking, session, cap, turns } = request;
  return {
    args: [
      "-p",
      ...["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"],
      ...permissionArgs(request),
      ...(model === undefined ? [] : ["--model", model]),
      ...(thinking === true ? ["--effort", "max"] : []),
      ...(cap?.usd === undefined ? [] : ["--max-budget-usd", cap.usd.toFixed(4)]),
      ...(turns === undefined ? [] : ["--max-turns", String(turns)]),
      ...(session === undefined ? [] : ["--resume", session]),
    ],
    env: { ...CLAUDE_RETRIES, DISABLE_AUTOUPDATER: "1" },
  };
}

/** Allows editing the worktree, and of commands only the checks. There is no one to ask. */
function permissionArgs({
  permissions,
  checks = [],
  allowed = [],
}: AgentRequest): readonly string[] {
  if (permissions === "full") return ["--permission-mode", "bypassPermissions"];
  const rules = [
    ...commandsIn(checks).map((command) => `Bash(${command}:*)`),
    ...allowed.flatMap(rulesFor),
  ];
  return [
    "--permission-mode",
    "acceptEdits",
    ...(rules.length === 0 ? [] : ["--allowedTools", ...rules]),
  ];
}

/** Its rules are lists of words with brackets, so a command that contains brackets is expressed by its parts. */
function rulesFor({ tool, command }: Refusal): readonly string[] {
  if (tool !== "Bash") return toolRule(tool, command);
  const parts = [...(/[(),\n]/.test(command) ? [] : [command]), ...commandsIn([command])];
  return [...new Set(parts)].map((part) => `Bash(${part})`);
}

function toolRule(tool: string, what: string): readonly string[] {
  if (!/^\w{1,80}$/.test(tool)) return [];
  const host = /^https?:\/\/([\w.-]{1,200})/.exec(what)?.[1];
  if (tool === "WebFetch" && host !== undefined) return [`WebFetch(domain:${host})`];
  // In its rules, an absolute path starts with two slashes.
  return [/^\/[^(),\s]{1,400}$/.test(what) ? `${tool}(/${what})` : tool];
}

const userMessage = (text: string): unknown => ({
  type: "user",
  message: { role: "user", content: [{ type: "text", text }] },
});
