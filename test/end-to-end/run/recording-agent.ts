/** A scripted agent that keeps the prompts it was started with, so that a test can read what it was told. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "../../../src/testing/scripted-agent.ts";
import type { Repository } from "./repository.ts";

export interface RecordingAgent {
  /** The words for `--agent`, or for a command of a plan. */
  readonly command: string;
  /** All of them, in order. */
  prompts(): readonly string[];
  /** What attempt `subtask/number` was told; empty if it never started. */
  promptOf(attempt: string): string;
}

export function recordingAgent(here: Repository, script: Script): RecordingAgent {
  const folder = join(here.path, "..");
  const kept = join(folder, "prompts");
  const wrapper = join(folder, "record.sh");
  const record = `printf '%s\\n%s\\0' "$UNSTUCK_ATTEMPT" "$4" >> '${kept}'\nexec "$@"\n`;
  writeFileSync(wrapper, record);
  const all = (): readonly (readonly [string, string])[] =>
    (existsSync(kept) ? readFileSync(kept, "utf8").split("\0").slice(0, -1) : []).map((one) => {
      const end = one.indexOf("\n");
      return [one.slice(0, end), one.slice(end + 1)];
    });
  return {
    command: `sh "${wrapper}" ${here.agent(script)}`,
    prompts: () => all().map(([, prompt]) => prompt),
    promptOf: (attempt) => all().find(([id]) => id.endsWith(`/${attempt}`))?.[1] ?? "",
  };
}
