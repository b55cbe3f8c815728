/**
 * OpenCode: `opencode run --format json`, prompt on standard input. Imports the glue and its
 * report. Translates, never decides. It has no setting for its own retries, and is not steered:
 * only its server listens.
 */
import type { AgentRequest } from "../runtime/ports-agent.ts";
import { commandsIn } from "./check-commands.ts";
import { REPORT_FORMATS } from "./reports/formats.ts";
import type { CommandLine, TypedAdapter } from "./typed-agent.ts";

export const opencodeAdapter: TypedAdapter = {
  binary: "opencode",
  report: REPORT_FORMATS.opencode,
  commandLine,
};

function commandLine(request: AgentRequest): CommandLine {
  const { model, thinking, session, permissions, checks = [] } = request;
  const gate = JSON.stringify(permissionsFor(commandsIn(checks)));
  return {
    args: [
      ...["run", "--format", "json"],
      ...(permissions === "full" ? ["--auto"] : []),
      ...(model === undefined ? [] : ["-m", model]),
      ...(thinking === true ? ["--variant", "high"] : []),
      ...(session === undefined ? [] : ["--session", session]),
    ],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      ...(permissions === "full" ? {} : { OPENCODE_PERMISSION: gate }),
    },
  };
}

/** Files here may be edited; of commands, only the checks. The last pattern that fits decides. */
function permissionsFor(commands: readonly string[]): unknown {
  const bash: Record<string, string> = { "*": "deny" };
  for (const command of commands) {
    bash[command] = "allow";
    bash[`${command} *`] = "allow";
  }
  return {
    edit: "allow",
    bash,
    external_directory: "deny",
  };
}
