/**
 * Gemini CLI: headless `gemini` with stream-json output and the prompt on standard input. Settings that it reads only
 * from files (its retries, the rules for commands) are written into the attempt's own folder; for its retries, the
 * user's settings take precedence.
 */
import { join } from "node:path";
import { isShellRefusal, type Refusal } from "../../core/agent-words/refusal.ts";
import type { AgentRequest } from "../../runtime/ports-agent.ts";
import type { AgentDescriptor, CommandLine } from "../agent.ts";
import { commandsIn } from "../check-commands.ts";
import { toolResult } from "../hooks/dialects.ts";
import { eventReader, type EventNames } from "../hooks/event-reader.ts";
import type { AfterTool } from "../hooks/hook-event.ts";
import { eventHooks, jsonTarget } from "../hooks/hook-target.ts";
import { fieldsOf, outputOf, type Fields } from "../output/json.ts";
import { geminiDefaults } from "./defaults.ts";
import { geminiOutput } from "./output.ts";

/** Not PreCompress: it fires before every request, even if nothing is compressed. */
const EVENTS: EventNames = {
  BeforeTool: "before-tool",
  AfterTool: "after-tool",
  BeforeAgent: "prompt",
  AfterAgent: "stop",
};
const MS_PER_SECOND = 1000;

export const gemini: AgentDescriptor = {
  name: "gemini",
  profile: {
    title: "Gemini CLI",
    binary: "gemini",
    versionArgs: ["--version"],
    tested: { from: "0.60.0", below: "0.70.0" },
    install: "npm install -g @google/gemini-cli",
    login: "gemini",
    account: "https://aistudio.google.com/usage",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI"],
    loginFiles: [".gemini/oauth_creds.json"],
    otherLogins: {
      variables: ["GOOGLE_CLOUD_PROJECT", "GOOGLE_APPLICATION_CREDENTIALS", "CLOUD_SHELL"],
      files: [".gemini/settings.json", ".gemini/.env", ".env"],
    },
    features: ["typed-output", "reports-tokens", "resume", "least-permissions", "hooks", "mcp"],
  },
  output: geminiOutput,
  driver: { turns: "own", commandLine },
  hooks: {
    dialect: {
      read: eventReader(EVENTS, toolOutcome),
      write: ({ name }, { kind, words }) =>
        kind === "hint"
          ? { hookSpecificOutput: { hookEventName: name, additionalContext: words } }
          : {
              ...{ decision: "deny", reason: words },
              ...(kind === "end" ? { continue: false, stopReason: words } : {}),
            },
    },
    tools: ["run_shell_command", "read_file", "write_file", "list_directory"],
    calls: {
      ...{ run_shell_command: ["command"], read_file: ["file_path|absolute_path|path"] },
      ...{ write_file: ["file_path|path", "content"], list_directory: ["dir_path|path"] },
      ...{ replace: ["file_path|path", "old_string", "new_string"], glob: ["pattern"] },
      ...{ search_file_content: ["pattern"], grep_search: ["pattern"], web_fetch: ["prompt|url"] },
      ...{
        read_many_files: ["include|paths"],
        google_web_search: ["query"],
        save_memory: ["fact"],
      },
    },
    target: ({ project, cwd, home }) =>
      jsonTarget(
        join(project ? cwd : home, ".gemini", "settings.json"),
        eventHooks("gemini", EVENTS, MS_PER_SECOND),
      ),
  },
};

const POLICY_FILE = "gemini-policy.toml";
const turnLimit = (maxSessionTurns: number | undefined): object =>
  maxSessionTurns === undefined ? {} : { model: { maxSessionTurns } };

function commandLine(request: AgentRequest): CommandLine {
  const { model, session, folder, permissions, turns, checks = [], allowed = [] } = request;
  const defaults = geminiDefaults(request, turnLimit(turns));
  const commands = [...commandsIn(checks), ...allowed.filter(isShellRefusal).map(commandOf)];
  const rules = permissions === "full" ? [] : [...new Set(commands)].map(ruleFor);
  return {
    args: [
      ...["--output-format", "stream-json"],
      ...["--approval-mode", permissions === "full" ? "yolo" : "auto_edit"],
      ...(rules.length === 0 ? [] : ["--policy", join(folder, POLICY_FILE)]),
      ...(model === undefined ? [] : ["-m", model]),
      ...(session === undefined ? [] : ["--resume", session]),
    ],
    env: {
      // It does not edit in untrusted folders; the worktree is the run's own.
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      ...defaults.env,
    },
    files: {
      ...defaults.files,
      ...(rules.length === 0 ? {} : { [POLICY_FILE]: rules.join("\n") }),
    },
  };
}

const commandOf = ({ command }: Refusal): string => command;

const ruleFor = (command: string): string =>
  [
    "[[rule]]",
    'toolName = "run_shell_command"',
    `commandPrefix = ${JSON.stringify(command)}`,
    'decision = "allow"',
    "priority = 100",
    "",
  ].join("\n");

/** What Gemini CLI adds around a command's output; the process group differs every time. */
const FRAME = /^(?:<\/?untrusted_context>|Process Group PGID: \d{1,10})\n?/gm;

/** It reports a failed shell command as a success, with the exit code in the text for the model. */
function toolOutcome({
  tool_response: response,
}: Fields): Pick<AfterTool, "output" | "outcome" | "exitCode"> {
  const { output: whole, exitCode } = toolResult(response);
  const output = whole.replace(FRAME, "");
  const { error } = fieldsOf(response);
  const failed = (exitCode ?? 0) !== 0 || (error !== undefined && error !== null);
  const said = outputOf(fieldsOf(error)["message"]);
  return {
    output: said === "" || output.includes(said) ? output : `${output}\n${said}`,
    outcome: failed ? "failed" : "ok",
    ...(exitCode === undefined ? {} : { exitCode }),
  };
}
