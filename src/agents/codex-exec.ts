/**
 * Older versions of Codex: `codex exec --json`, prompt on standard input. Translates, never decides. It cannot be
 * steered here: only its app-server listens.
 */
import type { AgentRequest } from "../runtime/ports-agent.ts";
import { REPORT_FORMATS } from "./reports/formats.ts";
import type { CommandLine, TypedAdapter } from "./typed-agent.ts";

export const codexExecAdapter: TypedAdapter = {
  binary: "codex",
  report: REPORT_FORMATS.codex,
  commandLine,
};

function commandLine({ model, thinking, session, permissions }: AgentRequest): CommandLine {
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
      ...["-c", "check_for_update_on_startup=false"],
      ...(model === undefined ? [] : ["-m", model]),
      ...(thinking === true ? setting("model_reasoning_effort", "high") : []),
      ...(session === undefined ? [] : [session]),
      "-",
    ],
  };
}

const setting = (name: string, value: string): readonly string[] => ["-c", `${name}="${value}"`];
