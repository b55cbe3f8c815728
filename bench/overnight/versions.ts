/** The versions of the agents with which a night is measured: those that test/real-agents pins. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OvernightAgent } from "./scenario.ts";

const PINNED = join(import.meta.dirname, "..", "..", "test", "real-agents", "package.json");
const PACKAGES: Readonly<Record<OvernightAgent, string>> = {
  claude: "@anthropic-ai/claude-code",
  codex: "@openai/codex",
};

export function agentVersions(): Readonly<Record<OvernightAgent, string>> {
  const { dependencies } = JSON.parse(readFileSync(PINNED, "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const versionOf = (agent: OvernightAgent): string => dependencies[PACKAGES[agent]] ?? "";
  return { claude: versionOf("claude"), codex: versionOf("codex") };
}
