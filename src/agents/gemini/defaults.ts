/** Settings that Gemini CLI takes from a file only; the user's own settings win over them. */
import { join } from "node:path";
import type { AgentRequest } from "../../runtime/ports-agent.ts";
import type { CommandLine } from "../agent.ts";

const FILE = "gemini-defaults.json";
const DEFAULTS = { general: { maxAttempts: 1, enableAutoUpdate: false } };

export const geminiDefaults = (
  { folder }: Pick<AgentRequest, "folder">,
  more: object = {},
): Required<Pick<CommandLine, "env" | "files">> => ({
  env: { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: join(folder, FILE) },
  files: { [FILE]: JSON.stringify({ ...DEFAULTS, ...more }) },
});
