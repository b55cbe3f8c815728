/** The scripts that a prompt tells, as an agent would take them from it; and whether a real shell can read one. */
import { spawnSync } from "node:child_process";

export function scriptsIn(prompt: string): readonly string[] {
  return [...prompt.matchAll(/^(`{3,})bash\n([^]*?)\n\1$/gm)].map((match) => match[2] ?? "");
}

export const bashAccepts = (script: string): boolean =>
  spawnSync("bash", ["-n"], { input: script }).status === 0;
