/** Settings that Gemini CLI reads only from a file; the user's own settings take precedence. */
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
