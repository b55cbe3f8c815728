/**
 * Claude Code: `claude -p` with stream-json in both directions, so that it can be told something while it works.
 * Translates, never decides.
 */
import type { AgentRequest } from "../runtime/ports-agent.ts";
import { commandsIn } from "./check-commands.ts";
import { REPORT_FORMATS } from "./reports/formats.ts";
import type { CommandLine, TypedAdapter } from "./typed-agent.ts";

export const claudeAdapter: TypedAdapter = {
  binary: "claude",
  report: REPORT_FORMATS.claude,
  turns: "own",
  commandLine,
  talk: ({ prompt }) => ({
    opening: [userMessage(prompt)],
    hear: (line) => ({ over: line["type"] === "result" }),
    steer: (words) => [userMessage(words)],
  }),
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
    env: { CLAUDE_CODE_MAX_RETRIES: "0", DISABLE_AUTOUPDATER: "1" },
  };
}

/** The worktree may be edited; of commands, only the checks. Nobody is there to be asked. */
function permissionArgs({ permissions, checks = [] }: AgentRequest): readonly string[] {
  if (permissions === "full") return ["--permission-mode", "bypassPermissions"];
  const rules = commandsIn(checks).map((command) => `Bash(${command}:*)`);
  return [
    "--permission-mode",
    "acceptEdits",
    ...(rules.length === 0 ? [] : ["--allowedTools", ...rules]),
  ];
}

const userMessage = (text: string): unknown => ({
  type: "user",
  message: { role: "user", content: [{ type: "text", text }] },
});
