/**
 * A fresh HOME for real agents: configured for the scripted model server with a key that opens nothing, telemetry and updates off.
 * What is written here is what a user of that agent would configure; command lines are the adapters' own.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export type AgentName = "claude" | "codex" | "gemini" | "opencode" | "pi";

/** The pinned agents' programs. */
export const PROGRAMS: string = join(import.meta.dirname, "node_modules", ".bin");

/** Below node_modules, not in the system's temporary folder: agents do not trust settings that lie there. */
export function freshFolder(): string {
  const places = join(import.meta.dirname, "node_modules", ".places");
  mkdirSync(places, { recursive: true });
  return mkdtempSync(join(places, "place-"));
}

const KEY = "test-key";

/** Writes the agent's settings below `home` and gives the variables it needs. */
export function configure(
  agent: AgentName,
  home: string,
  base: string,
): Readonly<Record<string, string>> {
  const file = (path: string, text: string): string => {
    const full = join(home, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    return full;
  };
  return CONFIGURATIONS[agent](base, file);
}

/** The part of the environment that is the same for all of them; nothing of the tester's own keys. */
export const commonEnvironment = (home: string): Readonly<Record<string, string>> => ({
  PATH: `${PROGRAMS}:${process.env["PATH"] ?? ""}`,
  HOME: home,
  TERM: "dumb",
  NO_COLOR: "1",
});

type WriteFile = (path: string, text: string) => string;
type Configuration = (base: string, file: WriteFile) => Readonly<Record<string, string>>;

const MODELS = ["small-model", "large-model"];

const CONFIGURATIONS: Readonly<Record<AgentName, Configuration>> = {
  claude: (base) => ({
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: base,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
  }),

  codex(base, file) {
    file(
      ".codex/config.toml",
      [
        'model_provider = "scripted"',
        "check_for_update_on_startup = false",
        "[analytics]",
        "enabled = false",
        "[model_providers.scripted]",
        'name = "scripted"',
        `base_url = "${base}/v1"`,
        'env_key = "SCRIPTED_KEY"',
        'wire_api = "responses"',
        "",
      ].join("\n"),
    );
    return { SCRIPTED_KEY: KEY };
  },

  gemini(base, file) {
    const settings = {
      security: { auth: { selectedType: "gemini-api-key" } },
      general: { enableAutoUpdate: false },
      model: { name: "gemini-2.5-flash" },
      privacy: { usageStatisticsEnabled: false },
    };
    file(".gemini/settings.json", JSON.stringify(settings));
    return {
      GEMINI_API_KEY: KEY,
      GOOGLE_GEMINI_BASE_URL: base,
      GEMINI_TELEMETRY_ENABLED: "false",
    };
  },

  opencode(base, file) {
    const models = Object.fromEntries(
      MODELS.map((id) => [id, { name: id, limit: { context: 128_000, output: 4096 } }]),
    );
    const options = { baseURL: `${base}/v1`, apiKey: KEY };
    const scripted = { npm: "@ai-sdk/openai-compatible", name: "scripted", options, models };
    const settings = { model: "scripted/small-model", provider: { scripted }, autoupdate: false };
    file(".config/opencode/opencode.json", JSON.stringify(settings));
    // A HOME that was used before: in a fresh one it fetches this package from the registry, busily, for up to half a minute.
    const installed = { packages: { "": { dependencies: { "@opencode-ai/plugin": "*" } } } };
    file(".config/opencode/package-lock.json", JSON.stringify(installed));
    file(".config/opencode/node_modules/.keep", "");
    return {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    };
  },

  pi(base, file) {
    const models = MODELS.map((id) => ({
      id,
      name: id,
      reasoning: false,
      input: ["text"],
      cost: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
      contextWindow: 128_000,
      maxTokens: 4096,
    }));
    const scripted = { baseUrl: `${base}/v1`, api: "openai-completions", apiKey: KEY, models };
    file(".pi/agent/models.json", JSON.stringify({ providers: { scripted } }));
    file(
      ".pi/agent/settings.json",
      JSON.stringify({ defaultProvider: "scripted", defaultModel: "small-model" }),
    );
    return { PI_OFFLINE: "1" };
  },
};
