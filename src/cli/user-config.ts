/**
 * The user's own settings: `config.yaml` in the XDG config folder, outside every repository, so that no agent's
 * checkout can speak for them (U14). A file that cannot be read as meant is an error, never a guess.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { z } from "zod";
import { checkYaml, parseYaml } from "../core/read-yaml.ts";
import { readTextFile, UsageError } from "./io.ts";

const schema = z
  .strictObject({
    /** `full`: agents start without any gate of their own. */
    permissions: z.enum(["least", "full"]),
    /** `unattended`: answers may come from a process that nobody is seen to have started, such as a service. */
    answers: z.enum(["attended", "unattended"]),
  })
  .partial();

export type UserConfig = z.infer<typeof schema>;

/** A relative folder would be one of the current checkout: the rules of XDG have it ignored. */
export function userConfigFile(): string {
  const given = process.env["XDG_CONFIG_HOME"] ?? "";
  return join(isAbsolute(given) ? given : join(homedir(), ".config"), "unstuck", "config.yaml");
}

export function userConfig(): UserConfig {
  const file = userConfigFile();
  if (!existsSync(file)) return {};
  const source = parseYaml(readTextFile(file));
  const read = source.ok ? checkYaml(source.value, schema) : source;
  if (read.ok) return read.value;
  const [problem] = read.problems;
  throw new UsageError(
    `${file}:${problem?.line ?? 1}: ${problem?.path ?? ""} ${problem?.message ?? ""}`,
  );
}
