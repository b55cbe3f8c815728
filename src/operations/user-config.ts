/**
 * The user's name and own settings: `config.yaml` in the XDG config folder, outside every repository, so that no
 * agent's checkout can speak for them (U14). A file that cannot be read as meant is an error, never a guess.
 */
import { existsSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import * as z from "zod";
import { cleanLine } from "../core/foreign-text.ts";
import { checkYaml, parseYaml } from "../core/read-yaml.ts";
import { ProblemError } from "./operation.ts";
import { readTextFile } from "./text-file.ts";

const schema = z
  .strictObject({
    /** `full`: agents start without any gate of their own. */
    permissions: z.enum(["least", "full"]),
    /** `unattended`: answers may come from a process that nobody is seen to have started, such as a service. */
    answers: z.enum(["attended", "unattended"]),
  })
  .partial();

/** A relative folder would be one of the current checkout: the rules of XDG have it ignored. */
export function userConfigFile(): string {
  const given = process.env["XDG_CONFIG_HOME"] ?? "";
  return join(isAbsolute(given) ? given : join(homedir(), ".config"), "unstuck", "config.yaml");
}

export function userConfig(): z.infer<typeof schema> {
  const file = userConfigFile();
  if (!existsSync(file)) return {};
  const source = parseYaml(readTextFile(file));
  const read = source.ok ? checkYaml(source.value, schema) : source;
  if (read.ok) return read.value;
  const [problem] = read.problems;
  throw new ProblemError(
    "bad-input",
    `${file}:${problem?.line ?? 1}: ${problem?.path ?? ""} ${problem?.message ?? ""}`,
  );
}

/** As the system knows them; a user without a name is somebody. */
export function userName(): string {
  try {
    return cleanLine(userInfo().username, 60);
  } catch {
    return "somebody";
  }
}
